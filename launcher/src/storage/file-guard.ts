// Tells whether the files of the open database are still what Kit wrote, and keeps a live copy for when they are not.
import type { DatabaseSync } from "node:sqlite";
import type { DataDir } from "./data-dir.ts";
import { type End, type FileState, type FileWatch, watchFiles } from "./file-watch.ts";
import { createLiveCopy, type LiveCopy, LogOverwritten } from "./live-copy.ts";

/** A copy that failed is tried again after this long: it reads the whole database. */
const retryMs = 60_000;

export type FileGuard = {
  readonly watch: FileWatch;
  /** The state of the files, from their sizes and times only. */
  state(): FileState;
  /** The same, after reading the log again if Kit wrote to it since the last check. */
  checkedState(): FileState;
  /** Makes the live copy if there is none and there is room; commits go on meanwhile. */
  keepLiveCopy(): Promise<void>;
  /** Undefined until it is complete: then it holds all that was committed. */
  liveCopy(): Pick<LiveCopy, "copyInto"> | undefined;
  /** Runs what writes into these files, and notes it. Throws LogOverwritten where the live copy could not take it over. */
  writing(ends: readonly End[], write: () => void): void;
  /** False while the log must not be written back: the live copy still needs it, or somebody else wrote into it. */
  canCheckpoint(): boolean;
  close(): Promise<void>;
};

/** To be called right after the database was opened. */
export function guardFiles(dir: DataDir, database: DatabaseSync, isTimeTold: boolean): FileGuard {
  const watch = watchFiles(dir.database, isTimeTold);
  let copy: LiveCopy | undefined;
  let making: Promise<void> | undefined;
  let notBeforeMs = 0;
  let isEnding = false;
  /** The log did not hold what SQLite wrote there. */
  let isLogForeign = false;
  /** The log was read again since the last write. */
  let isLogChecked = true;

  const dropCopy = () => {
    copy?.close();
    copy = undefined;
  };
  /** A copy that cannot be kept is dropped; later another one is made, where there can be one. */
  const orDrop = (isAsWritten: () => boolean | undefined) => {
    try {
      isLogForeign ||= isAsWritten() === false;
    } catch {
      notBeforeMs = performance.now() + retryMs;
      dropCopy();
    }
  };
  const state = (): FileState => (isLogForeign ? "overwritten" : watch.look());
  const checkedState = () => {
    if (!isLogChecked) orDrop(() => copy?.isLogUnchanged());
    isLogChecked = true;
    return state();
  };
  const make = async () => {
    try {
      copy = await createLiveCopy(dir, database, () => !isEnding);
    } catch (error) {
      isLogForeign ||= error instanceof LogOverwritten;
      notBeforeMs = performance.now() + retryMs;
    }
    making = undefined;
  };

  return {
    watch,
    state,
    checkedState,
    async keepLiveCopy() {
      const isAsked = copy === undefined && making === undefined && !isEnding && performance.now() >= notBeforeMs;
      if (!isAsked || state() !== "in-place") return;
      making = make();
      await making;
    },
    liveCopy: () => copy,
    writing(ends, write) {
      try {
        write();
      } finally {
        // What fails may have written as well.
        watch.noteOwnWrite(...ends);
        isLogChecked = false;
        orDrop(() => copy?.follow());
      }
      if (isLogForeign) throw new LogOverwritten();
    },
    canCheckpoint: () => making === undefined && checkedState() === "in-place",
    async close() {
      isEnding = true;
      await making;
      dropCopy();
    },
  };
}
