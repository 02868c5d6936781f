// The packages there are: what each is called, what it is made from, and how. Asked before every start, so the packers
// themselves are imported on use.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "@kit/contract";
import { readFiles } from "./read-files.ts";

export type Package = {
  readonly binding: Binding;
  /** What a person calls it. */
  readonly name: string;
  readonly file: (version: string) => string;
  /** Without the first of these there is nothing to pack; a change in any makes the package stale. */
  readonly sources: readonly string[];
  /** Set where packing starts another program: only a whole bundle waits for that. */
  readonly slow?: true;
  /** Throws NotMade where this machine lacks what it takes. */
  readonly make: (root: string, version: string) => Promise<Uint8Array>;
};

const archive = () => import("./archive.ts");

const addon = "bindings/godot/addons/kit_sdk";
const gml = "bindings/gamemaker/project/scripts/kit_sdk/kit_sdk.gml";
const monogame = "bindings/monogame";
const unity = "bindings/unity";

/** The binding lists the files of its local package itself; this only zips them. */
async function localPackage(root: string, version: string) {
  const { packageFiles } = await import("../../../bindings/gamemaker/package/files.ts");
  return packageFiles(version, {
    read: (path) => readFileSync(join(root, "bindings/gamemaker/project", path)),
    md5: (bytes) => createHash("md5").update(bytes).digest("hex"),
  });
}

/** What the package's own list names: files, folders with all that is in them, and patterns. */
function unityFiles(root: string) {
  const folder = join(root, unity);
  const { files } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { files: readonly string[] };
  return readFiles(folder, ["package.json", ...files.flatMap((each) => [each, `${each}/**`])]);
}

export const packages: readonly Package[] = [
  {
    binding: "godot",
    name: "Add-on",
    file: (version) => `kit-godot-${version}.zip`,
    sources: [addon],
    make: async (root) =>
      (await archive()).zipOf(
        readFiles(join(root, addon), ["**/*.{gd,gd.uid,cfg,md,svg,svg.import}", "LICENSE"], "addons/kit_sdk/"),
      ),
  },
  {
    binding: "rpgmaker",
    name: "Plugin",
    // The file's name is the plugin's name: no version may stand in it.
    file: () => "KitSDK.js",
    sources: ["bindings/rpgmaker/KitSDK.js"],
    make: async (root) => readFileSync(join(root, "bindings/rpgmaker/KitSDK.js")),
  },
  {
    binding: "gamemaker",
    name: "Local package",
    file: () => "Kit.yymps",
    sources: [gml, "bindings/gamemaker/package"],
    make: async (root, version) => (await archive()).zipOf(await localPackage(root, version)),
  },
  {
    binding: "gamemaker",
    name: "The script alone",
    file: () => "kit_sdk.gml",
    sources: [gml],
    make: async (root) => readFileSync(join(root, gml)),
  },
  {
    binding: "monogame",
    name: "NuGet package",
    file: (version) => `Kit.MonoGame.${version}.nupkg`,
    sources: [
      ...["Kit.MonoGame/Kit.MonoGame.csproj", "Kit.MonoGame", "Directory.Build.props", "README.md"].map(
        (each) => `${monogame}/${each}`,
      ),
      `${unity}/Runtime/Core`,
    ],
    slow: true,
    make: async (root, version) => (await import("./nupkg.ts")).makeNupkg(root, version),
  },
  {
    binding: "unity",
    name: "Unity package",
    file: (version) => `dev.kit.unity-${version}.tgz`,
    sources: ["package.json", "Runtime", "Editor", "Tests", "Samples~", "Documentation~"].map(
      (each) => `${unity}/${each}`,
    ),
    make: async (root) => (await archive()).npmPackageOf(unityFiles(root)),
  },
];

export const isHere = (root: string, { sources: [first = ""] }: Package) => existsSync(join(root, first));
