// What pages, packages and tools need to know of the binding for Unity. In a folder that Unity ignores.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "../../binding.ts";

const folder = "bindings/unity";

export const unity: Binding = {
  kind: "unity",
  letter: "E",
  name: "Unity",
  language: "C#",
  steps: [
    "**Window > Package Manager > + > Install package from tarball…** (in older editors **Add package from tarball…**): choose the file.",
  ],
  lineStep: "Put this into any script, with `using Kit;` at the top, and press Play:",
  line: 'KitSDK.Recording.TriggerEvent("mygame_boss_defeated");',
  portStep: "In **Edit > Project Settings > Kit**, set **Launcher URL** to {{address}}",
  packages: [
    {
      name: "Unity package",
      file: (version) => `dev.kit.unity-${version}.tgz`,
      sources: ["package.json", "Runtime", "Editor", "Tests", "Samples~", "Documentation~"].map(
        (each) => `${folder}/${each}`,
      ),
      make: async ({ root, npmPackageOf, read }) => {
        const description = readFileSync(join(root, folder, "package.json"), "utf8");
        const { files } = JSON.parse(description) as { files: readonly string[] };
        return npmPackageOf(read(folder, ["package.json", ...files.flatMap((each) => [each, `${each}/**`])]));
      },
    },
  ],
  constants: {
    path: "bindings/unity/Runtime/Core/KitConstants.cs",
    lines: (members) =>
      members.map(([name, value]) => {
        const type = typeof value === "string" ? "string" : "int";
        return `internal const ${type} ${name.charAt(0).toUpperCase()}${name.slice(1)} = ${JSON.stringify(value)};`;
      }),
  },
  reference: {
    taken: "the package `dev.kit.unity`",
    entry: "static `KitSDK`",
    recording: "`KitSDK.Recording.TriggerEvent(eventId)`",
    monitor: "`KitSDK.Monitor.ReportError(message, stackTrace = null)`",
    social: "`KitSDK.Social.TriggerEvent(eventId)`",
    settings: "`KitConfig`, the same",
    settingsInUse: "`KitSDK.Config`",
    starts: "by itself, before the first scene; `KitSDK.Initialize(config)` replaces its settings",
  },
};
