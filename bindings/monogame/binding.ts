// What pages, packages and tools need to know of the binding for MonoGame.
import type { Binding } from "../binding.ts";

const folder = "bindings/monogame";
const project = `${folder}/Kit.MonoGame/Kit.MonoGame.csproj`;

export const monogame: Binding = {
  kind: "monogame",
  letter: "D",
  name: "MonoGame",
  language: "C#",
  steps: [
    'Put the file into a folder `packages` beside the game\'s `.csproj`. In the `.csproj`, add `<RestoreAdditionalProjectSources>packages</RestoreAdditionalProjectSources>` to a `PropertyGroup` and `<PackageReference Include="Kit.MonoGame" Version="*" />` to an `ItemGroup`.',
    "Call `KitSDK.Initialize();` when the game starts, for example in `Program.cs`, with `using Kit;` at the top.",
  ],
  lineStep: "Put this wherever something worth a clip happens, and run the game:",
  line: 'KitSDK.Recording.TriggerEvent("mygame_boss_defeated");',
  portStep: "Pass a `KitConfig` whose `LauncherUrl` is {{address}} to `KitSDK.Initialize`",
  packages: [
    {
      name: "NuGet package",
      file: (version) => `Kit.MonoGame.${version}.nupkg`,
      sources: [
        project,
        ...["Kit.MonoGame", "Directory.Build.props", "README.md"].map((each) => `${folder}/${each}`),
        "bindings/unity/Runtime/Core",
        "dashboard/public/icons/kit-192.png",
      ],
      slow: true,
      make: ({ nugetPackageOf }) => nugetPackageOf(project),
    },
  ],
  reference: {
    taken: "the NuGet package `Kit.MonoGame`",
    entry: "static `KitSDK`",
    recording: "`KitSDK.Recording.TriggerEvent(eventId)`",
    monitor: "`KitSDK.Monitor.ReportError(message, stackTrace = null)`",
    social: "`KitSDK.Social.TriggerEvent(eventId)`",
    settings:
      "`KitConfig`: `LauncherUrl` · `EnableRecording` · `EnableMonitor` · `EnableSocial` · `Build` · `ReportUncaughtErrors`",
    settingsInUse: "`KitSDK.Config`",
    starts: "with `KitSDK.Initialize()` or `Initialize(config)`, or the first call",
  },
};
