// `kit posts rules`: lists, adds, changes and removes the rules that turn events into posts.
import {
  addPostRule,
  attachments,
  type Client,
  changePostRule,
  listPostRules,
  type PostRule,
  removePostRule,
  visibilities,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import {
  answer,
  type CommandContext,
  choiceFlag,
  command,
  integerParser,
  parameter,
  parsedFlag,
  textFlag,
  textsFlag,
  toggleFlag,
} from "../command.ts";
import { print, printTable } from "../output.ts";
import { fetchAccounts, findAccount } from "./accounts.ts";

async function printRules(client: Client, rules: readonly PostRule[]): Promise<void> {
  const names = new Map((await fetchAccounts(client)).map(({ id, name }) => [id, name]));
  const rows = rules.map((rule) => {
    const {
      id,
      pattern,
      accounts,
      text: post,
      attach,
      without,
      approval,
      cooldownSeconds,
      enabled,
      posts,
      held,
    } = rule;
    const footage = attach === "none" ? "none" : `${attach}, else ${without === "ask" ? "ask" : "without"}`;
    const where = accounts.map((account) => names.get(account) ?? `${account} (removed)`).join(", ");
    const state = enabled ? approval : "off";
    return [id, pattern, where, post, footage, state, `${cooldownSeconds} s`, String(posts), String(held)];
  });
  printTable(["id", "events", "to", "text", "footage", "approval", "cooldown", "posts", "held"], rows);
}

const ruleFlags = {
  account: textsFlag("--account <accounts...>", "the accounts to post to, by id or name"),
  text: textFlag(
    "--text <text>",
    "the text, with the variables {{event}}, {{game}}, {{time}}, {{date}} and {{clipLength}}",
  ),
  attach: choiceFlag("--attach <what>", "the footage to attach", attachments),
  without: choiceFlag("--without <how>", "if there is no footage: ask, or post without it", ["ask", "post"]),
  altText: textFlag("--alt-text <text>", "alternative text that describes the footage"),
  contentWarning: textFlag("--warning <text>", "content warning; empty to remove it"),
  visibility: choiceFlag("--visibility <who>", "who can see the posts, if the network supports that", visibilities),
  approval: choiceFlag("--approval <how>", "ask you before posting, or post automatically", ["ask", "automatic"]),
  cooldownSeconds: parsedFlag(
    "--cooldown <seconds>",
    "minimum seconds between two posts of this rule",
    integerParser(30, 86_400),
  ),
  on: toggleFlag("--on", "switch the rule on"),
  off: toggleFlag("--off", "switch the rule off"),
};

/** Returns the members of a rule that the flags set. */
async function ruleMembers({ client, flags }: Pick<CommandContext<typeof ruleFlags>, "client" | "flags">) {
  const { account, on, off, ...members } = flags;
  if (on && off) throw new InvalidSetting("Use either --on or --off.");
  const all = account === undefined ? [] : await fetchAccounts(client);
  return {
    ...members,
    ...(account !== undefined && { accounts: account.map((named) => findAccount(all, named).id) }),
    ...((on || off) && { enabled: on === true }),
  };
}

const add = command("add", "Add a rule", {
  parameters: [parameter("<pattern>", "an event id; * matches any text")],
  flags: ruleFlags,
  async run({ client, flags }, pattern) {
    const { accounts, ...members } = await ruleMembers({ client, flags });
    if (accounts === undefined) throw new InvalidSetting("Add --account ACCOUNT. `kit accounts` lists all accounts.");
    const rule = await client.call(addPostRule, { body: { ...members, pattern, accounts } });
    return answer(rule, () => printRules(client, [rule]));
  },
});

const which = parameter("<id>", "a rule's id, from `kit posts rules`");

const change = command("change", "Change a rule", {
  parameters: [which],
  flags: { ...ruleFlags, pattern: textFlag("--pattern <pattern>", "the new event id or pattern") },
  async run({ client, flags }, id) {
    const body = await ruleMembers({ client, flags });
    if (Object.keys(body).length === 0)
      throw new InvalidSetting("Nothing to change. Use an option such as --approval automatic.");
    const rule = await client.call(changePostRule, { params: { id }, body });
    return answer(rule, () => printRules(client, [rule]));
  },
});

const remove = command("remove", "Remove a rule; its posts remain", {
  parameters: [which],
  async run({ client }, id) {
    await client.call(removePostRule, { params: { id } });
    return answer({ removed: id }, "Removed the rule. Its posts remain.");
  },
});

export const postRulesCommand = command(
  "rules",
  "List post rules in the order in which they are tried; add, change or remove one",
  {
    subcommands: [add, change, remove],
    async run({ client }) {
      const { rules } = await client.call(listPostRules);
      return answer(rules, () =>
        rules.length === 0
          ? print("No post rule yet. Add one: kit posts rules add “mygame_*” --account ACCOUNT")
          : printRules(client, rules),
      );
    },
  },
);
