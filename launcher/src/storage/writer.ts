// The one thread that writes. Commits everything that gathered, in one transaction, and answers after COMMIT.
import { parentPort, workerData } from "node:worker_threads";
import { releaseWhenIdle } from "../idle-memory.ts";
import { createUnpacker } from "./batch.ts";
import { dataDirAt, ensureDataDir } from "./data-dir.ts";
import {
  DataDirInUse,
  describeFailure,
  FilesAway,
  failureOf,
  filesAway,
  isDamage,
  isFsyncFault,
  NewerDatabase,
} from "./failure.ts";
import { type JournalFile, openJournalFile } from "./journal-file.ts";
import { type Lock, takeLock, takeLockAgain } from "./lock.ts";
import type { Failing, FromWriter, StorageThreadOptions, ToWriter, Unit } from "./messages.ts";
import { type Footing, footingOf, putBack } from "./put-back.ts";
import { giveUpReserve, takeReserve } from "./room.ts";
import { assertNotNewer } from "./schema-version.ts";
import { threadHeapBytesMax } from "./thread.ts";

const idleMs = 10_000;
/** How often the files are looked at while nothing is written. */
const lookEveryMs = 1_000;
const firstBackupCheckMs = 60_000;
const backupCheckMs = 3_600_000;
const { path, migrations } = workerData as StorageThreadOptions;
const dir = dataDirAt(path);
const unpack = createUnpacker();
const active = releaseWhenIdle(threadHeapBytesMax);
const say = (message: FromWriter) => parentPort?.postMessage(message);

let file: JournalFile | undefined;
let lock: Lock | undefined;
let footing: Footing | undefined;
/** The files are not where they belong: the open ones hold what no others do, and stay open. */
let areAway = false;
/** Nothing that still waits for its turn may open, or put back, what is moved or deleted from now on. */
let isClosed = false;
/** Set while the disk is full and the reserve given up. */
let scarce: Failing | undefined;
/** Set after a fault that puts the file in doubt: the next opening checks all of it. */
let suspicious = false;
let backingUp: Promise<void> = Promise.resolve();
let idleTimer: NodeJS.Timeout | undefined;

/** What the open files hold takes its place again, and is open there. Throws FilesAway while that is impossible. */
async function bringBack(away: JournalFile): Promise<JournalFile> {
  areAway = true;
  say({ type: "tried", failing: { reason: filesAway, isScarce: false } });
  try {
    // Throws where another launcher took it meanwhile.
    const relock = () => {
      lock = takeLockAgain(lock, dir.lock);
    };
    const { file: placed, more } = putBack({ ...away, dir, footing: footing as Footing, relock }, new Date());
    file = undefined;
    const opened = await open();
    if (!opened.watch.isThatFile(placed)) {
      opened.close(false);
      throw new Error("They were taken away again at once.");
    }
    footing = footingOf(dir);
    areAway = false;
    away.close(false);
    const notice = `The database was deleted, moved or replaced while Kit was running. Kit wrote it anew with all ${opened.events()} events.${more}`;
    say({ type: "notice", notice, reopened: true });
    return opened;
  } catch (cause) {
    file = away;
    throw new FilesAway(filesAway, { cause });
  }
}

/** The open files are where they belong; looked at before a commit and before it is acknowledged. */
async function inPlace(opened: JournalFile): Promise<JournalFile> {
  return opened.watch.isAway() ? bringBack(opened) : opened;
}

async function open(): Promise<JournalFile> {
  if (isClosed) throw new Error("The storage is closed.");
  if (file !== undefined) return inPlace(file);
  const notices: string[] = [];
  // It may have had no room, or may have been taken away.
  ensureDataDir(dir);
  lock ??= takeLock(dir.lock, () => assertNotNewer(dir.database, migrations));
  file = await openJournalFile(dir, migrations, suspicious, notices);
  footing ??= footingOf(dir);
  suspicious = false;
  for (const notice of notices) say({ type: "notice", notice, reopened: true });
  return file;
}

/** The same, at the price of the reserve where the disk is full. */
async function openAnyhow(): Promise<JournalFile> {
  try {
    return await open();
  } catch (error) {
    const { reason, isFull } = failureOf(error, dir.path);
    if (!isFull || !giveUpReserve(dir)) throw error;
    scarce ??= { reason, isScarce: true };
    return open();
  }
}

