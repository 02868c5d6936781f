// `kit origins`: lists the web origins that asked to send events, and allows or blocks them.
import { type Client, decideConsent, forgetOrigin, listOrigins } from "@kit/contract";
import { answer, choiceFlag, command, parameter, withDefault } from "../command.ts";
import { escapeInvisible, kit, print, printTable } from "../output.ts";

async function decide(client: Client, origin: string, decision: "until-exit" | "30-days" | "blocked") {
  const decided = await client.call(decideConsent, { body: { origin, decision } });
  const until = decided.expiresAt === null ? "" : ` until ${decided.expiresAt} at the latest`;
  const undo = `Undo: ${kit(`origins forget ${escapeInvisible(origin)}`)}`;
  return answer(decided, `${escapeInvisible(origin)}: ${decided.state}${until}. ${undo}`);
}

const allow = command("allow", "Allow a web origin until the launcher exits, or for 30 days", {
  parameters: [parameter("<origin>", "e.g. https://example.com")],
  flags: { time: withDefault(choiceFlag("--for <time>", "how long", ["until-exit", "30-days"]), "until-exit") },
  run: ({ client, flags }, origin) => decide(client, origin, flags.time),
});

const block = command("block", "Block a web origin", {
  parameters: [parameter("<origin>")],
  run: ({ client }, origin) => decide(client, origin, "blocked"),
});

const forget = command("forget", "Withdraw a decision, so that the origin has to ask again", {
  parameters: [parameter("<origin>")],
  async run({ client }, origin) {
    await client.call(forgetOrigin, { query: { origin } });
    return answer({ forgotten: origin }, `${escapeInvisible(origin)} has to ask again.`);
  },
});

export const originsCommand = command("origins", "List the web origins that asked to send events; allow or block one", {
  group: "permissions",
  subcommands: [allow, block, forget],
  async run({ client }) {
    const { origins, dropped } = await client.call(listOrigins);
    return answer({ origins, dropped }, () => {
      if (origins.length === 0) return print("No web page has asked to send events.");
      printTable(
        ["origin", "state", "attempts", "until"],
        origins.map(({ origin, state, attempts, expiresAt }) => [origin, state, String(attempts), expiresAt ?? ""]),
      );
      if (dropped > 0)
        print(`${dropped} undecided origins were dropped, because too many were waiting or an hour had passed.`);
    });
  },
});
