// `kit origins`: lists the web origins that asked to send events, and allows or blocks them.
import { decideOrigin, forgetOrigin, listOrigins } from "@kit/contract";
import { type Command, Option } from "commander";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";

type Decision = "until-exit" | "30-days" | "blocked";

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { origins, dropped } = await client.call(listOrigins);
  if (flags.json) return printJson({ origins, dropped });
  if (origins.length === 0) return print("No web page has asked to send events.");
  const rows = origins.map(({ origin, state, attempts, expiresAt }) => [
    origin,
    state,
    String(attempts),
    expiresAt ?? "",
  ]);
  printTable(["origin", "state", "attempts", "until"], rows);
  if (dropped > 0)
    print(`${dropped} undecided origins were dropped, because too many were waiting or an hour had passed.`);
}

async function decide(origin: string, decision: Decision, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const decided = await client.call(decideOrigin, { body: { origin, decision } });
  if (flags.json) return printJson(decided);
  const until = decided.expiresAt === null ? "" : ` until ${decided.expiresAt} at the latest`;
  print(`${escapeInvisible(origin)}: ${decided.state}${until}. Undo: kit origins forget ${escapeInvisible(origin)}`);
}

export function originsCommand(): Command {
  const allow = command("allow", "Allow a web origin until the launcher exits, or for 30 days")
    .argument("<origin>", "e.g. https://example.com")
    .addOption(new Option("--for <time>", "how long").choices(["until-exit", "30-days"]).default("until-exit"))
    .action((origin: string, flags: CommonFlags & { for: Decision }) => decide(origin, flags.for, flags));
  const block = command("block", "Block a web origin")
    .argument("<origin>")
    .action((origin: string, flags: CommonFlags) => decide(origin, "blocked", flags));
  const forget = command("forget", "Withdraw a decision, so that the origin has to ask again")
    .argument("<origin>")
    .action(async (origin: string, flags: CommonFlags) => {
      const { client } = await connect(configFromFlags(flags));
      await client.call(forgetOrigin, { query: { origin } });
      if (flags.json) printJson({ forgotten: origin });
      else print(`${escapeInvisible(origin)} has to ask again.`);
    });
  const origins = command("origins", "List the web origins that asked to send events; allow or block one")
    .helpGroup(helpGroups.permissions)
    .action(list);
  return origins.addCommand(allow).addCommand(block).addCommand(forget);
}