/** What is told of an error. Once the disk is full the reserve goes. */
function failingFor(error: unknown): Failing {
  const { reason, isFull } = failureOf(error, dir.path);
  if (!isFull) return { reason, isScarce: false };
  if (giveUpReserve(dir)) scarce ??= { reason, isScarce: true };
  return scarce ?? { reason, isScarce: false };
}

/** Has the reserve, or knows that there is no room for it. */
function keepReserve(): void {
  try {
    takeReserve(dir);
    scarce = undefined;
  } catch (error) {
    const { reason, isFull } = failureOf(error, dir.path);
    // Without a reserve Kit does all it does, as long as there is room.
    if (!isFull) return;
    giveUpReserve(dir);
    scarce ??= { reason, isScarce: true };
  }
}

/** The file is in doubt: the next opening checks all of it, and sets it aside if it is damaged. */
function giveUpFile(): void {
  // Then no other file has what it holds.
  if (areAway) return;
  suspicious = true;
  try {
    file?.close(false);
  } catch {
    // The handle is of no use either way; the file is checked when it is opened anew.
  }
  file = undefined;
}

async function commit(units: readonly Unit[]): Promise<void> {
  active();
  try {
    const opened = await openAnyhow();
    const outcomes = opened.commit(units);
    await inPlace(opened);
    say({
      type: "committed",
      outcomes: outcomes.map((fault) => (fault === null ? null : String(fault))),
      failing: scarce ?? null,
    });
  } catch (error) {
    if (isDamage(error) || isFsyncFault(error)) giveUpFile();
    const failing = failingFor(error);
    say({ type: "committed", outcomes: units.map(() => failing.reason), failing });
  }
  idleTimer ??= setTimeout(checkpointWhenIdle, idleMs);
  idleTimer.refresh();
}

/** The reader met damage that writing alone would never touch. */
async function check(): Promise<void> {
  if (file?.watch.isAway()) return tryAgain();
  giveUpFile();
  try {
    await open();
  } catch {
    // The next commit tries again, and says why to those who wait for it.
  }
}

function checkpointWhenIdle(): void {
  try {
    file?.checkpoint();
  } catch {
    // A full disk refuses this too; the next commit says so to those who wait for it.
  }
}

/** While nothing is written, too. Where they are away, `try` goes on trying. */
async function look(): Promise<void> {
  if (!areAway && file?.watch.isAway()) await tryAgain();
}

/** Runs beside the commits: SQLite carries what this connection writes meanwhile over into the copy. */
async function backUp(): Promise<void> {
  try {
    await file?.backUpIfDue();
  } catch (error) {
    say({ type: "notice", notice: `The daily backup failed. ${describeFailure(error, dir.path)}`, reopened: false });
  }
}

async function close(): Promise<void> {
  clearTimeout(idleTimer);
  await backingUp;
  // The last chance for what only the open files hold.
  if (file !== undefined) await openAnyhow().catch((error) => say({ type: "tried", failing: failingFor(error) }));
  file?.close(!areAway);
  file = undefined;
  isClosed = true;
  lock?.close();
  say({ type: "closed" });
  parentPort?.close();
}

/** One message after the other: a commit may have to reopen the file first. */
let work: Promise<void> = Promise.resolve();

async function start(): Promise<void> {
  try {
    await openAnyhow();
    keepReserve();
    if (scarce === undefined) say({ type: "ready" });
    else say({ type: "failed", failing: scarce, inUse: false, newer: false });
  } catch (error) {
    const inUse = error instanceof DataDirInUse;
    say({ type: "failed", failing: failingFor(error), inUse, newer: error instanceof NewerDatabase });
  }
}

/** Whether storage can be written to again. */
async function tryAgain(): Promise<void> {
  try {
    const opened = await openAnyhow();
    keepReserve();
    if (scarce === undefined) opened.tryWrite();
    say({ type: "tried", failing: scarce ?? null });
  } catch (error) {
    say({ type: "tried", failing: failingFor(error) });
  }
}

parentPort?.on("message", (message: ToWriter) => {
  if (message.type === "open") work = work.then(start);
  if (message.type === "commit") work = work.then(() => commit(unpack(message.batch)));
  if (message.type === "try") work = work.then(tryAgain);
  if (message.type === "check") work = work.then(check);
  if (message.type === "close") work = work.then(close);
});
function lookAfterBackups(): void {
  backingUp = work.then(backUp);
}
setInterval(() => {
  work = work.then(look);
}, lookEveryMs).unref();
setTimeout(lookAfterBackups, firstBackupCheckMs).unref();
setInterval(lookAfterBackups, backupCheckMs).unref();
