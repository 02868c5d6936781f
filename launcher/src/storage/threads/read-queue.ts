// Sends queries to the reader thread and returns their rows. The thread ends when nobody reads, because it takes 9 MB at rest.

import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Row, Statement } from "../sql.ts";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import { startStorageThread } from "./thread.ts";

export type RowPage = { readonly rows: readonly Row[]; readonly whole: boolean };

type PendingRead = { resolve(page: RowPage): void; reject(error: Error): void };

export type ReadQueue = {
  /** Returns rows up to `charsMax` characters of text. Rejects with KitError storage_unavailable. */
  read(statement: Statement, charsMax: number): Promise<RowPage>;
  /** Opens the file again at the next read, after it was replaced. */
  reopen(): void;
  /** Whether the thread has ended. The next read starts it, which takes some 50 ms. */
  isResting(): boolean;
  /** Resolves when all reads are answered and the thread has ended. */
  close(): Promise<void>;
};

/** Starts the reader thread, which opens the file at the first read. `onDamage` is called if the file is damaged. */
export function startReadQueue(options: StorageThreadOptions, onDamage: () => void, restAfterMs: number): ReadQueue {
  const pending = new Map<number, PendingRead>();
  let lastId = 0;
  let isClosed = false;
  /** Resolves when every thread that was told to end has ended. */
  let ended: Promise<unknown> = Promise.resolve();

  const onMessage = (answer: FromReader) => {
    const query = pending.get(answer.id);
    pending.delete(answer.id);
    restTimer.refresh();
    if (answer.type === "rows") query?.resolve({ rows: JSON.parse(answer.rows), whole: answer.whole });
    else {
      if (answer.damaged) onDamage();
      query?.reject(new KitError("storage_unavailable", answer.reason));
    }
  };
  const start = () => startStorageThread("reader", options).on("message", onMessage);
  const send = (to: Worker, message: ToReader) => to.postMessage(message);
  let thread: Worker | undefined = start();

  /** The thread still answers what it was asked, then ends. The next read starts another thread. */
  const end = () => {
    if (thread === undefined) return;
    ended = Promise.all([ended, once(thread, "exit")]);
    send(thread, { type: "close" });
    thread = undefined;
  };
  const restTimer = setTimeout(() => {
    if (pending.size === 0) end();
  }, restAfterMs).unref();

  return {
    read: (statement, charsMax) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new KitError("storage_unavailable", message("storage.closed")));
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        thread ??= start();
        send(thread, { type: "read", id: lastId, statement, charsMax });
      }),
    reopen: () => thread && send(thread, { type: "reopen" }),
    isResting: () => thread === undefined,
    async close() {
      isClosed = true;
      clearTimeout(restTimer);
      end();
      await ended;
    },
  };
}
