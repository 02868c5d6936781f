// `kit posts rules`: what is posted of which events, in which words, and where.
import {
  addPostRule,
  attachments,
  type BodyOf,
  type Client,
  changePostRule,
  listAccounts,
  listPostRules,
  type PostRule,
  removePostRule,
  visibilities,
} from "@kit/contract";
import { Argument, type Command, Option } from "commander";
import { BadSetting } from "../config.ts";
import { accountNamed } from "./accounts.ts";
import { readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";

type RuleFlags = CommonFlags & {
  pattern?: string;
  account?: string[];
  text?: string;
  attach?: PostRule["attach"];
  without?: PostRule["without"];
  altText?: string;
  warning?: string;
  visibility?: PostRule["visibility"];
  approval?: PostRule["approval"];
  cooldown?: number;
  on?: true;
  off?: true;
};

function printRules(rules: readonly PostRule[], names: ReadonlyMap<string, string>): void {
  const rows = rules.map((rule) => {
    const { id, pattern, accounts, text, attach, without, approval, cooldownSeconds, enabled, posts, held } = rule;
    const footage = attach === "none" ? "none" : `${attach}, else ${without === "ask" ? "ask" : "without"}`;
    const where = accounts.map((account) => names.get(account) ?? `${account} (gone)`).join(", ");
    const state = enabled ? approval : "off";
    return [id, pattern, where, text, footage, state, `${cooldownSeconds} s`, String(posts), String(held)];
  });
  printTable(["id", "events", "to", "text", "footage", "approval", "cooldown", "posts", "held"], rows);
}

const accountsOf = async (client: Client) => (await client.call(listAccounts)).accounts;

async function printWithNames(client: Client, rules: readonly PostRule[]): Promise<void> {
  printRules(rules, new Map((await accountsOf(client)).map(({ id, name }) => [id, name])));
}

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { rules } = await client.call(listPostRules);
  if (flags.json) return printJson(rules);
  if (rules.length === 0)
    return print("Nothing is posted yet. Add a rule: kit posts rules add “mygame_*” --account ACCOUNT");
  await printWithNames(client, rules);
}

async function membersOf(client: Client, flags: RuleFlags): Promise<BodyOf<typeof changePostRule>> {
  const { pattern, account, text, attach, without, altText, warning, visibility, approval, cooldown, on, off } = flags;
  if (on && off) throw new BadSetting("--on and --off: one at a time.");
  const all = account === undefined ? [] : await accountsOf(client);
  return {
    ...(pattern !== undefined && { pattern }),
    ...(account !== undefined && { accounts: account.map((named) => accountNamed(all, named).id) }),
    ...(text !== undefined && { text }),
    ...(attach && { attach }),
    ...(without && { without }),
    ...(altText !== undefined && { altText }),
    ...(warning !== undefined && { contentWarning: warning }),
    ...(visibility && { visibility }),
    ...(approval && { approval }),
    ...(cooldown !== undefined && { cooldownSeconds: cooldown }),
    ...((on || off) && { enabled: on === true }),
  };
}

async function show(client: Client, rule: PostRule, { json }: CommonFlags): Promise<void> {
  if (json) printJson(rule);
  else await printWithNames(client, [rule]);
}

async function add(pattern: string, flags: RuleFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { accounts, ...members } = await membersOf(client, flags);
  if (accounts === undefined) throw new BadSetting("Say where it goes: --account ACCOUNT. `kit accounts` lists them.");
  await show(client, await client.call(addPostRule, { body: { ...members, pattern, accounts } }), flags);
}

async function change(id: string, flags: RuleFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const body = await membersOf(client, flags);
  if (Object.keys(body).length === 0) throw new BadSetting("Say what changes, e.g. --approval automatic.");
  await show(client, await client.call(changePostRule, { params: { id }, body }), flags);
}

async function remove(id: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  await client.call(removePostRule, { params: { id } });
  if (flags.json) printJson({ removed: id });
  else print("The rule is gone. Its posts stay.");
}

const withMembers = (each: Command): Command =>
  each
    .option("--account <accounts...>", "where it goes: accounts' ids or names")
    .option("--text <text>", "what it says; {{event}}, {{game}}, {{time}}, {{date}}, {{clipLength}} are filled in")
    .addOption(new Option("--attach <what>", "what it shows of the moment").choices(attachments))
    .addOption(new Option("--without <how>", "where that cannot be had: ask, or post without").choices(["ask", "post"]))
    .option("--alt-text <text>", "what the footage shows, for who cannot see it")
    .option("--warning <text>", "shown before the post; empty for none")
    .addOption(new Option("--visibility <who>", "who sees it, where the network has that").choices(visibilities))
    .addOption(new Option("--approval <how>", "whether you are asked first").choices(["ask", "automatic"]))
    .option("--cooldown <seconds>", "within them it makes no second post", readWhole(30, 86_400))
    .option("--on", "it makes posts")
    .option("--off", "it makes none");

export function postRulesCommand(): Command {
  const id = () => new Argument("<id>", "a rule's id, from `kit posts rules`");
  const adding = withMembers(
    command("add", "Add a rule").argument("<pattern>", "an event id, in which each * stands for any text"),
  ).action(add);
  const changing = withMembers(command("change", "Change a rule").addArgument(id()))
    .option("--pattern <pattern>", "for these events instead")
    .action(change);
  const removing = command("remove", "Remove a rule; its posts stay").addArgument(id()).action(remove);
  const rules = command("rules", "List what is posted of which events, in the order in which it is tried").action(list);
  for (const each of [adding, changing, removing]) rules.addCommand(each);
  return rules;
}
