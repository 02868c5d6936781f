// The five engines: what each is called, the line of game code, and the steps from the download to the first event.
import type { Binding } from "@kit/contract";
import { t } from "../../language/language.ts";

export type Engine = {
  readonly binding: Binding;
  readonly name: string;
  /** What its people write in. */
  readonly language: () => string;
  /** The one line of game code. */
  readonly line: string;
  /** Between the download and that line, in the engine's own words; what stands in backticks is code. */
  readonly steps: () => readonly string[];
  /** What the line's step says: where it goes. */
  readonly lineStep: () => string;
};

const exampleEvent = "mygame_boss_defeated";

export const engines: readonly Engine[] = [
  {
    binding: "godot",
    name: "Godot",
    language: () => "GDScript",
    steps: () => [
      t("Unpack the file into the project, so that `addons/kit_sdk/` lies beside `project.godot`."),
      t("**Project → Project Settings → Plugins**: enable **Kit SDK**."),
    ],
    lineStep: () => t("Paste this into a script, and start the game:"),
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
    lineStep: () => t("Write this in an event's Script command, and play the event:"),
    line: `KitSDK.Recording.triggerEvent("${exampleEvent}");`,
  },
  {
    binding: "gamemaker",
    name: "GameMaker",
    language: () => "GML",
    steps: () => [
      t("Drag `Kit.yymps` onto the GameMaker IDE (or **Tools > Import Local Package**) and import everything in it."),
    ],
    lineStep: () => t("Write this into any event, and run the game:"),
    line: `kit_recording_trigger("${exampleEvent}");`,
  },
  {
    binding: "monogame",
    name: "MonoGame",
    language: () => "C#",
    steps: () => [
      t(
        'Put the file into a folder `packages` beside the game\'s `.csproj`; in that file name the folder in a `PropertyGroup`, `<RestoreAdditionalProjectSources>packages</RestoreAdditionalProjectSources>`, and the package in an `ItemGroup`, `<PackageReference Include="Kit.MonoGame" Version="*" />`.',
      ),
      t("At the start, for instance in `Program.cs`: `using Kit;` and `KitSDK.Initialize();`"),
    ],
    lineStep: () => t("Write this wherever something worth a clip happens, and run the game:"),
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
    lineStep: () => t("Write this into any script, with `using Kit;` at its top, and press Play:"),
    line: `KitSDK.Recording.TriggerEvent("${exampleEvent}");`,
  },
];

export const exampleCommand = `npx kit fire recording ${exampleEvent}`;
