// Who sent an event is nearly always known before it is stored. Where finding that out takes longer than an acknowledgement may
// wait, it is written down behind the event, and whoever needs to know who sent a report waits a little.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import type { Senders } from "./senders.ts";

/** A search takes a fraction of it, also on a busy machine. What nobody finds may not hold up what comes behind it. */
const waitMsMax = 2_000;
/** A flood that comes over a connection while its program is searched for; beyond it, an event stays without its sender. */
const openMax = 1_000;

type Late = {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  readonly found: Promise<number | null>;
  /** Resolves when the event is durable. */
  readonly stored: Promise<void>;
};

export type LateSenders = {
  /** To be called before the event is durable: who reads it then has to wait. */
  follow(late: Late): void;
  /** Resolves when the senders of all events so far are known, or are not waited for any longer. Never rejects. */
  settled(): Promise<void>;
};

export type LateSendersNeeds = Pick<Senders, "arrived"> & {
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly senderFound: (id: string, sender: number) => Statement;
  /** Events are filed under other games now; once for all that were under way together. */
  readonly onFiled: () => void;
  readonly onFailure: (error: unknown) => void;
};

export function createLateSenders({ arrived, write, senderFound, onFiled, onFailure }: LateSendersNeeds): LateSenders {
  const open = new Set<Promise<void>>();
  let isNews = false;
  const file = async ({ id, kind, eventId, found, stored }: Late) => {
    const [sender] = await Promise.all([found, stored]);
    if (sender === null) return;
    const { writes, committed } = arrived(sender, kind, eventId);
    await write(...writes, senderFound(id, sender));
    committed?.();
    isNews = true;
  };
  const ended = (filed: Promise<void>) => {
    open.delete(filed);
    if (open.size > 0 || !isNews) return;
    isNews = false;
    onFiled();
  };
  return {
    follow(late) {
      if (open.size >= openMax) return;
      const filed = file(late)
        .catch(onFailure)
        .finally(() => ended(filed));
      open.add(filed);
    },
    async settled() {
      if (open.size === 0) return;
      const waiting = new AbortController();
      const over = pause(waitMsMax, undefined, { signal: waiting.signal }).catch(() => undefined);
      await Promise.race([Promise.all(open), over]);
      waiting.abort();
    },
  };
}
