// Writes the database: opens it, commits, makes checkpoints and backups, and restores files that another program displaced. Releases
// the disk reserve when the disk is full, and restores it when there is space again.

import { MessageError, type MessageOrText } from "@kit/contract/message";
import { message } from "@kit/contract/messages";
import {
  type DataDir,
  type DataDirLock,
  dataDirAt,
  ensureDataDir,
  retakeDataDirLock,
  takeDataDirLock,
} from "../data-dir.ts";
import { ensureReserve, releaseReserve } from "../disk-space.ts";
import {
  classifyFailure,
  DataDirInUse,
  describeFailure,
  FilesDisplaced,
  filesDisplacedMessage,
  isCorruption,
  isFsyncError,
  SetAsideError,
  UnknownSchema,
} from "../failure.ts";
import { createTimestampTrust } from "../guard/file-guard.ts";
import { removeLiveCopies } from "../guard/live-copy.ts";
import { type DataDirState, readDataDirState, recoverDisplacedFiles } from "../guard/recover-displaced.ts";
import { defaultOpenOptions, type OpenOptions } from "../opening.ts";
import { assertKnownData } from "../schema.ts";
import { type JournalFile, openJournalFile } from "./journal-file.ts";
import type { FromWriter, StorageFailure, StorageThreadOptions, WriteUnit } from "./messages.ts";

type DiskReserve = {
  /** The failure to report while the disk is full and the reserve is released. */
  current(): StorageFailure | undefined;
  /** Runs the action. If the disk is full, releases the reserve and runs it again. */
  runWithReserve<T>(open: () => Promise<T>): Promise<T>;
  /** Converts an error to a failure. Releases the reserve if the disk is full. */
  toStorageFailure(error: unknown): StorageFailure;
  /** Restores the reserve, or remembers that there is no space for it. */
  restoreReserve(): void;
};

function createDiskReserve(dir: DataDir): DiskReserve {
  let failure: StorageFailure | undefined;
  return {
    current: () => failure,
    async runWithReserve(open) {
      try {
        return await open();
      } catch (error) {
        const { reason, isFull } = classifyFailure(error, dir.path);
        if (!isFull || !releaseReserve(dir)) throw error;
        failure ??= { reason, usesReserve: true };
        return open();
      }
    },
    toStorageFailure(error) {
      const { reason, isFull } = classifyFailure(error, dir.path);
      if (!isFull) return { reason, usesReserve: false };
      if (releaseReserve(dir)) failure ??= { reason, usesReserve: true };
      return failure ?? { reason, usesReserve: false };
    },
    restoreReserve() {
      try {
        ensureReserve(dir);
        failure = undefined;
      } catch (error) {
        const { reason, isFull } = classifyFailure(error, dir.path);
        // If the disk is not full, the reserve failed for another reason. Kit works without it as long as there is space.
        if (!isFull) return;
        releaseReserve(dir);
        failure ??= { reason, usesReserve: true };
      }
    },
  };
}

const idleMs = 10_000;

type DatabaseWriterDeps = StorageThreadOptions & { readonly send: (message: FromWriter) => void };

