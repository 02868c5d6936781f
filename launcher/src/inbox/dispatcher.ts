// Hands accepted events to their slices, in order and at least once. After a crash it continues from its cursor.
import { detailOf, type EventKind, type Message, type MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Follower, startFollower } from "../async.ts";
import { isStorageFailure } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { type InboxStore, type JournalEntry, saveSliceCursor } from "./inbox-store.ts";

const batchMax = 500;
/** Pause between two batches, so that a burst becomes a few large batches and ingest has priority. */
const paceMs = 100;

/** A slice's statements, committed together with its new cursor. */
type ReceiveResult = {
  readonly statements: readonly Statement[];
  /** Called once the statements are durable. */
  committed?(): void;
};

/** A slice that receives events. It must be idempotent by event id. */
export type EventConsumer = {
  readonly kind: EventKind;
  /**
   * Resolves when the slice may read stored events. A slice that needs to know their senders waits here until these were
   * looked up.
   */
  ready?(): Promise<void>;
  receive(entries: readonly JournalEntry[]): ReceiveResult | Promise<ReceiveResult>;
};

export type DispatcherDeps = {
  readonly journal: Pick<InboxStore, "listAfter" | "loadCursors">;
  readonly storage: Pick<Storage, "write" | "verify">;
  readonly onDispatched: () => void;
  readonly onFailure: (slice: EventKind, error: unknown) => void;
};

export type Dispatcher = {
  /** Makes the slice look for new events soon. Cheap enough to call for every event. */
  wake(kind: EventKind): void;
  /** Says which events wait because their slice fails, and why. */
  failing(): readonly Message[];
  /** Resolves once running batches have ended. */
  stop(): Promise<void>;
};

const waitingOf = {
  recording: (problem: MessageOrText) => message("inbox.moments_wait", { problem }),
  monitor: (problem: MessageOrText) => message("inbox.reports_wait", { problem }),
  social: (problem: MessageOrText) => message("inbox.shares_wait", { problem }),
} as const satisfies Record<EventKind, (problem: MessageOrText) => Message>;

/** Each slice has its own follower, so a slice that fails does not delay the others. */
function followJournal(consumer: EventConsumer, needs: DispatcherDeps): Follower & { failing(): Message | undefined } {
  const { journal, storage, onDispatched } = needs;
  let cursor: number | undefined;
  let failing: Message | undefined;

  const processBatch = async () => {
    cursor ??= (await journal.loadCursors()).get(consumer.kind) ?? 0;
    await consumer.ready?.();
    const { entries, isComplete } = await journal.listAfter(cursor, consumer.kind, batchMax);
    const last = entries.at(-1);
    if (last === undefined) return false;
    const wanted = entries.filter(({ status }) => status === "accepted");
    const received: ReceiveResult = wanted.length > 0 ? await consumer.receive(wanted) : { statements: [] };
    await storage.write(...received.statements, saveSliceCursor(consumer.kind, last.seq));
    received.committed?.();
    cursor = last.seq;
    failing = undefined;
    onDispatched();
    return !isComplete;
  };
  const onFailure = (error: unknown) => {
    needs.onFailure(consumer.kind, error);
    if (isStorageFailure(error)) return;
    // A damaged index refuses every batch, as a wrong statement would.
    if (failing === undefined) storage.verify();
    failing = waitingOf[consumer.kind](detailOf(error));
  };
  return { ...startFollower({ processBatch, paceMs, onFailure }), failing: () => failing };
}

export function startDispatcher(consumers: readonly EventConsumer[], needs: DispatcherDeps): Dispatcher {
  const followers = new Map(consumers.map((consumer) => [consumer.kind, followJournal(consumer, needs)]));
  return {
    wake: (kind) => followers.get(kind)?.wake(),
    failing: () => [...followers.values()].flatMap(({ failing }) => failing() ?? []),
    async stop() {
      await Promise.all([...followers.values()].map((follower) => follower.stop()));
    },
  };
}
