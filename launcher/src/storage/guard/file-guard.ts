// Detects changes that other programs make to the files of the open database: whether these are still the open files, and whether
// another program wrote to them. Maintains a live copy for that case.

import { type BigIntStats, realpathSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { DataDir } from "../data-dir.ts";
import { createLiveCopy, type LiveCopy, WalOverwritten } from "./live-copy.ts";

/** Suffixes of the database file, its write-ahead log, and the log's index. */
export const databaseSuffixes = ["", "-wal", "-shm"] as const;
type DatabaseSuffix = (typeof databaseSuffixes)[number];

/** `away`: a file was deleted, moved or replaced. `overwritten`: another program wrote to a file. */
type FileState = "in-place" | "away" | "overwritten";

export type FileWatch = {
  /** Checks all files. Takes some microseconds. */
  checkState(): FileState;
  /** Must be called after each write by Kit: a commit writes to the WAL, a checkpoint to both files. */
  noteOwnWrite(...ends: readonly DatabaseSuffix[]): void;
  /** Whether the file exists and is the open one. */
  isOpenFile(end: DatabaseSuffix): boolean;
  /** Whether the open database is this file. */
  isOpenDatabase(file: BigIntStats): boolean;
};

const missingCodes = ["ENOENT", "ENOTDIR", "ELOOP"];

/** Returns undefined if the file does not exist, and null if that cannot be determined. */
function readStats(path: string): BigIntStats | undefined | null {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return missingCodes.includes((error as NodeJS.ErrnoException).code ?? "") ? undefined : null;
  }
}

/** Windows may update modification times late, so only sizes are compared there. */
const hasTimes = process.platform !== "win32";

const isSame = (one: BigIntStats, other: BigIntStats) => one.ino === other.ino && one.dev === other.dev;

/**
 * Must be called right after opening the database. Opens no file, because closing one would release SQLite's locks on it.
 * `areTimesReliable` is false if the file system changes times by itself.
 */
function watchFiles(path: string, areTimesReliable: boolean): FileWatch {
  const isWritten = (one: BigIntStats, other: BigIntStats) =>
    one.size !== other.size || (areTimesReliable && hasTimes && one.mtimeNs !== other.mtimeNs);
  // If the path is a symbolic link, SQLite puts the WAL and its index beside the link's target.
  const target = realpathSync(path);
  const files = databaseSuffixes.map((end) => {
    const at = end === "" ? path : target + end;
    const opened = readStats(at);
    return { end, at, opened, written: opened };
  });
  return {
    checkState() {
      let state: FileState = "in-place";
      for (const { end, at, opened, written } of files) {
        const now = readStats(at);
        if (!opened || !written || now === null) continue;
        if (now === undefined || !isSame(now, opened)) return "away";
        // SQLite writes to the index through shared memory, which does not update its time.
        if (end !== "-shm" && isWritten(now, written)) state = "overwritten";
      }
      return state;
    },
    noteOwnWrite(...ends) {
      for (const file of files) if (ends.includes(file.end)) file.written = readStats(file.at) ?? file.written;
    },
    isOpenFile: (wanted) =>
      files.some(({ end, at, opened }) => {
        const now = end === wanted ? readStats(at) : undefined;
        return opened && now && isSame(now, opened);
      }),
    isOpenDatabase: (file) => files.some(({ end, opened }) => end === "" && opened && isSame(file, opened)),
  };
}

const mismatchesMax = 5;
const minuteMs = 60_000;

/**
 * Counts how often files seem overwritten. Five times within a minute mean that the file system changes times by itself. From then
 * on, only sizes are compared until the launcher ends.
 */
export function createTimestampTrust() {
  let mismatchTimes: readonly number[] = [];
  return {
    areTrusted: () => mismatchTimes.length < mismatchesMax,
    reportMismatch() {
      if (mismatchTimes.length >= mismatchesMax) return;
      const now = performance.now();
      mismatchTimes = [...mismatchTimes.filter((at) => now - at < minuteMs), now];
    },
  };
}

/** Delay before a live copy that failed is made again. Long, because making it reads the whole database. */
const retryMs = 60_000;

export type FileGuard = {
  readonly watch: FileWatch;
  /** The state of the files, judged by their sizes and times. */
  state(): FileState;
  /** Like `state`, but also rereads the WAL if Kit wrote to it since the last check. */
  verifyState(): FileState;
  /** Creates the live copy if there is none and there is enough space. Commits continue meanwhile. */
  ensureLiveCopy(): Promise<void>;
  /** The live copy with all commits, or undefined until it is complete. */
  liveCopy(): Pick<LiveCopy, "copyInto"> | undefined;
  /** Runs a write to the files named by `ends`, and updates the live copy. Throws WalOverwritten if another program changed the WAL. */
  runWrite(ends: readonly DatabaseSuffix[], write: () => void): void;
  /** False while a live copy is being made, which needs the WAL, and while the files are not in place. */
  canCheckpoint(): boolean;
  close(): Promise<void>;
};

/** Must be called right after opening the database. */
export function createFileGuard(dir: DataDir, database: DatabaseSync, areTimesReliable: boolean): FileGuard {
  const watch = watchFiles(dir.database, areTimesReliable);
  let copy: LiveCopy | undefined;
  let making: Promise<void> | undefined;
  let notBeforeMs = 0;
  let isEnding = false;
  /** Another program changed the WAL. */
  let isWalForeign = false;
  /** The WAL was reread since the last write. */
  let isWalChecked = true;

  const dropCopy = () => {
    copy?.close();
    copy = undefined;
  };
  /** Drops the live copy if the action fails. `ensureLiveCopy` creates another one later. */
  const dropOnError = (isAsWritten: () => boolean | undefined) => {
    try {
      isWalForeign ||= isAsWritten() === false;
    } catch {
      notBeforeMs = performance.now() + retryMs;
      dropCopy();
    }
  };
  const state = (): FileState => (isWalForeign ? "overwritten" : watch.checkState());
  const checkedState = () => {
    if (!isWalChecked) dropOnError(() => copy?.isWalUnchanged());
    isWalChecked = true;
    return state();
  };
  const make = async () => {
    try {
      copy = await createLiveCopy(dir, database, () => !isEnding);
    } catch (error) {
      isWalForeign ||= error instanceof WalOverwritten;
      notBeforeMs = performance.now() + retryMs;
    }
    making = undefined;
  };

  return {
    watch,
    state,
    verifyState: checkedState,
    async ensureLiveCopy() {
      const isAsked = copy === undefined && making === undefined && !isEnding && performance.now() >= notBeforeMs;
      if (!isAsked || state() !== "in-place") return;
      making = make();
      await making;
    },
    liveCopy: () => copy,
    runWrite(ends, write) {
      try {
        write();
      } finally {
        // Even a failed write may have changed the files.
        watch.noteOwnWrite(...ends);
        isWalChecked = false;
        dropOnError(() => copy?.applyCommits());
      }
      if (isWalForeign) throw new WalOverwritten();
    },
    canCheckpoint: () => making === undefined && checkedState() === "in-place",
    async close() {
      isEnding = true;
      await making;
      dropCopy();
    },
  };
}
