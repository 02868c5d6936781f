// The assemblies of each platform: those of the package, from its asmdef files, and those of the stand-in.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const packageRoot = join(import.meta.dirname, "..");

/** The platforms with the symbols that the engine's documentation names for them. */
const versions = ["UNITY_5_3_OR_NEWER", "UNITY_2021_3_OR_NEWER"];
export const platforms = {
  player: [...versions, "UNITY_STANDALONE", "UNITY_STANDALONE_LINUX"],
  web: [...versions, "UNITY_WEBGL"],
  editor: [...versions, "UNITY_EDITOR", "UNITY_STANDALONE", "UNITY_INCLUDE_TESTS"],
} as const;
export type Platform = keyof typeof platforms;
export const platformNames = Object.keys(platforms) as Platform[];

/** The two API levels that a Unity project can be set to. */
export const apiLevels = ["netstandard2.1", "net472"] as const;
export type ApiLevel = (typeof apiLevels)[number];

export type Assembly = {
  readonly name: string;
  /** Absolute paths of its C# files. */
  readonly sources: readonly string[];
  /** Names of the assemblies built here that it may use. */
  readonly references: readonly string[];
  readonly isProgram?: true;
};

export type AssemblyDefinition = {
  readonly path: string;
  readonly name: string;
  readonly references: readonly string[];
  readonly includePlatforms: readonly string[];
  readonly precompiledReferences: readonly string[];
  readonly autoReferenced: boolean;
  readonly defineConstraints: readonly string[];
  readonly noEngineReferences: boolean;
};

/** Every asmdef file of the package. The engine does not see folders that end with ~. */
export function assemblyDefinitions(root: string = packageRoot): AssemblyDefinition[] {
  return filesBelow(root, ".asmdef").map((path) => ({ ...JSON.parse(readFileSync(path, "utf8")), path }));
}

/** Assemblies of the engine's test framework. Nothing uses them yet. */
const testFramework = ["UnityEngine.TestRunner", "UnityEditor.TestRunner"];

/** All assemblies of a platform, each after those that it references. */
export function assembliesOf(platform: Platform): Assembly[] {
  const isEditor = platform === "editor";
  const engine = isEditor ? ["UnityEngine", "UnityEditor"] : ["UnityEngine"];
  const defined = inOrder(assemblyDefinitions().filter((definition) => isBuiltFor(definition, platform)));
  const ours = defined.map((definition) => ofDefinition(definition, engine));
  const seenByGames = defined.filter(({ autoReferenced }) => autoReferenced).map(({ name }) => name);
  const all = [...engine, ...ours.map(({ name }) => name)];
  return [
    own("UnityEngine", ["stand-in/UnityEngine", "stand-in/player"], []),
    ...(isEditor ? [own("UnityEditor", ["stand-in/UnityEditor"], ["UnityEngine"])] : []),
    ...ours,
    // Files in Assets without an asmdef of their own, such as an imported sample.
    {
      name: "Assembly-CSharp",
      sources: filesBelow(join(packageRoot, "Samples~"), ".cs"),
      references: ["UnityEngine", ...seenByGames],
    },
    own("Kit.Tests", ["play"], all),
    { ...own("RunTests", ["runner"], ["UnityEngine"]), isProgram: true },
    {
      name: "Conform",
      sources: filesBelow(join(packageRoot, "conformance~"), ".cs"),
      references: ["UnityEngine", ...seenByGames],
      isProgram: true,
    },
  ];
}

function own(name: string, folders: readonly string[], references: readonly string[]): Assembly {
  const sources = folders.flatMap((folder) => filesBelow(join(import.meta.dirname, folder), ".cs"));
  return { name, sources, references };
}

function ofDefinition(definition: AssemblyDefinition, engine: readonly string[]): Assembly {
  const { name, path, references, noEngineReferences } = definition;
  const ours = references.filter((reference) => !testFramework.includes(reference));
  return {
    name,
    sources: filesBelow(dirname(path), ".cs"),
    references: [...ours, ...(noEngineReferences ? [] : engine)],
  };
}

function isBuiltFor({ includePlatforms, defineConstraints }: AssemblyDefinition, platform: Platform): boolean {
  const isEditor = platform === "editor";
  if (includePlatforms.length > 0 && !(isEditor && includePlatforms.includes("Editor"))) return false;
  return defineConstraints.every((symbol) => (platforms[platform] as readonly string[]).includes(symbol));
}

/** Sorts each definition after those that it references. */
function inOrder(definitions: readonly AssemblyDefinition[]): AssemblyDefinition[] {
  const sorted: AssemblyDefinition[] = [];
  const place = (definition: AssemblyDefinition) => {
    if (sorted.includes(definition)) return;
    for (const other of definitions) if (definition.references.includes(other.name)) place(other);
    sorted.push(definition);
  };
  definitions.forEach(place);
  return sorted;
}

/** Files with that ending below a folder, sorted, without folders that the engine does not import. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isHidden(path.slice(folder.length)))
    .sort();
}

function isHidden(path: string): boolean {
  return dirname(path)
    .split("/")
    .some((name) => name.endsWith("~") || basename(name).startsWith("."));
}
