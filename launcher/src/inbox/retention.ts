// Keeps the journal within its share of the disk: the oldest events that were handed over go first, and are counted.
import { setTimeout as pause } from "node:timers/promises";
import type { Statement } from "../storage/sql.ts";
import { type InboxStore, removeOldest } from "./inbox-store.ts";

const bytesMax = 1024 * 1024 * 1024;
/** Once it is too much, it shrinks to this share, so that it does not have to shrink at every look. */
const shrinkTo = 0.9;
const lookEveryMs = 60_000;
const batchMax = 1_000;
/** Between two batches: taking events in comes first. */
const paceMs = 50;

export type RetentionNeeds = {
  readonly journal: Pick<InboxStore, "bytes" | "removable">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly bytesMax?: number;
};

export type Retention = {
  /** Looks at the size now and removes what is too much. */
  look(): Promise<void>;
  /** Events removed since the start. */
  removed(): number;
  stop(): void;
};

/** Looks once a minute. */
export function startRetention({ journal, write, onFailure, ...limits }: RetentionNeeds): Retention {
  const limit = limits.bytesMax ?? bytesMax;
  let removed = 0;
  const shrink = async () => {
    while ((await journal.bytes()) > limit * shrinkTo) {
      const upTo = await journal.removable(batchMax);
      if (upTo.events === 0) return;
      await write(...removeOldest(upTo.seq));
      removed += upTo.events;
      await pause(paceMs);
    }
  };
  const look = async () => {
    try {
      if ((await journal.bytes()) > limit) await shrink();
    } catch (error) {
      onFailure("retention", error);
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return { look, removed: () => removed, stop: () => clearInterval(timer) };
}
