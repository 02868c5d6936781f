// The database interface of the launcher: durable writes, reads that never wait for writes, the state of the storage, and a timer for
// regular upkeep.

import { KitError, type MessageOrText, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { DataDir } from "./data-dir.ts";
import { DataDirInUse, UnknownSchema } from "./failure.ts";
import type { Row, Statement } from "./sql.ts";
import { createBatchPacker, type FromWriter, type StorageFailure, type ToWriter } from "./threads/messages.ts";
import { createWriteQueue, type RowPage, startReadQueue } from "./threads/queues.ts";
import { startStorageThread } from "./threads/thread.ts";

type StorageState = { readonly failing: MessageOrText | null; readonly notices: readonly MessageOrText[] };

export type Storage = {
  /** Commits the statements together. Resolves when they are on stable storage. */
  write(...statements: Statement[]): Promise<void>;
  /** Like `write`, but calls `gathered` once, right before the commit, never during this call. Does not call it if the write is rejected immediately. */
  writeDeferred(gathered: () => readonly Statement[]): Promise<void>;
  /** Like `write`, for statements that free up space. May use the reserve of a full disk. */
  writeFreeing(...statements: Statement[]): Promise<void>;
  /** Returns all rows. Only stores call this. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** Returns rows with up to about two million characters, so that no message between threads is large. `whole`: no row is left. */
  readPage(statement: Statement): Promise<RowPage>;
  /** Runs functions that load state from the database, and repeats failed ones until they succeed. Resolves after the first attempt. */
  load(...loaders: readonly (() => Promise<void>)[]): Promise<void>;
  state(): StorageState;
  /** Whether the reading thread has ended, because nobody read for a while. Regular work waits then: a read would start the thread. */
  isResting(): boolean;
  /** Checks the whole file, because something failed that must not. If it is damaged, sets it aside. */
  verify(): void;
  /** Resolves when the database was damaged and set aside. Writes fail until the storage is closed and opened again, which repairs it. */
  readonly damaged: Promise<void>;
  /** Calls the listener after each replacement of the database file, when files beside it may be gone as well. */
  onReopened(listener: () => void): void;
  /** Commits pending writes, closes the files cleanly and ends the threads. */
  close(): Promise<void>;
};

const notReadYet = message("storage.not_readable");
const noticesMax = 20;
const pageCharsMax = 2 * 1024 * 1024;
const loadRetryMs = 2_000;
/** How often the writer retries while storage fails. */
const retryMs = 1_000;
/** Time without a read after which the reading thread ends. */
const readerRestsAfterMs = 10_000;

/**
 * Starts the storage threads. Resolves when the writer is ready, or when storage fails: then `state().failing` gives the reason,
 * and writes fail until it works again. Rejects with DataDirInUse or UnknownSchema, which need a person.
 */
export async function openStorage(
  dir: DataDir,
  migrations: string,
  onNotice: (notice: MessageOrText) => void,
  onFailing: (reason: MessageOrText | null) => void = () => undefined,
  restAfterMs = readerRestsAfterMs,
): Promise<Storage> {
  const options = { path: dir.path, migrations };
  const writer = startStorageThread("writer", options);
  const send = (message: ToWriter) => writer.postMessage(message);
  const reader = startReadQueue(options, () => storage.verify(), restAfterMs);
  const pack = createBatchPacker();
  const queue = createWriteQueue((units) => send({ type: "commit", batch: pack(units) }));
  let failing: StorageFailure | null = null;
  let retryTimer: NodeJS.Timeout | undefined;
  let pendingLoaders: readonly (() => Promise<void>)[] = [];
  let loadTimer: NodeJS.Timeout | undefined;
  let currentLoad: Promise<void> | undefined;
  let notices: MessageOrText[] = [];
  const onReopened = new Set<() => void>([reader.reopen]);
  const opened = Promise.withResolvers<void>();
  const damaged = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  const loadAll = async (): Promise<void> => {
    clearTimeout(loadTimer);
    const loaders = pendingLoaders;
    const results = await Promise.allSettled(loaders.map((loader) => loader()));
    pendingLoaders = pendingLoaders.filter((loader) => results[loaders.indexOf(loader)]?.status !== "fulfilled");
    if (pendingLoaders.length > 0) loadTimer = setTimeout(loadPending, loadRetryMs).unref();
  };
  /** Runs when writes work again, and periodically, because reads may fail while writes work. */
  const loadPending = (): Promise<void> => {
    currentLoad ??= loadAll().finally(() => {
      currentLoad = undefined;
    });
    return currentLoad;
  };
  const addNotice = (notice: MessageOrText) => {
    onNotice(notice);
    notices = [...notices, notice].slice(-noticesMax);
  };
  const setFailure = (next: StorageFailure | null) => {
    if (textOf(next?.reason ?? "") !== textOf(failing?.reason ?? "")) onFailing(next?.reason ?? null);
    if (next === null && failing !== null) void loadPending();
    failing = next;
    clearTimeout(retryTimer);
    // Retries without waiting for a write, because none may follow that would show that storage works again.
    if (next !== null) retryTimer = setTimeout(() => send({ type: "try" }), retryMs).unref();
  };
  /** Rejects ordinary writes while the released reserve is needed for writes that free up space. */
  const ifNotFull = (write: () => Promise<void>) =>
    failing?.usesReserve ? Promise.reject(new KitError("storage_unavailable", failing.reason)) : write();
  writer.on("message", (message: FromWriter) => {
    if (message.type === "tried") setFailure(message.failing);
    else if (message.type === "committed") {
      setFailure(message.failing);
      queue.settle(message.outcomes, message.failing !== null);
    } else if (message.type === "notice") {
      addNotice(message.notice);
      if (message.reopened) for (const listener of onReopened) listener();
    } else if (message.type === "setAside") damaged.resolve();
    else if (message.type === "closed") closed.resolve();
    else if (message.type === "ready") opened.resolve();
    else if (message.inUse) opened.reject(new DataDirInUse(message.failing.reason));
    else if (message.unknown) opened.reject(new UnknownSchema(message.failing.reason));
    else {
      setFailure(message.failing);
      opened.resolve();
    }
  });
  send({ type: "open" });
  try {
    await opened.promise;
  } catch (error) {
    await Promise.all([writer.terminate(), reader.close()]);
    throw error;
  }

  const storage: Storage = {
    write: (...statements) => ifNotFull(() => queue.write(statements)),
    writeDeferred: (gathered) => ifNotFull(() => queue.write(gathered)),
    writeFreeing: (...statements) => queue.write(statements),
    read: async (statement) => (await reader.read(statement, Number.POSITIVE_INFINITY)).rows,
    readPage: (statement) => reader.read(statement, pageCharsMax),
    load(...loaders) {
      pendingLoaders = [...pendingLoaders, ...loaders];
      return loadPending();
    },
    state: () => ({ failing: failing?.reason ?? (pendingLoaders.length > 0 ? notReadYet : null), notices }),
    isResting: reader.isResting,
    verify: () => send({ type: "check" }),
    damaged: damaged.promise,
    onReopened: (listener) => void onReopened.add(listener),
    async close() {
      clearTimeout(retryTimer);
      clearTimeout(loadTimer);
      await queue.drained();
      // SQLite writes the WAL back when the last connection closes, which must be the writer's.
      await reader.close();
      send({ type: "close" });
      await closed.promise;
    },
  };
  return storage;
}

const upkeepIntervalMs = 60_000;
const turnsAtRest = 60;

type UpkeepTimerDeps = {
  readonly run: () => unknown;
  readonly isResting: () => boolean;
};

/**
 * Runs regular upkeep once a minute while the database is in use, and once an hour at rest, when hardly anything is due and a read
 * would start the reading thread again. Returns a function that stops the timer.
 */
export function startUpkeepTimer({ run, isResting }: UpkeepTimerDeps): () => void {
  let skipped = 0;
  const timer = setInterval(() => {
    skipped = isResting() ? skipped + 1 : turnsAtRest;
    if (skipped < turnsAtRest) return;
    skipped = 0;
    run();
  }, upkeepIntervalMs).unref();
  return () => clearInterval(timer);
}
