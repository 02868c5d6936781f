// Reads, seen from the main thread: each question gets its rows or its error.
import { KitError } from "@kit/contract";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import type { Row, Statement } from "./sql.ts";
import { startThread } from "./thread.ts";

type Asked = { resolve(rows: readonly Row[]): void; reject(error: Error): void };

export type ReadQueue = {
  /** Rejects with KitError storage_unavailable. */
  read(statement: Statement): Promise<readonly Row[]>;
  /** The file was replaced: opens the new one at the next read. */
  reopen(): void;
  close(): Promise<void>;
};

/** Starts the reader's thread; it opens the file at the first read. */
export function startReadQueue(options: StorageThreadOptions): ReadQueue {
  const asked = new Map<number, Asked>();
  const thread = startThread("reader", options);
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  const tell = (message: ToReader) => thread.postMessage(message);
  let lastId = 0;
  thread.on("message", (message: FromReader) => {
    const question = asked.get(message.id);
    asked.delete(message.id);
    if (message.type === "rows") question?.resolve(JSON.parse(message.rows));
    else question?.reject(new KitError("storage_unavailable", message.reason));
  });
  return {
    read: (statement) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        asked.set(lastId, { resolve, reject });
        tell({ type: "read", id: lastId, statement });
      }),
    reopen: () => tell({ type: "reopen" }),
    async close() {
      tell({ type: "close" });
      await ended;
    },
  };
}
