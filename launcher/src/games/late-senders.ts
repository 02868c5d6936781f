// Sets the sender of events that were stored before their sender was found. Nearly always the sender is found first. If the
// lookup takes longer than an acknowledgement may wait, readers that need the sender of a report wait a little.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { SenderRegistry } from "./senders.ts";

/** Maximum wait for a lookup, which takes a fraction of this even on a busy computer. A failed lookup must not delay later events. */
const waitMsMax = 2_000;
/** Maximum events that wait for a lookup. Above it, an event keeps no sender. */
const pendingMax = 1_000;

type LateEvent = {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  readonly found: Promise<number | null>;
  /** Resolves once the event is durable. */
  readonly stored: Promise<void>;
};

export type LateSenders = {
  /** Must be called before the event is durable, so that its readers wait. */
  trackLateSender(late: LateEvent): void;
  /** Resolves when the senders of all events so far are set, or after the maximum wait. Never rejects. */
  waitForSenders(): Promise<void>;
};

export type LateSendersDeps = {
  readonly senders: Pick<SenderRegistry, "recordEvent">;
  readonly storage: Pick<Storage, "write">;
  readonly senderFound: (id: string, sender: number) => Statement;
  /** Called once after all open lookups have ended, if an event may belong to another game. */
  readonly onAssigned: () => void;
  readonly onFailure: (error: unknown) => void;
};

export function createLateSenders({
  senders,
  storage,
  senderFound,
  onAssigned,
  onFailure,
}: LateSendersDeps): LateSenders {
  const pending = new Set<Promise<void>>();
  let hasChanges = false;
  const assignSender = async ({ id, kind, eventId, found, stored }: LateEvent) => {
    const [sender] = await Promise.all([found, stored]);
    if (sender === null) return;
    const { writes, committed } = senders.recordEvent(sender, kind, eventId);
    await storage.write(...writes, senderFound(id, sender));
    committed?.();
    hasChanges = true;
  };
  const finish = (task: Promise<void>) => {
    pending.delete(task);
    if (pending.size > 0 || !hasChanges) return;
    hasChanges = false;
    onAssigned();
  };
  return {
    trackLateSender(late) {
      if (pending.size >= pendingMax) return;
      const task = assignSender(late)
        .catch(onFailure)
        .finally(() => finish(task));
      pending.add(task);
    },
    async waitForSenders() {
      if (pending.size === 0) return;
      const timer = new AbortController();
      const timeout = pause(waitMsMax, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([Promise.all(pending), timeout]);
      timer.abort();
    },
  };
}
