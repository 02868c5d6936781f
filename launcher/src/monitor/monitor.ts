// What becomes of a monitor event. Until it makes issues it asks for a clip, records that the event reached it, and claims nothing more.
import type { KitEvent } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";

type Reached = { readonly seq: number };
type Entry = Reached & { readonly event: KitEvent };

/** A report that may be worth a clip; whoever is asked decides. */
type Report = {
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

export type MonitorNeeds = {
  /** Writes a state into the receipts of events. */
  readonly handedOver: (events: readonly Reached[], by: string) => Statement;
  /** Asked at once, before anything is written: the footage of the seconds before is not held for ever. */
  readonly requestClip: (report: Report) => void;
};

export type Monitor = {
  readonly kind: "monitor";
  /** Idempotent by event id: what it returns is committed together with its place in the journal. */
  receive(entries: readonly Entry[]): Statement[];
};

const reportOf = ({ seq, event: { id, game, payload, actsOn } }: Entry): Report => ({
  event: id,
  seq,
  game,
  message: payload.message ?? "",
  atMs: Date.parse(actsOn),
});

export function createMonitor({ handedOver, requestClip }: MonitorNeeds): Monitor {
  return {
    kind: "monitor",
    receive(entries) {
      for (const entry of entries) requestClip(reportOf(entry));
      return [handedOver(entries, "monitor")];
    },
  };
}
