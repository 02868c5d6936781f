// Labels for event kinds and receipt states.
import type { EventKind, IgnoreReason, ReceiptState } from "@kit/contract";
import { t } from "../language/language.ts";

export function eventKindLabel(kind: EventKind): string {
  const words: Record<EventKind, string> = { recording: t("Recording"), monitor: t("Error"), social: t("Social") };
  return words[kind];
}

/** The colour of a badge: neutral, in progress, success, error, inactive or warning. */
export type BadgeTone = "plain" | "moving" | "good" | "bad" | "quiet" | "warn";

export function ignoreReasonText(reason: IgnoreReason): string {
  const words: Record<IgnoreReason, string> = {
    service_off: t("This event type is switched off for all games."),
    game_off: t("This event type is switched off for this game."),
    event_off: t("This event is switched off."),
  };
  return words[reason];
}

/** Returns label and colour of a state. A state that only a newer launcher knows is shown by its code. */
export function receiptStateLabel(state: ReceiptState): { readonly says: string; readonly tone: BadgeTone } {
  const words: Record<ReceiptState, { says: string; tone: BadgeTone }> = {
    accepted: { says: t("Accepted"), tone: "plain" },
    ignored: { says: t("Ignored"), tone: "quiet" },
    "handed-over": { says: t("Dispatched"), tone: "plain" },
    recording: { says: t("Recording"), tone: "moving" },
    saved: { says: t("Saved"), tone: "good" },
    marked: { says: t("Marker saved"), tone: "plain" },
    grouped: { says: t("Grouped"), tone: "good" },
    drafted: { says: t("Draft created"), tone: "moving" },
    approved: { says: t("Approved"), tone: "moving" },
    sent: { says: t("Sent"), tone: "good" },
    failed: { says: t("Failed"), tone: "bad" },
  };
  return words[state] ?? { says: state, tone: "plain" };
}
