// The one thread that writes. Commits everything that gathered, in one transaction, and answers after COMMIT.
import { parentPort, workerData } from "node:worker_threads";
import { releaseWhenIdle } from "../idle-memory.ts";
import { createUnpacker } from "./batch.ts";
import { dataDirAt, ensureDataDir } from "./data-dir.ts";
import {
  DataDirInUse,
  describeFailure,
  FilesAway,
  filesAway,
  isDamage,
  isFsyncFault,
  UnknownSchema,
} from "./failure.ts";
import { createTimeTrust } from "./file-watch.ts";
import { type JournalFile, openJournalFile } from "./journal-file.ts";
import { removeLiveCopies } from "./live-copy.ts";
import { type Lock, takeLock, takeLockAgain } from "./lock.ts";
import type { FromWriter, StorageThreadOptions, ToWriter, Unit } from "./messages.ts";
import { type Doubts, noDoubts } from "./opening.ts";
import { type Footing, footingOf, putBack } from "./put-back.ts";
import { createScarcity } from "./scarcity.ts";
import { assertKnownData } from "./schema-version.ts";
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
const scarcity = createScarcity(dir);
/** Of the file that is opened next, after a fault of this one. */
let doubts: Doubts = noDoubts;
const times = createTimeTrust();
let backingUp: Promise<void> = Promise.resolve();
let idleTimer: NodeJS.Timeout | undefined;

/** What the files held takes its place again, and is open there. Throws FilesAway while that is impossible. */
async function bringBack(away: JournalFile): Promise<JournalFile> {
  const isOverwritten = away.guard.state() === "overwritten";
  if (isOverwritten) times.doubt();
  // What SQLite reads of an overwritten file is not what it wrote.
  const source = isOverwritten ? away.guard.liveCopy() : away;
  if (source === undefined) {
    areAway = false;
    await giveUpFile({ isOurs: away.isOurs });
    return open();
  }
  areAway = true;
  say({ type: "tried", failing: { reason: filesAway, isScarce: false } });
  try {
    // Throws where another launcher took it meanwhile.
    const relock = () => {
      lock = takeLockAgain(lock, dir.lock);
    };
    const { watch } = away.guard;
    const put = { dir, watch, isOverwritten, copyInto: source.copyInto, footing: footing as Footing, relock };
    const { file: placed, more } = putBack(put, new Date());
    file = undefined;
    const opened = await open();
    if (!opened.guard.watch.isThatFile(placed)) {
      await opened.close(false);
      throw new Error("They were taken away again at once.");
    }
    footing = footingOf(dir);
    areAway = false;
    await away.close(false);
    const notice = `The database was deleted, moved, replaced or overwritten while Kit was running. Kit wrote it anew with all ${opened.events()} events.${more}`;
    // First that it is well again: a notice that says so beside a failure would contradict it.
    say({ type: "tried", failing: scarcity.current() ?? null });
    say({ type: "notice", notice, reopened: true });
    void opened.guard.keepLiveCopy();
    return opened;
  } catch (cause) {
    file = away;
    throw new FilesAway(filesAway, { cause });
  }
}

/** The open files are where they belong; looked at before a commit and before it is acknowledged. */
async function inPlace(opened: JournalFile): Promise<JournalFile> {
  return opened.guard.state() === "in-place" ? opened : bringBack(opened);
}

async function open(): Promise<JournalFile> {
  if (isClosed) throw new Error("The storage is closed.");
  if (file !== undefined) return inPlace(file);
  const notices: string[] = [];
  // It may have had no room, or may have been taken away.
  ensureDataDir(dir);
  if (lock === undefined) {
    lock = takeLock(dir.lock, () => assertKnownData(dir, migrations));
    removeLiveCopies(dir);
  }
  file = await openJournalFile(dir, migrations, { ...doubts, isTimeTold: times.areTrusted() }, notices);
  footing ??= footingOf(dir);
  doubts = noDoubts;
  for (const notice of notices) say({ type: "notice", notice, reopened: true });
  return file;
}

