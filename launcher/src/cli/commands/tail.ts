// `kit tail`: follows the live feed, and reconnects when the launcher restarts.
import { setTimeout as pause } from "node:timers/promises";
import { type EventFilter, type FeedItem, listEvents, streamFeed } from "@kit/contract";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { Config } from "../../config.ts";
import { command, gameFlag, integer, kindFlag, parsed, withDefault } from "../command.ts";
import { connect } from "../connection.ts";
import { print, printError, printJsonLine, styled } from "../output.ts";
import { feedLine } from "./events.ts";

const retryMsMax = 5_000;

export const tailCommand = command("tail", "Follow events, receipts and refused requests as they arrive", {
  group: "developers",
  flags: {
    last: withDefault(parsed("--last <n>", "show this many stored events first", integer(0, 500)), 10),
    game: gameFlag("events"),
    kind: kindFlag(),
  },
  async run({ client, config, json, flags: { last, ...filter } }): Promise<never> {
    const show = (item: FeedItem) => {
      if (json) return printJsonLine(item);
      const line = feedLine(item);
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
        if (failures === 1) printError(styled("dim", `waiting for the launcher: ${(error as Error).message}`));
      }
    }
  },
});

async function* follow(config: Config, query: EventFilter, cursor: string) {
  const { client } = await connect(config);
  const response = await client.open(streamFeed, { query }, { headers: { "last-event-id": cursor } });
  if (response.body === null) return;
  yield* response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
