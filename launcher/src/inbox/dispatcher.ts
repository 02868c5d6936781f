// Hands accepted events to their slices, in order and at least once. After a crash it continues from its cursor.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import { type InboxStore, type JournalEntry, saveCursor } from "./inbox-store.ts";

const batchMax = 500;
/** Pause between two batches, so that a burst becomes a few large batches and ingest has priority. */
const paceMs = 100;
const retryMsMax = 30_000;

/** A slice's statements, committed together with its new cursor. */
type ReceiveResult = {
  readonly statements: readonly Statement[];
  /** Called once the statements are durable. */
  committed?(): void;
};

/** A slice that receives events. It must be idempotent by event id. */
export type Consumer = {
  readonly kind: EventKind;
  /** Resolves when stored events may be read; for slices that need to know the sender. */
  ready?(): Promise<void>;
  receive(entries: readonly JournalEntry[]): ReceiveResult | Promise<ReceiveResult>;
};

export type DispatcherDeps = {
  readonly journal: Pick<InboxStore, "listAfter" | "loadCursors">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onDispatched: () => void;
  readonly onFailure: (slice: EventKind, error: unknown) => void;
};

export type Dispatcher = {
  /** Makes the slice look for new events soon. Cheap enough to call for every event. */
  wake(kind: EventKind): void;
  /** Resolves once running batches have ended. */
  stop(): Promise<void>;
};

type SliceLoop = { wake(): void; readonly ended: Promise<void> };

/** Each slice has its own loop, so a slice that fails does not delay the others. */
function startLoop(consumer: Consumer, needs: DispatcherDeps, stopped: AbortSignal): SliceLoop {
  let cursor: number | undefined;
  let awake = true;
  let failures = 0;
  let signal = Promise.withResolvers<void>();

  const dispatchBatch = async () => {
    cursor ??= (await needs.journal.loadCursors()).get(consumer.kind) ?? 0;
    await consumer.ready?.();
    const { entries, isComplete } = await needs.journal.listAfter(cursor, consumer.kind, batchMax);
    const last = entries.at(-1);
    if (last === undefined) return;
    if (!isComplete) awake = true;
    const wanted = entries.filter(({ status }) => status === "accepted");
    const received: ReceiveResult = wanted.length > 0 ? await consumer.receive(wanted) : { statements: [] };
    await needs.write(...received.statements, saveCursor(consumer.kind, last.seq));
    received.committed?.();
    cursor = last.seq;
    needs.onDispatched();
  };
  const tryBatch = async () => {
    awake = false;
    try {
      await dispatchBatch();
      failures = 0;
    } catch (error) {
      awake = true;
      failures += 1;
      needs.onFailure(consumer.kind, error);
    }
  };
  const pauseFor = (ms: number) => pause(ms, undefined, { signal: stopped }).catch(() => undefined);
  const run = async () => {
    while (!stopped.aborted) {
      await tryBatch();
      await pauseFor(failures > 0 ? Math.min(retryMsMax, paceMs * 2 ** failures) : paceMs);
      if (!awake && !stopped.aborted) await signal.promise;
      signal = Promise.withResolvers();
    }
  };
  const wake = () => {
    awake = true;
    signal.resolve();
  };
  stopped.addEventListener("abort", wake, { once: true });
  return { wake, ended: run() };
}

export function startDispatcher(consumers: readonly Consumer[], needs: DispatcherDeps): Dispatcher {
  const stopping = new AbortController();
  const loops = new Map(consumers.map((consumer) => [consumer.kind, startLoop(consumer, needs, stopping.signal)]));
  return {
    wake: (kind) => loops.get(kind)?.wake(),
    async stop() {
      stopping.abort();
      await Promise.all([...loops.values()].map(({ ended }) => ended));
    },
  };
}
