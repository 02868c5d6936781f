// `kit events`: the stored events, newest first.
import { eventsPageMax, listEvents } from "@kit/contract";
import type { Command } from "commander";
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { eventLine } from "./event-line.ts";
import { type CommonFlags, command, configFromFlags, helpGroups, kindOption } from "./options.ts";
import { print, printJson } from "./output.ts";

type EventsFlags = CommonFlags & {
  limit: number;
  game?: string;
  kind?: "recording" | "monitor" | "social";
  before?: string;
};

export function eventsCommand(): Command {
  return command("events", "List the stored events, newest first")
    .helpGroup(helpGroups.developers)
    .option("--limit <n>", `how many to list, 1 to ${eventsPageMax}`, integerArgument(1, eventsPageMax), 20)
    .option("--before <id>", "continue after this event")
    .option("--game <game>", "only this game; `unsorted` for events without a game")
    .addOption(kindOption())
    .action(async ({ limit, game, kind, before, ...flags }: EventsFlags) => {
      const { client } = await connect(configFromFlags(flags));
      const query = { limit, ...(game && { game }), ...(kind && { kind }), ...(before && { before }) };
      const { events, more } = await client.call(listEvents, { query });
      if (flags.json) return printJson(events);
      for (const event of events) print(eventLine(event));
      if (events.length === 0) print("No events yet. Send one with `kit fire recording mygame_boss_defeated`.");
      else if (more) print(`… more: kit events --before ${events.at(-1)?.id}`);
    });
}
