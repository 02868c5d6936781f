// The supported engines: name, line of game code, and setup steps.
import type { Binding } from "@kit/contract";
import { t } from "../../language/language.ts";

export type Engine = {
  readonly binding: Binding;
  readonly name: string;
  /** The engine's programming language. */
  readonly language: () => string;
  /** The line of game code. */
  readonly line: string;
  /** Steps between the download and the line of code; `code` is in backticks, **UI names** in asterisks. */
  readonly steps: () => readonly string[];
  /** Instruction for the line of code. */
  readonly lineStep: () => string;
};

const exampleEvent = "mygame_boss_defeated";

export const engines: readonly Engine[] = [
  {
    binding: "godot",
    name: "Godot",
    language: () => "GDScript",
    steps: () => [
      t("Unpack the file into the project so that `addons/kit_sdk/` is beside `project.godot`."),
      t("**Project → Project Settings → Plugins**: enable **Kit SDK**."),
    ],
    lineStep: () => t("Paste this into a script and start the game:"),
    line: `KitSDK.recording.trigger_event("${exampleEvent}")`,
  },
  {
    binding: "rpgmaker",
    name: "RPG Maker",
    language: () => t("MV and MZ"),
    steps: () => [
      t("Copy `KitSDK.js` into `js/plugins/` of the project."),
      t("Open the plugin manager, add **KitSDK** and switch it on."),
    ],
    lineStep: () => t("Put this into an event's Script command and play the event:"),
    line: `KitSDK.Recording.triggerEvent("${exampleEvent}");`,
  },
  {
    binding: "gamemaker",
    name: "GameMaker",
    language: () => "GML",
    steps: () => [
      t("Drag `Kit.yymps` onto the GameMaker IDE (or choose **Tools > Import Local Package**) and import all of it."),
    ],
    lineStep: () => t("Put this into any event and run the game:"),
    line: `kit_recording_trigger("${exampleEvent}");`,
  },
  {
    binding: "monogame",
    name: "MonoGame",
    language: () => "C#",
    steps: () => [
      t(
        'Put the file into a folder `packages` beside the game\'s `.csproj`. In the `.csproj`, add `<RestoreAdditionalProjectSources>packages</RestoreAdditionalProjectSources>` to a `PropertyGroup` and `<PackageReference Include="Kit.MonoGame" Version="*" />` to an `ItemGroup`.',
      ),
      t("Call `KitSDK.Initialize();` when the game starts, for example in `Program.cs`, with `using Kit;` at the top."),
    ],
    lineStep: () => t("Put this wherever something worth a clip happens, and run the game:"),
    line: `KitSDK.Recording.TriggerEvent("${exampleEvent}");`,
  },
  {
    binding: "unity",
    name: "Unity",
    language: () => "C#",
    steps: () => [
      t(
        "**Window > Package Manager > + > Install package from tarball…** (in older editors **Add package from tarball…**): choose the file.",
      ),
    ],
    lineStep: () => t("Put this into any script, with `using Kit;` at the top, and press Play:"),
    line: `KitSDK.Recording.TriggerEvent("${exampleEvent}");`,
  },
];

export const exampleCommand = `npx kit fire recording ${exampleEvent}`;
