// What becomes of a recording event. Until it makes clips it records that the event reached it, and claims nothing more.
import type { Statement } from "../storage/sql.ts";

type Reached = { readonly seq: number };

export type RecordingNeeds = {
  /** Writes a state into the receipts of events. */
  readonly handedOver: (events: readonly Reached[], by: string) => Statement;
};

export type Recording = {
  readonly kind: "recording";
  /** Idempotent by event id: what it returns is committed together with its place in the journal. */
  receive(events: readonly Reached[]): Statement[];
};

export function createRecording({ handedOver }: RecordingNeeds): Recording {
  return { kind: "recording", receive: (events) => [handedOver(events, "recording")] };
}