/** The methods report results and failures with `send`. The caller must run them one after another, except `backUp`. */
export class DatabaseWriter {
  readonly #dir: DataDir;
  readonly #migrations: string;
  readonly #send: (message: FromWriter) => void;
  readonly #diskReserve: DiskReserve;
  readonly #timestampTrust = createTimestampTrust();
  #file: JournalFile | undefined;
  #lock: DataDirLock | undefined;
  #folderState: DataDirState | undefined;
  /** The files were moved or deleted. Only the open handles have the data, so they must stay open. */
  #areDisplaced = false;
  /** The database was damaged and set aside. Nothing may be written until the launcher has been opened again. */
  #isSetAside = false;
  /** Set at the end. Queued tasks must then not open or restore files, which somebody may have moved or deleted since. */
  #isClosed = false;
  /** How to open the file next time, after a failure. */
  #nextOpenOptions: OpenOptions = defaultOpenOptions;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ path, migrations, send }: DatabaseWriterDeps) {
    this.#dir = dataDirAt(path);
    this.#migrations = migrations;
    this.#send = send;
    this.#diskReserve = createDiskReserve(this.#dir);
  }

  /** Opens the database. Reports whether writes work. */
  async start(): Promise<void> {
    try {
      const opened = await this.#openWithReserve();
      this.#diskReserve.restoreReserve();
      const scarce = this.#diskReserve.current();
      this.#send(
        scarce === undefined ? { type: "ready" } : { type: "failed", failing: scarce, inUse: false, unknown: false },
      );
      void opened.guard.ensureLiveCopy();
    } catch (error) {
      const inUse = error instanceof DataDirInUse;
      const failing = this.#diskReserve.toStorageFailure(error);
      this.#send({ type: "failed", failing, inUse, unknown: error instanceof UnknownSchema });
    }
  }

  async commit(units: readonly WriteUnit[]): Promise<void> {
    try {
      const outcomes = await this.#commitTo(await this.#openWithReserve(), units);
      this.#send({
        type: "committed",
        outcomes: outcomes.map((fault) => (fault === null ? null : String(fault))),
        failing: this.#diskReserve.current() ?? null,
      });
    } catch (error) {
      if (isCorruption(error) || isFsyncError(error)) await this.#abandonFile();
      const failing = this.#diskReserve.toStorageFailure(error);
      this.#send({ type: "committed", outcomes: units.map(() => failing.reason), failing });
    }
    this.#tryCheckpoint(() => this.#file?.checkpointIfLong());
    this.#idleTimer ??= setTimeout(() => this.#tryCheckpoint(() => this.#file?.checkpoint()), idleMs);
    this.#idleTimer.refresh();
  }

  /** Retries a write and reports whether storage works again. */
  async retryWrite(): Promise<void> {
    try {
      const opened = await this.#openWithReserve();
      this.#diskReserve.restoreReserve();
      if (this.#diskReserve.current() === undefined) opened.tryWrite();
      this.#send({ type: "tried", failing: this.#diskReserve.current() ?? null });
    } catch (error) {
      this.#send({ type: "tried", failing: this.#diskReserve.toStorageFailure(error) });
    }
  }

  /** Checks the whole file, which may be damaged. */
  async checkDamage(): Promise<void> {
    if (this.#file !== undefined && this.#file.guard.state() !== "in-place") return this.retryWrite();
    await this.#abandonFile();
    try {
      await this.#open();
    } catch {
      // The next commit retries and reports the reason.
    }
  }

  /** Checks the files, also while nothing is written. Skips files known to be displaced: each `try` message retries those. */
  async checkFiles(): Promise<void> {
    if (this.#areDisplaced || this.#file === undefined) return;
    if (this.#file.guard.verifyState() !== "in-place") await this.retryWrite();
    void this.#file?.guard.ensureLiveCopy();
  }

  /** Makes the daily backup while commits continue. SQLite includes the commits of this connection in the copy. */
  async backUp(): Promise<void> {
    try {
      await this.#file?.backUpIfDue();
    } catch (error) {
      const notice = message("storage.backup_failed", { problem: describeFailure(error, this.#dir.path) });
      this.#send({ type: "notice", notice, reopened: false });
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    // Last chance to restore displaced files.
    if (this.#file !== undefined)
      await this.#openWithReserve().catch((error) =>
        this.#send({ type: "tried", failing: this.#diskReserve.toStorageFailure(error) }),
      );
    await this.#file?.close(!this.#areDisplaced);
    this.#file = undefined;
    removeLiveCopies(this.#dir);
    this.#isClosed = true;
    this.#lock?.close();
  }

  /** Like `#open`. If the disk is full, releases the reserve and tries again. */
  #openWithReserve(): Promise<JournalFile> {
    return this.#diskReserve.runWithReserve(() => this.#open());
  }

  /** Returns the open database with its files in place. Opens it or restores the files if necessary. */
  async #open(): Promise<JournalFile> {
    if (this.#isClosed) throw new Error("The storage is closed.");
    if (this.#isSetAside) throw new SetAsideError();
    if (this.#file !== undefined) return this.#ensureInPlace(this.#file);
    const dir = this.#dir;
    const notices: MessageOrText[] = [];
    // The directory may be missing because the disk was full or because it was removed.
    ensureDataDir(dir);
    if (this.#lock === undefined) {
      this.#lock = takeDataDirLock(dir.lock, () => assertKnownData(dir, this.#migrations));
      removeLiveCopies(dir);
    }
    const isLoaded = this.#folderState !== undefined;
    const options = { ...this.#nextOpenOptions, isLoaded, areTimesReliable: this.#timestampTrust.areTrusted() };
    const opened = await openJournalFile(dir, this.#migrations, options, notices).catch((error) => {
      if (error instanceof SetAsideError) {
        this.#isSetAside = true;
        this.#send({ type: "setAside" });
      }
      throw error;
    });
    this.#file = opened;
    this.#folderState ??= readDataDirState(dir);
    this.#nextOpenOptions = defaultOpenOptions;
    for (const notice of notices) this.#send({ type: "notice", notice, reopened: true });
    return opened;
  }

  /** Restores displaced files. Called before each commit and before acknowledging it. */
  async #ensureInPlace(opened: JournalFile): Promise<JournalFile> {
    return opened.guard.state() === "in-place" ? opened : this.#recoverAndReopen(opened);
  }

  /** Commits the units. Repeats the commit if the files were overwritten before the live copy contained it. */
  async #commitTo(opened: JournalFile, units: readonly WriteUnit[]): Promise<readonly (unknown | null)[]> {
    let outcomes: readonly (unknown | null)[] | undefined;
    try {
      outcomes = opened.commit(units);
    } catch (error) {
      if (opened.guard.state() !== "overwritten") throw error;
    }
    const isOverwritten = opened.guard.state() === "overwritten";
    const isCopied = opened.guard.liveCopy() !== undefined && outcomes?.every((fault) => fault === null);
    const now = await this.#ensureInPlace(opened);
    return outcomes !== undefined && (isCopied || !isOverwritten) ? outcomes : this.#commitTo(now, units);
  }

  /** Restores the files at their paths and opens them. Throws FilesDisplaced while that is impossible. */
  async #recoverAndReopen(displaced: JournalFile): Promise<JournalFile> {
    const isOverwritten = displaced.guard.state() === "overwritten";
    if (isOverwritten) this.#timestampTrust.reportMismatch();
    // SQLite cannot read an overwritten file reliably, so the live copy is used.
    const source = isOverwritten ? displaced.guard.liveCopy() : displaced;
    if (source === undefined) {
      this.#areDisplaced = false;
      await this.#abandonFile({ isSameDatabase: displaced.isSameDatabase });
      return this.#open();
    }
    this.#areDisplaced = true;
    this.#send({ type: "tried", failing: { reason: filesDisplacedMessage, usesReserve: false } });
    try {
      const { file: restored, more } = this.#putBack(displaced, isOverwritten, source.copyInto);
      this.#file = undefined;
      const opened = await this.#open();
      if (!opened.guard.watch.isOpenDatabase(restored)) {
        await opened.close(false);
        throw new MessageError(message("storage.removed_again"));
      }
      this.#folderState = readDataDirState(this.#dir);
      this.#areDisplaced = false;
      await displaced.close(false);
      const putBack = message("storage.put_back", { events: opened.countEvents() });
      const notice = more.reduce((first, second) => message("join.sentences", { first, second }), putBack);
      // Withdraws the failure before the notice, so that health never reports both.
      this.#send({ type: "tried", failing: this.#diskReserve.current() ?? null });
      this.#send({ type: "notice", notice, reopened: true });
      void opened.guard.ensureLiveCopy();
      return opened;
    } catch (cause) {
      this.#file = displaced;
      throw new FilesDisplaced(filesDisplacedMessage, { cause });
    }
  }

  #putBack({ guard }: JournalFile, isOverwritten: boolean, copyInto: (path: string) => void) {
    const options = {
      dir: this.#dir,
      watch: guard.watch,
      isOverwritten,
      copyInto,
      folderState: this.#folderState as DataDirState,
      // Throws if another launcher took the lock meanwhile.
      relock: () => {
        this.#lock = retakeDataDirLock(this.#lock, this.#dir.lock);
      },
    };
    return recoverDisplacedFiles(options, new Date());
  }

  /** Closes the file, so that the next opening checks it completely. */
  async #abandonFile(more: Partial<OpenOptions> = {}): Promise<void> {
    // Moved or deleted files must stay open: only the open handles still have their data.
    if (this.#areDisplaced) return;
    this.#nextOpenOptions = { ...defaultOpenOptions, ...more, mustCheck: true };
    // The handle is useless even if closing it fails.
    await this.#file?.close(false).catch(() => undefined);
    this.#file = undefined;
  }

  #tryCheckpoint(checkpoint: () => void): void {
    try {
      checkpoint();
    } catch {
      // The next commit reports the reason, e.g. a full disk.
    }
  }
}
