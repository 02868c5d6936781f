// A moment, and the plan of the clip, screenshot or marker that it becomes.
import type { ClipKind, EventKind } from "@kit/contract";

/** An event on the timeline of the footage. */
export type Moment = {
  /** Id of the event, a UUID. */
  readonly event: string;
  /** Position of the event in the journal. Receipts refer to it. */
  readonly seq: number;
  readonly kind: EventKind;
  /** Event id given by the game; null for an error report. */
  readonly eventId: string | null;
  /** Label of the event, used as a chapter name. */
  readonly label: string;
  readonly atMs: number;
};

/** Times are epoch milliseconds. The range of a screenshot or marker has no length. */
export type ClipPlan = {
  /** UUID v7. */
  readonly id: string;
  readonly kind: ClipKind;
  readonly game: string | null;
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** In chronological order. Empty only for a test recording. */
  readonly moments: readonly Moment[];
  readonly priority: number;
  /** Known differences from the rule, for example that earlier seconds are in the previous clip. */
  readonly notes: readonly string[];
};
