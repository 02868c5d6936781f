// `kit tail`: follows the live feed, and reconnects when the launcher restarts.
import { setTimeout as pause } from "node:timers/promises";
import { type EventFilter, type FeedItem, listEvents, streamFeed } from "@kit/contract";
import type { Command } from "commander";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { feedLine } from "./event-line.ts";
import { type CommonFlags, command, configFromFlags, helpGroups, kindOption } from "./options.ts";
import { print, printError, printJsonLine, styled } from "./output.ts";

type TailFlags = CommonFlags & { last: number; game?: string; kind?: "recording" | "monitor" | "social" };

const retryMsMax = 5_000;

export function tailCommand(): Command {
  return command("tail", "Follow events, receipts and refused requests as they arrive")
    .helpGroup(helpGroups.developers)
    .option("--last <n>", "show this many stored events first", integerArgument(0, 500), 10)
    .option("--game <game>", "only this game; `unsorted` for events without a game")
    .addOption(kindOption())
    .action(({ last, game, kind, ...flags }: TailFlags) =>
      tail(flags, last, { ...(game && { game }), ...(kind && { kind }) }),
    );
}

async function tail(flags: CommonFlags, last: number, filter: EventFilter): Promise<void> {
  const show = (item: FeedItem) => {
    if (flags.json) return printJsonLine(item);
    const line = feedLine(item);
    if (line !== undefined) print(line);
  };
  const { client } = await connect(configFromFlags(flags));
  const { events, cursor } = await client.call(listEvents, { query: { limit: Math.max(1, last), ...filter } });
  for (const event of events.slice(0, last).reverse()) show({ type: "event", event });
  let reached = cursor;
  for (let failures = 0; ; failures += 1) {
    await pause(Math.min(retryMsMax, failures * 250));
    try {
      for await (const { id, data } of follow(flags, filter, reached)) {
        failures = 0;
        reached = id ?? reached;
        show(JSON.parse(data));
      }
    } catch (error) {
      if (failures === 1) printError(styled("dim", `waiting for the launcher: ${(error as Error).message}`));
    }
  }
}

async function* follow(flags: CommonFlags, query: EventFilter, cursor: string) {
  const { client } = await connect(configFromFlags(flags));
  const response = await client.open(streamFeed, { query }, { headers: { "last-event-id": cursor } });
  if (response.body === null) return;
  yield* response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
}
