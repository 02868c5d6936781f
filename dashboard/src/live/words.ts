// The page's words for what the wire says in codes.
import type { EventKind, IgnoreReason, ReceiptState } from "@kit/contract";

export const kindWords: Record<EventKind, string> = {
  recording: "Recording",
  monitor: "Error",
  social: "Social",
};

/** How a state is to be taken: going on, reached, failed, left alone, of note. */
export type Tone = "plain" | "moving" | "good" | "bad" | "quiet" | "warn";

const stateWords: Record<ReceiptState, { says: string; tone: Tone }> = {
  accepted: { says: "Accepted", tone: "plain" },
  ignored: { says: "Ignored", tone: "quiet" },
  "handed-over": { says: "Handed over", tone: "plain" },
  recording: { says: "Recording", tone: "moving" },
  saved: { says: "Saved", tone: "good" },
  marked: { says: "Marked", tone: "plain" },
  grouped: { says: "Grouped", tone: "good" },
  drafted: { says: "Drafted", tone: "moving" },
  approved: { says: "Approved", tone: "moving" },
  sent: { says: "Sent", tone: "good" },
  failed: { says: "Failed", tone: "bad" },
};

export const ignoreWords: Record<IgnoreReason, string> = {
  service_off: "This service is switched off for every game.",
  game_off: "This service is switched off for this game.",
  event_off: "This event is switched off.",
};

/** A state of a newer launcher has no word here; its own name will do. */
export const stateWord = (state: ReceiptState) => stateWords[state] ?? { says: state, tone: "plain" };
