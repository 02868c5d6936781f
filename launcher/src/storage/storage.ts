// The database as the rest of the launcher sees it: durable writes, reads that never wait for them, and its state.
import { KitError } from "@kit/contract";
import { createPacker } from "./batch.ts";
import type { DataDir } from "./data-dir.ts";
import { DataDirInUse, UnknownSchema } from "./failure.ts";
import type { Failing, FromWriter, ToWriter } from "./messages.ts";
import { type Page, startReadQueue } from "./read-queue.ts";
import type { Row, Statement } from "./sql.ts";
import { startThread } from "./thread.ts";
import { createWriteQueue } from "./write-queue.ts";

type StorageState = { readonly failing: string | null; readonly notices: readonly string[] };

export type Storage = {
  /** Commits the statements together; resolves when they are on stable storage. */
  write(...statements: Statement[]): Promise<void>;
  /** The same with what has gathered when its turn comes: asked for once, right before the commit. Never where it rejects at once. */
  writeGathered(gathered: () => readonly Statement[]): Promise<void>;
  /** The same for what gives room on the disk: it may use the reserve of a full one. */
  writeFreeing(...statements: Statement[]): Promise<void>;
  /** All rows as SQLite gives them; only stores call this. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** Rows as long as they hold little enough to pass between threads at once; `whole` is false when more follow. */
  readPage(statement: Statement): Promise<Page>;
  /** Runs each loader, now if the database can be read, else as soon as it can; resolves after the first try. */
  load(...loaders: readonly (() => Promise<void>)[]): Promise<void>;
  state(): StorageState;
  /** Calls back each time another file took the database's place: what else lay beside it may be gone, too. */
  whenReopened(listener: () => void): void;
  /** Commits what waits, closes the files cleanly and ends the threads. */
  close(): Promise<void>;
};

const notReadYet = "The database cannot be read yet. `kit doctor` says why.";
const noticesMax = 20;
const pageCharsMax = 2 * 1024 * 1024;
const loadRetryMs = 2_000;
/** While storage fails. */
const tryEveryMs = 1_000;

/**
 * Starts the writer and resolves when it can take writes, or when it cannot: then `state().failing` says why
 * and every write fails until it can again. Rejects with DataDirInUse or UnknownSchema: both need a person.
 */
export async function openStorage(
  dir: DataDir,
  migrations: string,
  onNotice: (notice: string) => void,
  onFailing: (reason: string | null) => void = () => undefined,
): Promise<Storage> {
  const options = { path: dir.path, migrations };
  const writer = startThread("writer", options);
  const tell = (message: ToWriter) => writer.postMessage(message);
  const reader = startReadQueue(options, () => tell({ type: "check" }));
  const pack = createPacker();
  const queue = createWriteQueue((units) => tell({ type: "commit", batch: pack(units) }));
  let failing: Failing | null = null;
  let trying: NodeJS.Timeout | undefined;
  let unread: readonly (() => Promise<void>)[] = [];
  let loading: NodeJS.Timeout | undefined;
  let reading: Promise<void> | undefined;
  let notices: string[] = [];
  const onReopened = new Set<() => void>([reader.reopen]);
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  const loadAll = async (): Promise<void> => {
    clearTimeout(loading);
    const loaders = unread;
    const tried = await Promise.allSettled(loaders.map((loader) => loader()));
    unread = unread.filter((loader) => tried[loaders.indexOf(loader)]?.status !== "fulfilled");
    if (unread.length > 0) loading = setTimeout(loadUnread, loadRetryMs).unref();
  };
  /** Again at once when storage is well again, and now and then: it may be that only reading failed. */
  const loadUnread = (): Promise<void> => {
    reading ??= loadAll().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const addNotice = (notice: string) => {
    onNotice(notice);
    notices = [...notices, notice].slice(-noticesMax);
  };
  const become = (next: Failing | null) => {
    if (next?.reason !== failing?.reason) onFailing(next?.reason ?? null);
    if (next === null && failing !== null) void loadUnread();
    failing = next;
    clearTimeout(trying);
    // Whoever has storage fail may have nothing to write: it is found out without them when it is well again.
    if (next !== null) trying = setTimeout(() => tell({ type: "try" }), tryEveryMs).unref();
  };
  /** Of a reserve that was given up for what frees space, nothing else may take any. */
  const whenRoom = (write: () => Promise<void>) =>
    failing?.isScarce ? Promise.reject(new KitError("storage_unavailable", failing.reason)) : write();
  writer.on("message", (message: FromWriter) => {
    if (message.type === "tried") become(message.failing);
    else if (message.type === "committed") {
      become(message.failing);
      queue.settle(message.outcomes, message.failing !== null);
    } else if (message.type === "notice") {
      addNotice(message.notice);
      if (message.reopened) for (const listener of onReopened) listener();
    } else if (message.type === "closed") closed.resolve();
    else if (message.type === "ready") opened.resolve();
    else if (message.inUse) opened.reject(new DataDirInUse(message.failing.reason));
    else if (message.unknown) opened.reject(new UnknownSchema(message.failing.reason));
    else {
      become(message.failing);
      opened.resolve();
    }
  });
  tell({ type: "open" });
  try {
    await opened.promise;
  } catch (error) {
    await Promise.all([writer.terminate(), reader.close()]);
    throw error;
  }

  const storage: Storage = {
    write: (...statements) => whenRoom(() => queue.write(statements)),
    writeGathered: (gathered) => whenRoom(() => queue.write(gathered)),
    writeFreeing: (...statements) => queue.write(statements),
    read: async (statement) => (await reader.read(statement, Number.POSITIVE_INFINITY)).rows,
    readPage: (statement) => reader.read(statement, pageCharsMax),
    load(...loaders) {
      unread = [...unread, ...loaders];
      return loadUnread();
    },
    state: () => ({ failing: failing?.reason ?? (unread.length > 0 ? notReadYet : null), notices }),
    whenReopened: (listener) => void onReopened.add(listener),
    async close() {
      clearTimeout(trying);
      clearTimeout(loading);
      await queue.drained();
      // The last to close writes the WAL back: that must be the writer.
      await reader.close();
      tell({ type: "close" });
      await closed.promise;
    },
  };
  return storage;
}
