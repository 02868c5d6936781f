// What recording intends to keep: the window of seconds, and the moments in it.
import type { ClipKind, EventKind } from "@kit/contract";

/** One event that is worth footage. */
export type Moment = {
  /** The event's own id, a UUID. */
  readonly event: string;
  /** Its place in the journal, where its receipt is kept. */
  readonly seq: number;
  readonly kind: EventKind;
  /** The id the game gave; null for an error report. */
  readonly eventId: string | null;
  /** The event in words; a chapter's name. */
  readonly label: string;
  readonly atMs: number;
};

/** A clip, screenshot or marker to be. Times are epoch milliseconds; a screenshot's and a marker's window has no length. */
export type Plan = {
  /** UUID v7. */
  readonly id: string;
  readonly kind: ClipKind;
  readonly game: string | null;
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** In the order of their times. Never empty. */
  readonly moments: readonly Moment[];
  readonly priority: number;
  /** What is already known to be other than asked for, e.g. that the seconds before are in the clip before. */
  readonly notes: readonly string[];
};
