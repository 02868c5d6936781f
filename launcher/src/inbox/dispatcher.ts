// Passes accepted events on to their slices: at least once, in order, going on after a crash where it stopped.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import { type Entry, handedOverUpTo, type InboxStore } from "./inbox-store.ts";

const batchMax = 500;
/** Between two passes: a burst is passed on in few large steps, so that taking events in comes first. */
const paceMs = 100;
const retryMsMax = 30_000;

/** What has to be written together with the slice's new place in the journal. */
type Received = {
  readonly statements: readonly Statement[];
  /** Called once they are durable. */
  committed?(): void;
};

/** A slice as the inbox sees it. Must be idempotent by event id. */
export type Consumer = {
  readonly kind: EventKind;
  /** Resolves when what is stored may be read; for those that need to know who sent it. */
  ready?(): Promise<void>;
  receive(entries: readonly Entry[]): Received | Promise<Received>;
};

export type HandOverNeeds = {
  readonly journal: Pick<InboxStore, "after" | "handedOver">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onPassed: () => void;
  readonly onFailure: (slice: EventKind, error: unknown) => void;
};

export type HandOver = {
  /** Looks for new events of a kind soon. Cheap to call for every event. */
  wake(kind: EventKind): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

type Line = { wake(): void; readonly ended: Promise<void> };

/** One slice's line: a loop of its own, so that a slice that fails holds up nobody else. */
function startLine(consumer: Consumer, needs: HandOverNeeds, stopped: AbortSignal): Line {
  let place: number | undefined;
  let awake = true;
  let failures = 0;
  let signal = Promise.withResolvers<void>();

  const passOn = async () => {
    place ??= (await needs.journal.handedOver()).get(consumer.kind) ?? 0;
    await consumer.ready?.();
    const { entries, whole } = await needs.journal.after(place, consumer.kind, batchMax);
    const last = entries.at(-1);
    if (last === undefined) return;
    if (!whole) awake = true;
    const wanted = entries.filter(({ status }) => status === "accepted");
    const received: Received = wanted.length > 0 ? await consumer.receive(wanted) : { statements: [] };
    await needs.write(...received.statements, handedOverUpTo(consumer.kind, last.seq));
    received.committed?.();
    place = last.seq;
    needs.onPassed();
  };
  const attend = async () => {
    awake = false;
    try {
      await passOn();
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
      await attend();
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

export function startHandOver(consumers: readonly Consumer[], needs: HandOverNeeds): HandOver {
  const stopping = new AbortController();
  const lines = new Map(consumers.map((consumer) => [consumer.kind, startLine(consumer, needs, stopping.signal)]));
  return {
    wake: (kind) => lines.get(kind)?.wake(),
    async stop() {
      stopping.abort();
      await Promise.all([...lines.values()].map(({ ended }) => ended));
    },
  };
}
