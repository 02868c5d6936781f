// Sends queries to the reader thread and returns their rows.
import { KitError } from "@kit/contract";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import type { Row, Statement } from "./sql.ts";
import { startThread } from "./thread.ts";

export type Page = { readonly rows: readonly Row[]; readonly whole: boolean };

type PendingRead = { resolve(page: Page): void; reject(error: Error): void };

export type ReadQueue = {
  /** Returns rows up to `charsMax` characters of text. Rejects with KitError storage_unavailable. */
  read(statement: Statement, charsMax: number): Promise<Page>;
  /** Opens the file again at the next read, after it was replaced. */
  reopen(): void;
  close(): Promise<void>;
};

/** Starts the reader thread, which opens the file at the first read. `onDamage` is called if the file is damaged. */
export function startReadQueue(options: StorageThreadOptions, onDamage: () => void): ReadQueue {
  const pending = new Map<number, PendingRead>();
  const thread = startThread("reader", options);
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  const send = (message: ToReader) => thread.postMessage(message);
  let lastId = 0;
  thread.on("message", (message: FromReader) => {
    const query = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === "rows") query?.resolve({ rows: JSON.parse(message.rows), whole: message.whole });
    else {
      if (message.damaged) onDamage();
      query?.reject(new KitError("storage_unavailable", message.reason));
    }
  });
  return {
    read: (statement, charsMax) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        send({ type: "read", id: lastId, statement, charsMax });
      }),
    reopen: () => send({ type: "reopen" }),
    async close() {
      send({ type: "close" });
      await ended;
    },
  };
}
