// Sends queries to the reader thread, and queues writes for the writer thread. The reader thread ends when nobody reads, because it
// takes 9 MB at rest. While one batch of writes is committed, the next one gathers (group commit).

import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { KitError, type MessageOrText, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Row, Statement } from "../sql.ts";
import type { FromReader, StorageThreadOptions, ToReader, WriteUnit } from "./messages.ts";
import { startStorageThread } from "./thread.ts";

export type RowPage = { readonly rows: readonly Row[]; readonly whole: boolean };

type PendingRead = { resolve(page: RowPage): void; reject(error: Error): void };

type ReadQueue = {
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

/** Maximum units per transaction. With more, the first ones would wait too long. */
const batchUnitsMax = 1_024;
/** Maximum pending units. Further writes are rejected. */
const queueUnitsMax = 20_000;
/** Maximum characters in pending units. */
const queueCharsMax = 64 * 1024 * 1024;

/** A unit, or a function that creates it right before it is sent. */
type UnitSource = WriteUnit | (() => WriteUnit);
type PendingWrite = { unit: UnitSource; chars: number; resolve(): void; reject(error: unknown): void };

function countChars(unit: UnitSource): number {
  let chars = 0;
  if (typeof unit === "function") return chars;
  for (const { values } of unit) for (const value of values) if (typeof value === "string") chars += value.length;
  return chars;
}

type WriteQueue = {
  /**
   * Resolves when the unit is durable. Rejects with KitError storage_unavailable or too_many_requests; if `unit` is a function, it
   * may not have been called then.
   */
  write(unit: UnitSource): Promise<void>;
  /** Must be called with the outcomes of the batch that was sent. */
  settle(outcomes: readonly (MessageOrText | null)[], failing: boolean): void;
  /** Resolves when no write is pending. */
  drained(): Promise<void>;
};

/** Creates the queue. After `send`, the next batch waits until `settle`. */
export function createWriteQueue(send: (units: readonly WriteUnit[]) => void): WriteQueue {
  let waiting: PendingWrite[] = [];
  let sent: PendingWrite[] | undefined;
  let waitingChars = 0;
  let scheduled = false;
  let onDrained: (() => void)[] = [];

  const sendNext = () => {
    scheduled = false;
    if (sent !== undefined) return;
    if (waiting.length === 0) {
      for (const resolve of onDrained) resolve();
      onDrained = [];
      return;
    }
    sent = waiting.length <= batchUnitsMax ? waiting : waiting.slice(0, batchUnitsMax);
    waiting = waiting.length <= batchUnitsMax ? [] : waiting.slice(batchUnitsMax);
    for (const { chars } of sent) waitingChars -= chars;
    send(sent.map(({ unit }) => (typeof unit === "function" ? unit() : unit)));
  };
  const schedule = () => {
    if (scheduled || sent !== undefined) return;
    scheduled = true;
    // Waits for the end of this event loop turn, so that writes that arrive together are committed together.
    setImmediate(sendNext);
  };
  const settleWrites = (
    batch: readonly PendingWrite[],
    outcomes: readonly (MessageOrText | null)[],
    failing: boolean,
  ) => {
    for (const [index, entry] of batch.entries()) {
      const fault = outcomes[index];
      if (fault == null) entry.resolve();
      else entry.reject(failing ? new KitError("storage_unavailable", fault) : new Error(textOf(fault)));
    }
  };

  return {
    write(unit) {
      const chars = countChars(unit);
      if (waiting.length >= queueUnitsMax || waitingChars + chars > queueCharsMax) {
        return Promise.reject(new KitError("too_many_requests", message("storage.too_many_writes")));
      }
      return new Promise((resolve, reject) => {
        waitingChars += chars;
        waiting.push({ unit, chars, resolve, reject });
        schedule();
      });
    },
    settle(outcomes, failing) {
      const settled = sent ?? [];
      sent = undefined;
      // Sends the next batch before resolving, so that the writer works while callers continue.
      schedule();
      settleWrites(settled, outcomes, failing);
    },
    drained() {
      if (sent === undefined && waiting.length === 0) return Promise.resolve();
      return new Promise((resolve) => {
        onDrained.push(resolve);
        schedule();
      });
    },
  };
}