/** The next opening checks all of the file. */
async function giveUpFile(more: Partial<Doubts> = {}): Promise<void> {
  // Then no other file has what it holds.
  if (areAway) return;
  doubts = { ...noDoubts, ...more, isInDoubt: true };
  // The handle is of no use even where it cannot be closed.
  await file?.close(false).catch(() => undefined);
  file = undefined;
}

/** Commits what gathered; anew where the files were overwritten before what took their place held it. */
async function commitTo(opened: JournalFile, units: readonly Unit[]): Promise<readonly (unknown | null)[]> {
  let outcomes: readonly (unknown | null)[] | undefined;
  try {
    outcomes = opened.commit(units);
  } catch (error) {
    if (opened.guard.state() !== "overwritten") throw error;
  }
  const isOverwritten = opened.guard.state() === "overwritten";
  const isCopied = opened.guard.liveCopy() !== undefined && outcomes?.every((fault) => fault === null);
  const now = await inPlace(opened);
  return outcomes !== undefined && (isCopied || !isOverwritten) ? outcomes : commitTo(now, units);
}

async function commit(units: readonly Unit[]): Promise<void> {
  active();
  try {
    const outcomes = await commitTo(await scarcity.anyhow(open), units);
    say({
      type: "committed",
      outcomes: outcomes.map((fault) => (fault === null ? null : String(fault))),
      failing: scarcity.current() ?? null,
    });
  } catch (error) {
    if (isDamage(error) || isFsyncFault(error)) await giveUpFile();
    const failing = scarcity.failingFor(error);
    say({ type: "committed", outcomes: units.map(() => failing.reason), failing });
  }
  writeBack(() => file?.checkpointIfLong());
  idleTimer ??= setTimeout(writeBack, idleMs, () => file?.checkpoint());
  idleTimer.refresh();
}

/** The reader met damage that writing alone would never touch. */
async function check(): Promise<void> {
  if (file !== undefined && file.guard.state() !== "in-place") return tryAgain();
  await giveUpFile();
  try {
    await open();
  } catch {
    // The next commit tries again, and says why to those who wait for it.
  }
}

function writeBack(checkpoint: () => void): void {
  try {
    checkpoint();
  } catch {
    // A full disk refuses this too; the next commit says so to those who wait for it.
  }
}

/** While nothing is written, too. Where they are away, `try` goes on trying. */
async function look(): Promise<void> {
  if (areAway || file === undefined) return;
  if (file.guard.checkedState() !== "in-place") await tryAgain();
  void file?.guard.keepLiveCopy();
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
  if (file !== undefined)
    await scarcity.anyhow(open).catch((error) => say({ type: "tried", failing: scarcity.failingFor(error) }));
  await file?.close(!areAway);
  file = undefined;
  removeLiveCopies(dir);
  isClosed = true;
  lock?.close();
  say({ type: "closed" });
  parentPort?.close();
}

/** One message after the other: a commit may have to reopen the file first. */
let work: Promise<void> = Promise.resolve();

async function start(): Promise<void> {
  try {
    const opened = await scarcity.anyhow(open);
    scarcity.keepReserve();
    const scarce = scarcity.current();
    say(scarce === undefined ? { type: "ready" } : { type: "failed", failing: scarce, inUse: false, unknown: false });
    void opened.guard.keepLiveCopy();
  } catch (error) {
    const inUse = error instanceof DataDirInUse;
    const failing = scarcity.failingFor(error);
    say({ type: "failed", failing, inUse, unknown: error instanceof UnknownSchema });
  }
}

/** Whether storage can be written to again. */
async function tryAgain(): Promise<void> {
  try {
    const opened = await scarcity.anyhow(open);
    scarcity.keepReserve();
    if (scarcity.current() === undefined) opened.tryWrite();
    say({ type: "tried", failing: scarcity.current() ?? null });
  } catch (error) {
    say({ type: "tried", failing: scarcity.failingFor(error) });
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
