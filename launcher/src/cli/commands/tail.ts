// `kit tail`: follows the live feed, and reconnects when the launcher restarts.
import { setTimeout as pause } from "node:timers/promises";
import { type EventFilter, type FeedItem, listEvents, streamFeed } from "@kit/contract";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Config } from "../../config.ts";
import { command, gameFlag, integerParser, kindFlag, parsedFlag, withDefault } from "../command.ts";
import { connectToLauncher } from "../connection.ts";
import { print, printError, printJsonLine, withStyle } from "../output.ts";
import { feedItemLine } from "./events.ts";

const retryMsMax = 5_000;

export const tailCommand = command("tail", "Follow events, receipts and refused requests as they arrive", {
  group: "developers",
  flags: {
    last: withDefault(parsedFlag("--last <n>", "show this many stored events first", integerParser(0, 500)), 10),
    game: gameFlag("events"),
    kind: kindFlag(),
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
