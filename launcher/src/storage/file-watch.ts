// Whether the files at the database's path are the open ones, and hold what Kit wrote.
import { type BigIntStats, realpathSync, statSync } from "node:fs";

/** Beside the database itself: its log, which commits go to, and the log's index. */
export const databaseEnds = ["", "-wal", "-shm"] as const;
export type End = (typeof databaseEnds)[number];

/** `away`: one was deleted or moved, or another is there. `overwritten`: they are there, and another program wrote into one. */
export type FileState = "in-place" | "away" | "overwritten";

export type FileWatch = {
  /** A look at each, some microseconds. */
  look(): FileState;
  /** To be called after each write of Kit's own: a commit goes to the log only, a checkpoint to both. */
  noteOwnWrite(...ends: readonly End[]): void;
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

/** Windows may set the time of a write later than the write: there only sizes tell. */
const hasTimes = process.platform !== "win32";

const isSame = (one: BigIntStats, other: BigIntStats) => one.ino === other.ino && one.dev === other.dev;

/**
 * To be called right after the database was opened. Opens no file: closing one would end SQLite's locks on it. `isTimeTold`: false
 * where the file system changes times by itself.
 */
export function watchFiles(path: string, isTimeTold: boolean): FileWatch {
  const isWritten = (one: BigIntStats, other: BigIntStats) =>
    one.size !== other.size || (isTimeTold && hasTimes && one.mtimeNs !== other.mtimeNs);
  // SQLite keeps the other two where a link leads to.
  const target = realpathSync(path);
  const files = databaseEnds.map((end) => {
    const at = end === "" ? path : target + end;
    const opened = lookAt(at);
    return { end, at, opened, written: opened };
  });
  return {
    look() {
      let state: FileState = "in-place";
      for (const { end, at, opened, written } of files) {
        const now = lookAt(at);
        if (!opened || !written || now === null) continue;
        if (now === undefined || !isSame(now, opened)) return "away";
        // SQLite writes into the index through memory: its time says nothing.
        if (end !== "-shm" && isWritten(now, written)) state = "overwritten";
      }
      return state;
    },
    noteOwnWrite(...ends) {
      for (const file of files) if (ends.includes(file.end)) file.written = lookAt(file.at) ?? file.written;
    },
    isOpenOne: (wanted) =>
      files.some(({ end, at, opened }) => {
        const now = end === wanted ? lookAt(at) : undefined;
        return opened && now && isSame(now, opened);
      }),
    isThatFile: (file) => files.some(({ end, opened }) => end === "" && opened && isSame(file, opened)),
  };
}

const doubtsMax = 5;
const minuteMs = 60_000;

/**
 * Files that are found overwritten more often than anybody does that: the file system changes their times by itself, and for
 * the rest of the run only sizes tell.
 */
export function createTimeTrust() {
  let doubtedAt: readonly number[] = [];
  return {
    areTrusted: () => doubtedAt.length < doubtsMax,
    doubt() {
      if (doubtedAt.length >= doubtsMax) return;
      const now = performance.now();
      doubtedAt = [...doubtedAt.filter((at) => now - at < minuteMs), now];
    },
  };
}
