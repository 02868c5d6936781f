// Detects changes that other programs make to the files of the open database, and maintains a live copy for that case.
import type { DatabaseSync } from "node:sqlite";
import type { DataDir } from "../data-dir.ts";
import { type DatabaseSuffix, type FileState, type FileWatch, watchFiles } from "./file-watch.ts";
import { createLiveCopy, type LiveCopy, WalOverwritten } from "./live-copy.ts";

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
