// The page's words for what the wire says in codes.
import type { EventKind, IgnoreReason, ReceiptState } from "@kit/contract";
import { t } from "../language/language.ts";

export function kindWord(kind: EventKind): string {
  const words: Record<EventKind, string> = { recording: t("Recording"), monitor: t("Error"), social: t("Social") };
  return words[kind];
}

/** How a state is to be taken: going on, reached, failed, left alone, of note. */
export type Tone = "plain" | "moving" | "good" | "bad" | "quiet" | "warn";

export function ignoreWord(reason: IgnoreReason): string {
  const words: Record<IgnoreReason, string> = {
    service_off: t("This service is switched off for every game."),
    game_off: t("This service is switched off for this game."),
    event_off: t("This event is switched off."),
  };
  return words[reason];
}

/** A state of a newer launcher has no word here; its own name will do. */
export function stateWord(state: ReceiptState): { readonly says: string; readonly tone: Tone } {
  const words: Record<ReceiptState, { says: string; tone: Tone }> = {
    accepted: { says: t("Accepted"), tone: "plain" },
    ignored: { says: t("Ignored"), tone: "quiet" },
    "handed-over": { says: t("Handed over"), tone: "plain" },
    recording: { says: t("Recording"), tone: "moving" },
    saved: { says: t("Saved"), tone: "good" },
    marked: { says: t("Marked"), tone: "plain" },
    grouped: { says: t("Grouped"), tone: "good" },
    drafted: { says: t("Drafted"), tone: "moving" },
    approved: { says: t("Approved"), tone: "moving" },
    sent: { says: t("Sent"), tone: "good" },
    failed: { says: t("Failed"), tone: "bad" },
  };
  return words[state] ?? { says: state, tone: "plain" };
}
