// The database as the rest of the launcher sees it: durable writes, reads that never wait for them, and its state.
import { createPacker } from "./batch.ts";
import type { DataDir } from "./data-dir.ts";
import { DataDirInUse, NewerDatabase } from "./failure.ts";
import type { FromWriter, ToWriter } from "./messages.ts";
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
  /** All rows as SQLite gives them; only stores call this. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** Rows as long as they hold little enough to pass between threads at once; `whole` is false when more follow. */
  readPage(statement: Statement): Promise<Page>;
  /** Runs each loader, now if the database can be read, else as soon as it can; resolves after the first try. */
  load(...loaders: readonly (() => Promise<void>)[]): Promise<void>;
  state(): StorageState;
  /** Commits what waits, closes the files cleanly and ends the threads. */
  close(): Promise<void>;
};

const noticesMax = 20;
const pageCharsMax = 2 * 1024 * 1024;
const loadRetryMs = 2_000;

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
  const tell = (message: ToWriter) => writer.postMessage(message);
  const reader = startReadQueue(options, () => tell({ type: "check" }));
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
  tell({ type: "open" });
  try {
    await opened.promise;
  } catch (error) {
    await Promise.all([writer.terminate(), reader.close()]);
    throw error;
  }

  const storage: Storage = {
    write: (...statements) => queue.write(statements),
    writeGathered: queue.write,
    read: async (statement) => (await reader.read(statement, Number.POSITIVE_INFINITY)).rows,
    readPage: (statement) => reader.read(statement, pageCharsMax),
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
