// What people read about each engine with a binding. In the order of lists.
export const describedBindings = {
  godot: {
    name: "Godot",
    language: "GDScript",
    steps: [
      "Unpack the file into the project so that `addons/kit_sdk/` is beside `project.godot`.",
      "**Project → Project Settings → Plugins**: enable **Kit SDK**.",
    ],
    lineStep: "Paste this into a script and start the game:",
    portStep: "In the project settings, set `kit_sdk/launcher_url` to {{address}}",
    line: 'KitSDK.recording.trigger_event("mygame_boss_defeated")',
  },
  rpgmaker: {
    name: "RPG Maker",
    language: "MV and MZ",
    steps: [
      "Copy `KitSDK.js` into `js/plugins/` of the project.",
      "Open the plugin manager, add **KitSDK** and switch it on.",
    ],
    lineStep: "Put this into an event's Script command and play the event:",
    portStep: "In the plugin manager, set **Launcher URL** of **KitSDK** to {{address}}",
    line: 'KitSDK.Recording.triggerEvent("mygame_boss_defeated");',
  },
  gamemaker: {
    name: "GameMaker",
    language: "GML",
    steps: [
      "Drag `Kit.yymps` onto the GameMaker IDE (or choose **Tools > Import Local Package**) and import all of it.",
    ],
    lineStep: "Put this into any event and run the game:",
    portStep: "When the game starts, call `kit_init` with a struct whose `launcher_url` is {{address}}",
    line: 'kit_recording_trigger("mygame_boss_defeated");',
  },
  monogame: {
    name: "MonoGame",
    language: "C#",
    steps: [
      'Put the file into a folder `packages` beside the game\'s `.csproj`. In the `.csproj`, add `<RestoreAdditionalProjectSources>packages</RestoreAdditionalProjectSources>` to a `PropertyGroup` and `<PackageReference Include="Kit.MonoGame" Version="*" />` to an `ItemGroup`.',
      "Call `KitSDK.Initialize();` when the game starts, for example in `Program.cs`, with `using Kit;` at the top.",
    ],
    lineStep: "Put this wherever something worth a clip happens, and run the game:",
    portStep: "Pass a `KitConfig` whose `LauncherUrl` is {{address}} to `KitSDK.Initialize`",
    line: 'KitSDK.Recording.TriggerEvent("mygame_boss_defeated");',
  },
  unity: {
    name: "Unity",
    language: "C#",
    steps: [
      "**Window > Package Manager > + > Install package from tarball…** (in older editors **Add package from tarball…**): choose the file.",
    ],
    lineStep: "Put this into any script, with `using Kit;` at the top, and press Play:",
    portStep: "In **Edit > Project Settings > Kit**, set **Launcher URL** to {{address}}",
    line: 'KitSDK.Recording.TriggerEvent("mygame_boss_defeated");',
  },
} as const;
