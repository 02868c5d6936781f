// Whether the files at the database's path are the open ones.
import { type BigIntStats, realpathSync, statSync } from "node:fs";

/** Beside the database itself: its log, which commits go to, and the log's index. */
export const databaseEnds = ["", "-wal", "-shm"] as const;
type End = (typeof databaseEnds)[number];

export type FileWatch = {
  /** True when one was deleted or moved, or another is there. A look at each, some microseconds. */
  isAway(): boolean;
  /** True for a file that is there and is the open one. */
  isOpenOne(end: End): boolean;
  /** True when the open database is that very file. */
  isThatFile(file: BigIntStats): boolean;
};

const goneCodes = ["ENOENT", "ENOTDIR", "ELOOP"];

/** Undefined where there is no such file; null where that cannot be told. */
function lookAt(path: string): BigIntStats | undefined | null {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return goneCodes.includes((error as NodeJS.ErrnoException).code ?? "") ? undefined : null;
  }
}

const isSame = (one: BigIntStats, other: BigIntStats) => one.ino === other.ino && one.dev === other.dev;

/** To be called right after the database was opened. Opens no file: closing one would end SQLite's locks on it. */
export function watchFiles(path: string): FileWatch {
  // SQLite keeps the other two where a link leads to.
  const target = realpathSync(path);
  const files = databaseEnds.map((end) => {
    const at = end === "" ? path : target + end;
    return { end, at, opened: lookAt(at) };
  });
  return {
    isAway: () =>
      files.some(({ at, opened }) => {
        const now = lookAt(at);
        return opened && now !== null && (now === undefined || !isSame(now, opened));
      }),
    isOpenOne: (wanted) =>
      files.some(({ end, at, opened }) => {
        const now = end === wanted ? lookAt(at) : undefined;
        return opened && now && isSame(now, opened);
      }),
    isThatFile: (file) => files.some(({ end, opened }) => end === "" && opened && isSame(file, opened)),
  };
}
