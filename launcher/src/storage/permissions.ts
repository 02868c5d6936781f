// Finds out who besides the user may read Kit's files, on any system.
import { lstatSync } from "node:fs";
import type { DataDir } from "./data-dir.ts";
import { readersOnWindows } from "./windows-permissions.ts";

export type OtherReaders = {
  /** What others can read, and on Windows who they are. */
  readonly readable: readonly { readonly path: string; readonly by: readonly string[]; readonly repair: string }[];
  /** Folders of which Windows did not say who may read them. */
  readonly unknown: readonly string[];
};

/** Looks at the permissions of POSIX. */
export function isReadableByOthers(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
}

/** Claims only what Windows said. */
export function findReadersOnWindows(folders: readonly string[], read = readersOnWindows): OtherReaders {
  const found = folders.map((path) => ({ path, readers: read(path) }));
  return {
    readable: found.flatMap(({ path, readers }) =>
      readers === undefined || readers.others.length === 0
        ? []
        : [{ path, by: readers.others, repair: readers.repair }],
    ),
    unknown: found.filter(({ readers }) => readers === undefined).map(({ path }) => path),
  };
}

/** Looks at the data directory and the files in it that hold secrets. */
export function findReadersOf(dir: DataDir): OtherReaders {
  if (process.platform === "win32") return findReadersOnWindows([dir.path]);
  const open = [dir.path, dir.secret, dir.database].filter(isReadableByOthers);
  return { readable: open.map((path) => ({ path, by: [], repair: "" })), unknown: [] };
}
