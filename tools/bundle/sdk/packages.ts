// The packages of all bindings, in the order of lists. Read before every start, so the code that packs is imported on demand.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "@kit/contract";

type Source = { readonly root: string; readonly version: string };

export type Package = {
  readonly binding: Binding;
  /** Display name. */
  readonly name: string;
  readonly file: (version: string) => string;
  /** The package is skipped if the first source is missing, and stale if any source changes. */
  readonly sources: readonly string[];
  /** Set if building starts another program, which a quick bundle skips. */
  readonly slow?: true;
  /** The same files give the same bytes. Throws NotMade if a tool is missing. */
  readonly make: (source: Source) => Promise<Uint8Array>;
};

const addon = "bindings/godot/addons/kit_sdk";
const plugin = "bindings/rpgmaker/KitSDK.js";
const gamemaker = "bindings/gamemaker/project";
const script = `${gamemaker}/scripts/kit_sdk/kit_sdk.gml`;
const monogame = "bindings/monogame";
const project = `${monogame}/Kit.MonoGame/Kit.MonoGame.csproj`;
const unity = "bindings/unity";

export const packages: readonly Package[] = [
  {
    binding: "godot",
    name: "Add-on",
    file: (version) => `kit-godot-${version}.zip`,
    sources: [addon],
    async make({ root }) {
      const { readFiles, zipOf } = await import("./archive.ts");
      const patterns = ["**/*.{gd,gd.uid,cfg,md,svg,svg.import}", "LICENSE"];
      return zipOf(readFiles(join(root, addon), patterns, "addons/kit_sdk/"));
    },
  },
  {
    binding: "rpgmaker",
    name: "Plugin",
    // The file name is the plugin's name, so it must not contain a version.
    file: () => "KitSDK.js",
    sources: [plugin],
    make: async ({ root }) => readFileSync(join(root, plugin)),
  },
  {
    binding: "gamemaker",
    name: "Local package",
    file: () => "Kit.yymps",
    sources: [script, "bindings/gamemaker/package"],
    async make({ root, version }) {
      const { packageFiles } = await import("../../../bindings/gamemaker/package/files.ts");
      const { zipOf } = await import("./archive.ts");
      const files = packageFiles(version, {
        read: (path) => readFileSync(join(root, gamemaker, path)),
        md5: (bytes) => createHash("md5").update(bytes).digest("hex"),
      });
      return zipOf(files);
    },
  },
  {
    binding: "gamemaker",
    name: "The script alone",
    file: () => "kit_sdk.gml",
    sources: [script],
    make: async ({ root }) => readFileSync(join(root, script)),
  },
  {
    binding: "monogame",
    name: "NuGet package",
    file: (version) => `Kit.MonoGame.${version}.nupkg`,
    sources: [
      project,
      ...["Kit.MonoGame", "Directory.Build.props", "README.md"].map((each) => `${monogame}/${each}`),
      "bindings/unity/Runtime/Core",
      "dashboard/public/icons/kit-192.png",
    ],
    slow: true,
    make: async ({ root, version }) => (await import("./nupkg.ts")).makeNupkg(root, project, version),
  },
  {
    binding: "unity",
    name: "Unity package",
    file: (version) => `dev.kit.unity-${version}.tgz`,
    sources: ["package.json", "Runtime", "Editor", "Tests", "Samples~", "Documentation~"].map(
      (each) => `${unity}/${each}`,
    ),
    async make({ root }) {
      const { npmPackageOf, readFiles } = await import("./archive.ts");
      const { files } = JSON.parse(readFileSync(join(root, unity, "package.json"), "utf8")) as { files: string[] };
      const patterns = ["package.json", ...files.flatMap((each) => [each, `${each}/**`])];
      return npmPackageOf(readFiles(join(root, unity), patterns));
    },
  },
];

export const isHere = (root: string, { sources: [first = ""] }: Package) => existsSync(join(root, first));
