// The list of packages with their names, sources and build functions. Read before every start, so the build code is
// imported on demand.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "@kit/contract";
import { readFiles } from "./read-files.ts";

export type Package = {
  readonly binding: Binding;
  /** Display name. */
  readonly name: string;
  readonly file: (version: string) => string;
  /** The package is skipped if the first source is missing, and stale if any source changes. */
  readonly sources: readonly string[];
  /** Set if building starts another program, which a quick bundle skips. */
  readonly slow?: true;
  /** Builds the package. Throws NotMade if a tool is missing. */
  readonly make: (root: string, version: string) => Promise<Uint8Array>;
};

const archive = () => import("./archive.ts");

const addon = "bindings/godot/addons/kit_sdk";
const gml = "bindings/gamemaker/project/scripts/kit_sdk/kit_sdk.gml";
const monogame = "bindings/monogame";
const unity = "bindings/unity";

/** Zips the files that the binding's package description lists. */
async function localPackage(root: string, version: string) {
  const { packageFiles } = await import("../../../bindings/gamemaker/package/files.ts");
  return packageFiles(version, {
    read: (path) => readFileSync(join(root, "bindings/gamemaker/project", path)),
    md5: (bytes) => createHash("md5").update(bytes).digest("hex"),
  });
}

/** Files listed in the package's `files` member: files, folders and patterns. */
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
    // The file name is the plugin's name, so it must not contain a version.
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
