// The database as the rest of the launcher sees it: durable writes, reads that never wait for them, and its state.
import { Worker } from "node:worker_threads";
import { KitError } from "@kit/contract";
import { createPacker } from "./batch.ts";
import type { DataDir } from "./data-dir.ts";
import { DataDirInUse } from "./lock.ts";
import type { FromReader, FromWriter, StorageThreadOptions, ToReader, ToWriter } from "./messages.ts";
import { NewerDatabase } from "./migrate.ts";
import type { Row, Statement } from "./sql.ts";
import { createWriteQueue } from "./write-queue.ts";

export type StorageState = { readonly failing: string | null; readonly notices: readonly string[] };

export type Storage = {
  /** Commits the statements together; resolves when they are on stable storage. */
  write(...statements: Statement[]): Promise<void>;
  /** Rows as SQLite gives them; only stores call this. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** Runs each loader, now if the database can be read, else as soon as it can; resolves after the first try. */
  load(...loaders: readonly (() => Promise<void>)[]): Promise<void>;
  state(): StorageState;
  /** Commits what waits, closes the files cleanly and ends the threads. */
  close(): Promise<void>;
};

const noticesMax = 20;
const loadRetryMs = 2_000;

/** A thread's file lies beside this one, as source or built. */
function startThread(name: "writer" | "reader", options: StorageThreadOptions): Worker {
  const file = `./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  return new Worker(new URL(file, import.meta.url), {
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
}

function createReader(options: StorageThreadOptions) {
  const waiting = new Map<number, { resolve(rows: readonly Row[]): void; reject(error: Error): void }>();
  let thread: Worker | undefined;
  let lastId = 0;
  const start = () => {
    const started = startThread("reader", options);
    started.on("message", (message: FromReader) => {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.type === "rows") asked?.resolve(JSON.parse(message.rows));
      else asked?.reject(new KitError("storage_unavailable", message.reason));
    });
    return started;
  };
  const tell = (message: ToReader) => thread?.postMessage(message);
  return {
    read: (statement: Statement) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        // Started by the first read: a launcher that only receives does not pay for it.
        thread ??= start();
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        tell({ type: "read", id: lastId, statement });
      }),
    reopen: () => tell({ type: "reopen" }),
    close: async () => {
      if (thread === undefined) return;
      const ended = new Promise((resolve) => thread?.once("exit", resolve));
      tell({ type: "close" });
      await ended;
    },
  };
}

/**
 * Starts the writer and resolves when it can take writes, or when it cannot: then `state().failing` says why
 * and every write fails until it can again. Rejects with DataDirInUse or NewerDatabase: both need a person.
 */
export async function openStorage(
  dir: DataDir,
  migrations: string,
  onNotice: (notice: string) => void,
): Promise<Storage> {
  const options = { path: dir.path, migrations };
  const writer = startThread("writer", options);
  const reader = createReader(options);
  const tell = (message: ToWriter) => writer.postMessage(message);
  const pack = createPacker();
  const queue = createWriteQueue((units) => tell({ type: "commit", batch: pack(units) }));
  let failing: string | null = null;
  let notices: string[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();

  const addNotice = (notice: string) => {
    onNotice(notice);
    notices = [...notices, notice].slice(-noticesMax);
  };
  writer.on("message", (message: FromWriter) => {
    if (message.type === "committed") {
      failing = message.failing;
      queue.settle(message.outcomes, message.failing !== null);
    } else if (message.type === "notice") {
      addNotice(message.notice);
      if (message.reopened) reader.reopen();
    } else if (message.type === "closed") closed.resolve();
    else if (message.type === "ready") opened.resolve();
    else if (message.inUse) opened.reject(new DataDirInUse(message.reason));
    else if (message.newer) opened.reject(new NewerDatabase(message.reason));
    else {
      failing = message.reason;
      opened.resolve();
    }
  });
  writer.on("error", (error) => {
    // A thread that dies is a bug; events that were not acknowledged are the caller's again.
    opened.reject(error);
    throw error;
  });
  try {
    await opened.promise;
  } catch (error) {
    await writer.terminate();
    throw error;
  }

  const storage: Storage = {
    write: (...statements) => queue.write(statements),
    read: reader.read,
    async load(...loaders) {
      const tried = await Promise.allSettled(loaders.map((loader) => loader()));
      const left = loaders.filter((_, index) => tried[index]?.status === "rejected");
      if (left.length > 0) setTimeout(() => storage.load(...left), loadRetryMs).unref();
    },
    state: () => ({ failing, notices }),
    async close() {
      await queue.drained();
      // The last to close writes the WAL back: that must be the writer.
      await reader.close();
      tell({ type: "close" });
      await closed.promise;
    },
  };
  return storage;
}
