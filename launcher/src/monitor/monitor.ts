// What becomes of a monitor event. Until it makes issues it records that the event reached it, and claims nothing more.
import type { Statement } from "../storage/sql.ts";

type Reached = { readonly seq: number };

export type MonitorNeeds = {
  /** Writes a state into the receipts of events. */
  readonly handedOver: (events: readonly Reached[], by: string) => Statement;
};

export type Monitor = {
  readonly kind: "monitor";
  /** Idempotent by event id: what it returns is committed together with its place in the journal. */
  receive(events: readonly Reached[]): Statement[];
};

export function createMonitor({ handedOver }: MonitorNeeds): Monitor {
  return { kind: "monitor", receive: (events) => [handedOver(events, "monitor")] };
}
