// Passes accepted events on to their slices: at least once, in order, going on after a crash where it stopped.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import { type Entry, handedOverUpTo, type InboxStore } from "./inbox-store.ts";

const batchMax = 500;
/** Between two passes: a burst is passed on in few large steps, so that taking events in comes first. */
const paceMs = 100;
const retryMsMax = 30_000;

/** A slice as the inbox sees it. Must be idempotent by event id. */
export type Consumer = {
  readonly kind: EventKind;
  /** Returns what has to be written together with the slice's new place in the journal. */
  receive(entries: readonly Entry[]): Statement[] | Promise<Statement[]>;
};

export type HandOverNeeds = {
  readonly journal: Pick<InboxStore, "after" | "handedOver">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onHandedOver: () => void;
  readonly onFailure: (slice: EventKind, error: unknown) => void;
};

export type HandOver = {
  /** Looks for new events of a kind soon. Cheap to call for every event. */
  wake(kind: EventKind): void;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

type Line = { readonly consumer: Consumer; seq: number; awake: boolean; failures: number };

export function startHandOver(consumers: readonly Consumer[], needs: HandOverNeeds): HandOver {
  const lines: Line[] = consumers.map((consumer) => ({ consumer, seq: 0, awake: true, failures: 0 }));
  const stopped = new AbortController();
  let signal = Promise.withResolvers<void>();

  const passOn = async (line: Line) => {
    line.awake = false;
    const entries = await needs.journal.after(line.seq, line.consumer.kind, batchMax);
    const last = entries.at(-1);
    if (last === undefined) return;
    if (entries.length === batchMax) line.awake = true;
    const wanted = entries.filter(({ event }) => event.status === "accepted");
    const writes = wanted.length > 0 ? await line.consumer.receive(wanted) : [];
    await needs.write(...writes, handedOverUpTo(line.consumer.kind, last.seq));
    line.seq = last.seq;
    line.failures = 0;
    needs.onHandedOver();
  };
  const pauseFor = (ms: number) => pause(ms, undefined, { signal: stopped.signal }).catch(() => undefined);
  const attend = async (line: Line) => {
    try {
      await passOn(line);
    } catch (error) {
      line.awake = true;
      line.failures += 1;
      needs.onFailure(line.consumer.kind, error);
    }
  };
  const pass = async () => {
    for (const line of lines) if (line.awake) await attend(line);
  };
  const readPlaces = async () => {
    const places = await needs.journal.handedOver();
    for (const line of lines) line.seq = places.get(line.consumer.kind) ?? 0;
  };
  const run = async () => {
    let known = false;
    while (!stopped.signal.aborted) {
      if (!known)
        known = await readPlaces().then(
          () => true,
          () => false,
        );
      if (known) await pass();
      const failures = Math.max(known ? 0 : 1, ...lines.map((line) => line.failures));
      await pauseFor(failures > 0 ? Math.min(retryMsMax, paceMs * 2 ** failures) : paceMs);
      if (!lines.some((line) => line.awake)) await signal.promise;
      signal = Promise.withResolvers();
    }
  };
  const running = run();

  return {
    wake(kind) {
      for (const line of lines) if (line.consumer.kind === kind) line.awake = true;
      signal.resolve();
    },
    async stop() {
      stopped.abort();
      signal.resolve();
      await running;
    },
  };
}
