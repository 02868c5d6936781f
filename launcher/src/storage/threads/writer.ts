// The only thread that writes. Commits each batch in one transaction, and answers after COMMIT.

import { parentPort, workerData } from "node:worker_threads";
import { MessageError, type MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { releaseWhenIdle } from "../../process/idle-memory.ts";
import { dataDirAt, ensureDataDir } from "../data-dir.ts";
import { createDiskReserve } from "../disk-reserve.ts";
import {
  DataDirInUse,
  describeFailure,
  FilesDisplaced,
  filesDisplaced,
  isCorruption,
  isFsyncError,
  UnknownSchema,
} from "../failure.ts";
import { createTimestampTrust } from "../guard/file-watch.ts";
import { removeLiveCopies } from "../guard/live-copy.ts";
import { type FolderState, readFolderState, recoverDisplacedFiles } from "../guard/recover-displaced.ts";
import { type Lock, takeLock, takeLockAgain } from "../lock.ts";
import { defaultOpenOptions, type OpenOptions } from "../opening.ts";
import { assertKnownData } from "../schema-version.ts";
import { createUnpacker } from "./batch.ts";
import { type JournalFile, openJournalFile } from "./journal-file.ts";
import type { FromWriter, StorageThreadOptions, ToWriter, WriteUnit } from "./messages.ts";
import { idleHeapBytesMax } from "./thread.ts";

const idleMs = 10_000;
/** How often the files are checked while nothing is written. */
const checkFilesMs = 1_000;
const firstBackupCheckMs = 60_000;
const backupCheckMs = 3_600_000;
const { path, migrations } = workerData as StorageThreadOptions;
const dir = dataDirAt(path);
const unpack = createUnpacker();
const active = releaseWhenIdle(idleHeapBytesMax);
const send = (message: FromWriter) => parentPort?.postMessage(message);

let file: JournalFile | undefined;
let lock: Lock | undefined;
let folderState: FolderState | undefined;
/** The files were moved or deleted. Only the open handles have the data, so they must stay open. */
let areDisplaced = false;
/** Set at the end. Queued tasks must then not open or restore files, which somebody may have moved or deleted since. */
let isClosed = false;
const diskReserve = createDiskReserve(dir);
/** How to open the file next time, after a failure. */
let nextOpenOptions: OpenOptions = defaultOpenOptions;
const timestampTrust = createTimestampTrust();
let backingUp: Promise<void> = Promise.resolve();
let idleTimer: NodeJS.Timeout | undefined;

/** Restores the files at their paths and opens them. Throws FilesDisplaced while that is impossible. */
async function recoverAndReopen(displaced: JournalFile): Promise<JournalFile> {
  const isOverwritten = displaced.guard.state() === "overwritten";
  if (isOverwritten) timestampTrust.reportMismatch();
  // SQLite cannot read an overwritten file reliably, so the live copy is used.
  const source = isOverwritten ? displaced.guard.liveCopy() : displaced;
  if (source === undefined) {
    areDisplaced = false;
    await abandonFile({ isSameDatabase: displaced.isSameDatabase });
    return open();
  }
  areDisplaced = true;
  send({ type: "tried", failing: { reason: filesDisplaced, usesReserve: false } });
  try {
    // Throws if another launcher took the lock meanwhile.
    const relock = () => {
      lock = takeLockAgain(lock, dir.lock);
    };
    const { watch } = displaced.guard;
    const options = {
      dir,
      watch,
      isOverwritten,
      copyInto: source.copyInto,
      folderState: folderState as FolderState,
      relock,
    };
    const { file: restored, more } = recoverDisplacedFiles(options, new Date());
    file = undefined;
    const opened = await open();
    if (!opened.guard.watch.isOpenDatabase(restored)) {
      await opened.close(false);
      throw new MessageError(message("storage.removed_again"));
    }
    folderState = readFolderState(dir);
    areDisplaced = false;
    await displaced.close(false);
    const putBack = message("storage.put_back", { events: opened.countEvents() });
    const notice = more.reduce((first, second) => message("join.sentences", { first, second }), putBack);
    // Withdraws the failure before the notice, so that health never reports both.
    send({ type: "tried", failing: diskReserve.current() ?? null });
    send({ type: "notice", notice, reopened: true });
    void opened.guard.ensureLiveCopy();
    return opened;
  } catch (cause) {
    file = displaced;
    throw new FilesDisplaced(filesDisplaced, { cause });
  }
}

/** Restores displaced files. Called before each commit and before acknowledging it. */
async function ensureInPlace(opened: JournalFile): Promise<JournalFile> {
  return opened.guard.state() === "in-place" ? opened : recoverAndReopen(opened);
}

async function open(): Promise<JournalFile> {
  if (isClosed) throw new Error("The storage is closed.");
  if (file !== undefined) return ensureInPlace(file);
  const notices: MessageOrText[] = [];
  // The directory may be missing because the disk was full or because it was removed.
  ensureDataDir(dir);
  if (lock === undefined) {
    lock = takeLock(dir.lock, () => assertKnownData(dir, migrations));
    removeLiveCopies(dir);
  }
  file = await openJournalFile(
    dir,
    migrations,
    { ...nextOpenOptions, areTimesReliable: timestampTrust.areTrusted() },
    notices,
  );
  folderState ??= readFolderState(dir);
  nextOpenOptions = defaultOpenOptions;
  for (const notice of notices) send({ type: "notice", notice, reopened: true });
  return file;
}

/** Closes the file, so that the next opening checks it completely. */
async function abandonFile(more: Partial<OpenOptions> = {}): Promise<void> {
  // Moved or deleted files must stay open: only the open handles still have their data.
  if (areDisplaced) return;
  nextOpenOptions = { ...defaultOpenOptions, ...more, mustCheck: true };
  // The handle is useless even if closing it fails.
  await file?.close(false).catch(() => undefined);
  file = undefined;
}

/** Commits the units. Repeats the commit if the files were overwritten before the live copy contained it. */
async function commitTo(opened: JournalFile, units: readonly WriteUnit[]): Promise<readonly (unknown | null)[]> {
  let outcomes: readonly (unknown | null)[] | undefined;
  try {
    outcomes = opened.commit(units);
  } catch (error) {
    if (opened.guard.state() !== "overwritten") throw error;
  }
  const isOverwritten = opened.guard.state() === "overwritten";
  const isCopied = opened.guard.liveCopy() !== undefined && outcomes?.every((fault) => fault === null);
  const now = await ensureInPlace(opened);
  return outcomes !== undefined && (isCopied || !isOverwritten) ? outcomes : commitTo(now, units);
}

async function commit(units: readonly WriteUnit[]): Promise<void> {
  active();
  try {
    const outcomes = await commitTo(await diskReserve.runWithReserve(open), units);
    send({
      type: "committed",
      outcomes: outcomes.map((fault) => (fault === null ? null : String(fault))),
      failing: diskReserve.current() ?? null,
    });
  } catch (error) {
    if (isCorruption(error) || isFsyncError(error)) await abandonFile();
    const failing = diskReserve.toStorageFailure(error);
    send({ type: "committed", outcomes: units.map(() => failing.reason), failing });
  }
  tryCheckpoint(() => file?.checkpointIfLong());
  idleTimer ??= setTimeout(tryCheckpoint, idleMs, () => file?.checkpoint());
  idleTimer.refresh();
}

/** Checks the file after the reader found damage. */
async function checkDamage(): Promise<void> {
  if (file !== undefined && file.guard.state() !== "in-place") return retryWrite();
  await abandonFile();
  try {
    await open();
  } catch {
    // The next commit retries and reports the reason.
  }
}

function tryCheckpoint(checkpoint: () => void): void {
  try {
    checkpoint();
  } catch {
    // The next commit reports the reason, e.g. a full disk.
  }
}

/** Checks the files, also while nothing is written. Skips files known to be displaced: each `try` message retries those. */
async function checkFiles(): Promise<void> {
  if (areDisplaced || file === undefined) return;
  if (file.guard.verifyState() !== "in-place") await retryWrite();
  void file?.guard.ensureLiveCopy();
}

/** Makes the daily backup while commits continue. SQLite includes the commits of this connection in the copy. */
async function backUp(): Promise<void> {
  try {
    await file?.backUpIfDue();
  } catch (error) {
    send({
      type: "notice",
      notice: message("storage.backup_failed", { problem: describeFailure(error, dir.path) }),
      reopened: false,
    });
  }
}

async function close(): Promise<void> {
  clearTimeout(idleTimer);
  await backingUp;
  // Last chance to restore displaced files.
  if (file !== undefined)
    await diskReserve
      .runWithReserve(open)
      .catch((error) => send({ type: "tried", failing: diskReserve.toStorageFailure(error) }));
  await file?.close(!areDisplaced);
  file = undefined;
  removeLiveCopies(dir);
  isClosed = true;
  lock?.close();
  send({ type: "closed" });
  parentPort?.close();
}

/** The last task. Tasks run one after another, so that a message is handled only when the one before it is done. */
let taskChain: Promise<void> = Promise.resolve();

async function start(): Promise<void> {
  try {
    const opened = await diskReserve.runWithReserve(open);
    diskReserve.restoreReserve();
    const scarce = diskReserve.current();
    send(scarce === undefined ? { type: "ready" } : { type: "failed", failing: scarce, inUse: false, unknown: false });
    void opened.guard.ensureLiveCopy();
  } catch (error) {
    const inUse = error instanceof DataDirInUse;
    const failing = diskReserve.toStorageFailure(error);
    send({ type: "failed", failing, inUse, unknown: error instanceof UnknownSchema });
  }
}

/** Retries a write and reports whether storage works again. */
async function retryWrite(): Promise<void> {
  try {
    const opened = await diskReserve.runWithReserve(open);
    diskReserve.restoreReserve();
    if (diskReserve.current() === undefined) opened.tryWrite();
    send({ type: "tried", failing: diskReserve.current() ?? null });
  } catch (error) {
    send({ type: "tried", failing: diskReserve.toStorageFailure(error) });
  }
}

parentPort?.on("message", (message: ToWriter) => {
  if (message.type === "open") taskChain = taskChain.then(start);
  if (message.type === "commit") taskChain = taskChain.then(() => commit(unpack(message.batch)));
  if (message.type === "try") taskChain = taskChain.then(retryWrite);
  if (message.type === "check") taskChain = taskChain.then(checkDamage);
  if (message.type === "close") taskChain = taskChain.then(close);
});
function scheduleBackup(): void {
  backingUp = taskChain.then(backUp);
}
setInterval(() => {
  taskChain = taskChain.then(checkFiles);
}, checkFilesMs).unref();
setTimeout(scheduleBackup, firstBackupCheckMs).unref();
setInterval(scheduleBackup, backupCheckMs).unref();
