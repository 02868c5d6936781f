// Events, receipts and refusals as lines for people.
import type { FeedItem, KitEvent, ReceiptEntry, Refusal } from "@kit/contract";
import { styled } from "./output.ts";
import { visible } from "./visible.ts";

const textCharsMax = 100;

const timeOf = (iso: string) => new Date(iso).toLocaleTimeString("en-GB", { hour12: false });

/** The id of a trigger, or the first line of a message. */
function titleOf({ eventId, payload }: KitEvent): string {
  const text = eventId ?? payload.message?.split("\n", 1)[0] ?? "";
  return text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text;
}

export function eventLine(event: KitEvent): string {
  const outcome = event.status === "ignored" ? `ignored: ${event.reason}` : event.state;
  const notes = event.notes.length > 0 ? `  (${event.notes.join("; ")})` : "";
  const cells = [
    timeOf(event.receivedAt),
    event.kind.padEnd(9),
    event.id,
    visible(event.game ?? "unsorted"),
    visible(titleOf(event)),
  ];
  return `${cells.join("  ")}  ${styled(event.status === "ignored" ? "yellow" : "green", outcome)}${visible(notes)}`;
}

function receiptLine(id: string, { at, state, by, reason }: ReceiptEntry): string {
  const why = reason === undefined ? "" : `: ${visible(reason)}`;
  return styled("dim", `${timeOf(at)}  receipt    ${id}  ${state} by ${visible(by)}${why}`);
}

function refusalLine({ at, status, method, path, detail, origin }: Refusal): string {
  const from = origin === null ? "" : ` from ${visible(origin)}`;
  const what = method === "" ? "bytes that are no HTTP request" : `${visible(method)} ${visible(path)}`;
  return `${timeOf(at)}  ${styled("red", `refused ${status}`)}  ${what}${from}: ${visible(detail)}`;
}

export function feedLine(item: FeedItem): string | undefined {
  switch (item.type) {
    case "event":
      return eventLine(item.event);
    case "receipt":
      return receiptLine(item.id, item.entry);
    case "refusal":
      return refusalLine(item.refusal);
    case "skipped":
      return styled(
        "yellow",
        `… ${item.events} events are not shown: more arrived than can be followed. \`kit events\` lists them.`,
      );
    default:
      return undefined;
  }
}
