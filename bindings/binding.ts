// The interface of a binding's description, which each folder here exports.
import type { Binding as BindingKind, EngineDescription } from "@kit/contract";

/** Contents by path. Paths have forward slashes and no leading slash. */
type Files = ReadonlyMap<string, Uint8Array>;

/** What packs files. The same files give the same bytes. */
export type Packing = {
  /** Folder of the repository. */
  readonly root: string;
  readonly version: string;
  /** Files below a folder of the repository that match a pattern, by relative path with `prefix` in front. */
  read(folder: string, patterns: readonly string[], prefix?: string): Files;
  zipOf(files: Files): Uint8Array;
  /** Packs files like npm, below `package/`. */
  npmPackageOf(files: Files): Promise<Uint8Array>;
  /** Builds a project with the .NET SDK. Throws NotMade if there is none. */
  nugetPackageOf(project: string): Promise<Uint8Array>;
};

export type Package = {
  /** Display name. */
  readonly name: string;
  readonly file: (version: string) => string;
  /** The package is skipped if the first source is missing, and stale if any source changes. */
  readonly sources: readonly string[];
  /** Set if building starts another program, which a quick bundle skips. */
  readonly slow?: true;
  /** Throws NotMade if a tool is missing. */
  readonly make: (packing: Packing) => Promise<Uint8Array>;
};

/** A constant of the contract. */
export type Member = readonly [name: string, value: string | number];

export type Binding = EngineDescription & {
  /** The name of its folder. */
  readonly kind: BindingKind;
  /** Its place in lists. */
  readonly letter: string;
  readonly packages: readonly Package[];
  /** The file with the contract's constants between two marks, and its lines in the language of the engine. */
  readonly constants?: {
    readonly path: string;
    readonly lines: (members: readonly Member[]) => string[];
  };
  /** Its column in README.md. */
  readonly reference: {
    readonly taken: string;
    readonly entry: string;
    readonly recording: string;
    readonly monitor: string;
    readonly social: string;
    readonly settings: string;
    readonly settingsInUse: string;
    readonly starts: string;
  };
};
