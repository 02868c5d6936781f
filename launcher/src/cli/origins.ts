// `kit origins`: which web pages may send events.
import { decideOrigin, forgetOrigin, listOrigins } from "@kit/contract";
import { type Command, Option } from "commander";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";
import { visible } from "./visible.ts";

type Decision = "until-exit" | "30-days" | "blocked";

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { origins, dropped } = await client.call(listOrigins);
  if (flags.json) return printJson({ origins, dropped });
  if (origins.length === 0) return print("No web page asked to send events.");
  const rows = origins.map(({ origin, state, attempts, expiresAt }) => [
    origin,
    state,
    String(attempts),
    expiresAt ?? "",
  ]);
  printTable(["origin", "state", "attempts", "until"], rows);
  if (dropped > 0) print(`${dropped} left the list undecided: too many waited, or an hour passed.`);
}

async function decide(origin: string, decision: Decision, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const decided = await client.call(decideOrigin, { body: { origin, decision } });
  if (flags.json) return printJson(decided);
  const until = decided.expiresAt === null ? "" : ` until ${decided.expiresAt} at the latest`;
  print(`${visible(origin)}: ${decided.state}${until}. Undo: kit origins forget ${visible(origin)}`);
}

export function originsCommand(): Command {
  const allow = command("allow", "Allow a web origin until the launcher exits, or for 30 days")
    .argument("<origin>", "e.g. https://example.com")
    .addOption(new Option("--for <time>", "how long").choices(["until-exit", "30-days"]).default("until-exit"))
    .action((origin: string, flags: CommonFlags & { for: Decision }) => decide(origin, flags.for, flags));
  const block = command("block", "Block a web origin")
    .argument("<origin>")
    .action((origin: string, flags: CommonFlags) => decide(origin, "blocked", flags));
  const forget = command("forget", "Take a decision back: the origin has to ask again")
    .argument("<origin>")
    .action(async (origin: string, flags: CommonFlags) => {
      const { client } = await connect(configOf(flags));
      await client.call(forgetOrigin, { query: { origin } });
      if (flags.json) printJson({ forgotten: origin });
      else print(`${visible(origin)} has to ask again.`);
    });
  const origins = command("origins", "List the web origins that asked to send events").action(list);
  return origins.addCommand(allow).addCommand(block).addCommand(forget);
}
