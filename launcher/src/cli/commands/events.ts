// `kit show` prints an event with its receipt, and `kit tail` follows the live feed and reconnects when the launcher restarts.

import { setTimeout as pause } from "node:timers/promises";
import {
  type EventFilter,
  type EventKind,
  type FeedItem,
  getReceipt,
  ingestOperations,
  type KitEvent,
  listEvents,
  type Receipt,
  type ReceiptEntry,
  type Refusal,
  streamFeed,
} from "@kit/contract";
import { Option } from "commander";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Config } from "../../config.ts";
import { answer, command, Flag, integerParser, parameter, parsedFlag, textFlag, withDefault } from "../command.ts";
import { connectToLauncher } from "../connection.ts";
import {
  createFieldPrinter,
  escapeInvisible,
  kit,
  print,
  printError,
  printJsonLine,
  say,
  withStyle,
} from "../output.ts";

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

function feedItemLine(item: FeedItem): string | undefined {
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
        `… ${item.events} events were skipped because too many arrived at once. \`${kit("api listEvents")}\` lists them.`,
      );
    default:
      return undefined;
  }
}

const retryMsMax = 5_000;

export const tailCommand = command("tail", "Follow events, receipts and refused requests as they arrive", {
  flags: {
    last: withDefault(parsedFlag("--last <n>", "show this many stored events first", integerParser(0, 500)), 10),
    game: textFlag("--game <game>", "only this game; `unsorted` for events without a game"),
    kind: new Flag<EventKind | undefined>(
      new Option("--kind <kind>", "only this kind of event").choices(Object.keys(ingestOperations)),
    ),
  },
  async run({ client, config, json, flags: { last, ...filter } }): Promise<never> {
    const show = (item: FeedItem) => {
      if (json) return printJsonLine(item);
      const line = feedItemLine(item);
      if (line !== undefined) print(line);
    };
    const { events, cursor } = await client.call(listEvents, { query: { limit: Math.max(1, last), ...filter } });
    for (const event of events.slice(0, last).reverse()) show({ type: "event", event });
    let reached = cursor;
    for (let failures = 0; ; failures += 1) {
      await pause(Math.min(retryMsMax, failures * 250));
      try {
        for await (const { id, data } of follow(config, filter, reached)) {
          failures = 0;
          reached = id ?? reached;
          show(JSON.parse(data));
        }
      } catch (error) {
        if (failures === 1) printError(withStyle("dim", `waiting for the launcher: ${(error as Error).message}`));
      }
    }
  },
});

async function* follow(config: Config, query: EventFilter, cursor: string) {
  const { client } = await connectToLauncher(config);
  const response = await client.open(streamFeed, { query }, { headers: { "last-event-id": cursor } });
  if (response.body === null) return;
  yield* response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}

function printReceipt({ event, states }: Receipt): void {
  const line = createFieldPrinter(10);
  line("id", event.id);
  line("kind", event.kind);
  line("game", event.game ?? "unsorted");
  line("event id", event.eventId);
  line("message", event.payload.message ?? null);
  line("sent at", event.payload.timestamp);
  line("received", event.receivedAt);
  line("acts on", event.actsOn);
  line("origin", event.origin);
  line("client", event.client);
  for (const note of event.notes) line("note", say(note));
  if (!event.intact) line("damage", "the stored event does not match its checksum");
  for (const frame of event.payload.stackTrace?.split("\n") ?? []) line("stack", frame);
  print("");
  for (const { at, state, by, reason } of states) {
    print(
      `${at}  ${withStyle("green", state)} by ${escapeInvisible(by)}${reason === undefined ? "" : `: ${escapeInvisible(say(reason))}`}`,
    );
  }
}

export const showCommand = command("show", "Show an event and its receipt: every state that it reached", {
  parameters: [parameter("<id>", "an event's id, from `kit tail` or from the response to the game")],
  async run({ client }, id) {
    return answer(await client.call(getReceipt, { params: { id } }), printReceipt);
  },
});
