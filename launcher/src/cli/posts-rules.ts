// `kit posts rules`: lists, adds, changes and removes the rules that turn events into posts.
import {
  addPostRule,
  attachments,
  type BodyOf,
  type Client,
  changePostRule,
  listPostRules,
  type PostRule,
  removePostRule,
  visibilities,
} from "@kit/contract";
import { Argument, type Command, Option } from "commander";
import { InvalidSetting } from "../config.ts";
import { fetchAccounts, findAccount } from "./accounts.ts";
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configFromFlags } from "./options.ts";
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
    const where = accounts.map((account) => names.get(account) ?? `${account} (removed)`).join(", ");
    const state = enabled ? approval : "off";
    return [id, pattern, where, text, footage, state, `${cooldownSeconds} s`, String(posts), String(held)];
  });
  printTable(["id", "events", "to", "text", "footage", "approval", "cooldown", "posts", "held"], rows);
}

async function printWithNames(client: Client, rules: readonly PostRule[]): Promise<void> {
  printRules(rules, new Map((await fetchAccounts(client)).map(({ id, name }) => [id, name])));
}

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { rules } = await client.call(listPostRules);
  if (flags.json) return printJson(rules);
  if (rules.length === 0) return print("No post rule yet. Add one: kit posts rules add “mygame_*” --account ACCOUNT");
  await printWithNames(client, rules);
}

async function ruleFromFlags(client: Client, flags: RuleFlags): Promise<BodyOf<typeof changePostRule>> {
  const { pattern, account, text, attach, without, altText, warning, visibility, approval, cooldown, on, off } = flags;
  if (on && off) throw new InvalidSetting("Use either --on or --off.");
  const all = account === undefined ? [] : await fetchAccounts(client);
  return {
    ...(pattern !== undefined && { pattern }),
    ...(account !== undefined && { accounts: account.map((named) => findAccount(all, named).id) }),
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
  const { client } = await connect(configFromFlags(flags));
  const { accounts, ...members } = await ruleFromFlags(client, flags);
  if (accounts === undefined) throw new InvalidSetting("Add --account ACCOUNT. `kit accounts` lists all accounts.");
  await show(client, await client.call(addPostRule, { body: { ...members, pattern, accounts } }), flags);
}

async function change(id: string, flags: RuleFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const body = await ruleFromFlags(client, flags);
  if (Object.keys(body).length === 0)
    throw new InvalidSetting("Nothing to change. Use an option such as --approval automatic.");
  await show(client, await client.call(changePostRule, { params: { id }, body }), flags);
}

async function remove(id: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  await client.call(removePostRule, { params: { id } });
  if (flags.json) printJson({ removed: id });
  else print("Removed the rule. Its posts remain.");
}

const withMembers = (each: Command): Command =>
  each
    .option("--account <accounts...>", "the accounts to post to, by id or name")
    .option("--text <text>", "the text, with the variables {{event}}, {{game}}, {{time}}, {{date}} and {{clipLength}}")
    .addOption(new Option("--attach <what>", "the footage to attach").choices(attachments))
    .addOption(
      new Option("--without <how>", "if there is no footage: ask, or post without it").choices(["ask", "post"]),
    )
    .option("--alt-text <text>", "alternative text that describes the footage")
    .option("--warning <text>", "content warning; empty to remove it")
    .addOption(
      new Option("--visibility <who>", "who can see the posts, if the network supports that").choices(visibilities),
    )
    .addOption(
      new Option("--approval <how>", "ask you before posting, or post automatically").choices(["ask", "automatic"]),
    )
    .option("--cooldown <seconds>", "minimum seconds between two posts of this rule", integerArgument(30, 86_400))
    .option("--on", "switch the rule on")
    .option("--off", "switch the rule off");

export function postRulesCommand(): Command {
  const id = () => new Argument("<id>", "a rule's id, from `kit posts rules`");
  const adding = withMembers(
    command("add", "Add a rule").argument("<pattern>", "an event id; * matches any text"),
  ).action(add);
  const changing = withMembers(command("change", "Change a rule").addArgument(id()))
    .option("--pattern <pattern>", "the new event id or pattern")
    .action(change);
  const removing = command("remove", "Remove a rule; its posts remain").addArgument(id()).action(remove);
  const rules = command(
    "rules",
    "List post rules in the order in which they are tried; add, change or remove one",
  ).action(list);
  for (const each of [adding, changing, removing]) rules.addCommand(each);
  return rules;
}
