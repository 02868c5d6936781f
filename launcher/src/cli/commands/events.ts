// `kit events`: lists the stored events, newest first. Also formats the events that `kit tail` prints.

import {
  eventsPageMax,
  type FeedItem,
  type KitEvent,
  listEvents,
  type ReceiptEntry,
  type Refusal,
} from "@kit/contract";
import { answer, command, kindFlag, pageFlags } from "../command.ts";
import { escapeInvisible, print, say, withStyle } from "../output.ts";

const textCharsMax = 100;

const clockTime = (iso: string) => new Date(iso).toLocaleTimeString("en-GB", { hour12: false });

/** Returns the event id of a trigger, or the first line of an error message. Shortens both. */
function eventTitle({ eventId, payload }: KitEvent): string {
  const text = eventId ?? payload.message?.split("\n", 1)[0] ?? "";
  return text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text;
}

function eventLine(event: KitEvent): string {
  const outcome = event.status === "ignored" ? `ignored: ${event.reason}` : event.state;
  const notes = event.notes.length > 0 ? `  (${event.notes.map(say).join("; ")})` : "";
  const cells = [
    clockTime(event.receivedAt),
    event.kind.padEnd(9),
    event.id,
    escapeInvisible(event.game ?? "unsorted"),
    escapeInvisible(eventTitle(event)),
  ];
  return `${cells.join("  ")}  ${withStyle(event.status === "ignored" ? "yellow" : "green", outcome)}${escapeInvisible(notes)}`;
}

function receiptLine(id: string, { at, state, by, reason }: ReceiptEntry): string {
  const why = reason === undefined ? "" : `: ${escapeInvisible(say(reason))}`;
  return withStyle("dim", `${clockTime(at)}  receipt    ${id}  ${state} by ${escapeInvisible(by)}${why}`);
}

function refusalLine({ at, status, method, path, detail, origin }: Refusal): string {
  const from = origin === null ? "" : ` from ${escapeInvisible(origin)}`;
  const what = method === "" ? "not an HTTP request" : `${escapeInvisible(method)} ${escapeInvisible(path)}`;
  return `${clockTime(at)}  ${withStyle("red", `refused ${status}`)}  ${what}${from}: ${escapeInvisible(say(detail))}`;
}

export function feedItemLine(item: FeedItem): string | undefined {
  switch (item.type) {
    case "event":
      return eventLine(item.event);
    case "receipt":
      return receiptLine(item.id, item.entry);
    case "refusal":
      return refusalLine(item.refusal);
    case "skipped":
      return withStyle(
        "yellow",
        `… ${item.events} events were skipped because too many arrived at once. \`kit events\` lists them.`,
      );
    default:
      return undefined;
  }
}

export const eventsCommand = command("events", "List the stored events, newest first", {
  group: "developers",
  flags: { ...pageFlags("event", eventsPageMax), kind: kindFlag() },
  async run({ client, flags }) {
    const { events, more } = await client.call(listEvents, { query: flags });
    return answer(events, () => {
      for (const event of events) print(eventLine(event));
      if (events.length === 0) print("No events yet. Send one with `kit fire recording mygame_boss_defeated`.");
      else if (more) print(`… more: kit events --before ${events.at(-1)?.id}`);
    });
  },
});
