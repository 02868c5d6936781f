// Reads, seen from the main thread: each question gets its rows or its error.
import { KitError } from "@kit/contract";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import type { Row, Statement } from "./sql.ts";
import { startThread } from "./thread.ts";

export type Page = { readonly rows: readonly Row[]; readonly whole: boolean };

type Asked = { resolve(page: Page): void; reject(error: Error): void };

export type ReadQueue = {
  /** Rows until they hold `charsMax` characters of text. Rejects with KitError storage_unavailable. */
  read(statement: Statement, charsMax: number): Promise<Page>;
  /** The file was replaced: opens the new one at the next read. */
  reopen(): void;
  close(): Promise<void>;
};

/** Starts the reader's thread; it opens the file at the first read. `onDamage`: the file did not read as a database. */
export function startReadQueue(options: StorageThreadOptions, onDamage: () => void): ReadQueue {
  const asked = new Map<number, Asked>();
  const thread = startThread("reader", options);
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  const tell = (message: ToReader) => thread.postMessage(message);
  let lastId = 0;
  thread.on("message", (message: FromReader) => {
    const question = asked.get(message.id);
    asked.delete(message.id);
    if (message.type === "rows") question?.resolve({ rows: JSON.parse(message.rows), whole: message.whole });
    else {
      if (message.damaged) onDamage();
      question?.reject(new KitError("storage_unavailable", message.reason));
    }
  });
  return {
    read: (statement, charsMax) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        asked.set(lastId, { resolve, reject });
        tell({ type: "read", id: lastId, statement, charsMax });
      }),
    reopen: () => tell({ type: "reopen" }),
    async close() {
      tell({ type: "close" });
      await ended;
    },
  };
}
