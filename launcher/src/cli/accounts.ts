// `kit accounts`: where posts go; connecting, testing, changing and removing an account.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import {
  type Account,
  type AccountField,
  accountFields,
  addAccount,
  type Client,
  changeAccount,
  listAccounts,
  type Network,
  networks,
  removeAccount,
  testAccount,
} from "@kit/contract";
import { Argument, type Command } from "commander";
import { BadSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { visible } from "./visible.ts";

// Asks a person for values, one after the other: never as arguments, which others could read, and hidden while they type
// what nobody may see. A program gives a line each on standard input.

type Question = {
  readonly name: string;
  /** Where the value is found. */
  readonly help: string;
  readonly prompt: string;
  readonly secret: boolean;
};

const nowhere = () =>
  new Writable({
    write: (_chunk, _encoding, done) => done(),
  });

async function answerOf({ help, prompt, secret }: Question): Promise<string> {
  print(styled("dim", help));
  const output = secret ? nowhere() : process.stdout;
  if (secret) process.stdout.write(prompt);
  const line = createInterface({ input: process.stdin, output, terminal: true });
  const ending = new AbortController();
  line.once("SIGINT", () => ending.abort());
  line.once("close", () => ending.abort());
  try {
    return await line.question(secret ? "" : prompt, { signal: ending.signal });
  } catch {
    throw new BadSetting("Nothing was changed.");
  } finally {
    if (secret) print("");
    line.removeAllListeners("close");
    line.close();
  }
}

async function linesOfInput(): Promise<string[]> {
  const text = Buffer.concat(await process.stdin.toArray()).toString();
  return text.split(/\r?\n/);
}

/** By name, without blanks around them; what was left empty is left out. */
async function askFor(questions: readonly Question[]): Promise<Record<string, string>> {
  const lines = process.stdin.isTTY ? undefined : await linesOfInput();
  const answers: [string, string][] = [];
  for (const [index, question] of questions.entries()) {
    const answer = (lines === undefined ? await answerOf(question) : (lines[index] ?? "")).trim();
    if (answer !== "") answers.push([question.name, answer]);
  }
  return Object.fromEntries(answers);
}

function stateOf({ enabled, stopped, waitsUntil, waitsBecause }: Account): string {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  if (waitsUntil === null) return "on";
  return `${waitsBecause === "rate-limit" ? "the network wants nothing" : "tries again"} until ${waitsUntil}`;
}

function printAccounts(accounts: readonly Account[]): void {
  printTable(
    ["id", "network", "name", "where", "state", "sent", "waiting"],
    accounts.map((account) => [
      ...[account.id, account.network, account.name, account.host, stateOf(account)],
      ...[account.sent, account.waiting].map((count) => count.toLocaleString("en-US")),
    ]),
  );
  for (const { name, stopped, lastError } of accounts) {
    if (stopped !== null) print(styled("red", `${visible(name)} stopped: ${visible(stopped)}`));
    else if (lastError !== null) print(styled("yellow", `${visible(name)} last error: ${visible(lastError)}`));
  }
}

/** An account by its id, or by its name where only one has it. */
export function accountNamed(accounts: readonly Account[], named: string): Account {
  const found = accounts.filter(({ id, name }) => id === named || name === named);
  const [account, ...more] = found;
  if (account === undefined) throw new BadSetting(`There is no account ${named}. \`kit accounts\` lists them.`);
  if (more.length > 0) throw new BadSetting(`${found.length} accounts are named ${named}: give the id of one.`);
  return account;
}

const accountsOf = async (client: Client): Promise<readonly Account[]> => (await client.call(listAccounts)).accounts;

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const accounts = await accountsOf(client);
  if (flags.json) return printJson(accounts);
  if (accounts.length === 0)
    return print(`Posts go nowhere yet. Connect an account: kit accounts add ${networks.join("|")}`);
  printAccounts(accounts);
}

const questionOf = ({ name, label, help, example, secret, optional }: AccountField): Question => {
  const remarks = [optional ? "may stay empty" : "", example].filter((text) => text !== "");
  return { name, help, secret, prompt: `${label}${remarks.length > 0 ? ` (${remarks.join("; ")})` : ""}: ` };
};

function printSecret(secret: string | null): void {
  if (secret === null) return;
  print("Its requests are signed with this secret. It is shown this once:");
  print(visible(secret));
}

async function add(network: Network, { name, ...flags }: CommonFlags & { name?: string }): Promise<void> {
  const { client } = await connect(configOf(flags));
  const fields = await askFor(accountFields[network].map(questionOf));
  const body = { network, fields, ...(name !== undefined && { name }) };
  const added = await client.call(addAccount, { body });
  if (flags.json) return printJson(added);
  const { account, secret } = added;
  print(`Connected: ${visible(account.name)} at ${visible(account.host)}.`);
  printSecret(secret);
  print(`Say what is posted there: kit posts rules add "mygame_*" --account ${account.id}`);
}

async function testIt(named: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { id } = accountNamed(await accountsOf(client), named);
  const result = await client.call(testAccount, { params: { id } });
  if (!result.ok) process.exitCode = exitCodes.unwell;
  if (flags.json) return printJson(result);
  for (const { what, ok, says } of result.checked)
    print(`${styled(ok ? "green" : "red", ok ? "yes" : "no ")} ${visible(what)}: ${visible(says)}`);
  print(styled(result.ok ? "green" : "red", visible(result.says)));
}

type ChangeFlags = CommonFlags & { name?: string; on?: true; off?: true; ask?: true };

async function change(named: string, { name, on, off, ask, ...flags }: ChangeFlags): Promise<void> {
  if (on && off) throw new BadSetting("--on and --off: one at a time.");
  if (name === undefined && !on && !off && !ask)
    throw new BadSetting("Say what changes: --name, --on, --off or --ask.");
  const { client } = await connect(configOf(flags));
  const { id, network } = accountNamed(await accountsOf(client), named);
  if (ask && process.stdin.isTTY) print("What stays empty stays as it is.");
  const fields = ask ? await askFor(accountFields[network].map(questionOf)) : undefined;
  const body = {
    ...(name !== undefined && { name }),
    ...((on || off) && { enabled: on === true }),
    ...(fields !== undefined && { fields }),
  };
  const account = await client.call(changeAccount, { params: { id }, body });
  if (flags.json) printJson(account);
  else printAccounts([account]);
}

async function remove(named: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const { id } = accountNamed(await accountsOf(client), named);
  await client.call(removeAccount, { params: { id } });
  if (flags.json) printJson({ removed: id });
  else print("The account, what opens it and what waited for it are gone.");
}

export function accountsCommand(): Command {
  const which = () => new Argument("<account>", "an account's id or name, from `kit accounts`");
  const adding = command("add", "Connect an account; asks for what opens it, a line each on standard input")
    .addArgument(
      new Argument("<network>", "discord: a channel's webhook; webhook: any https address").choices(networks),
    )
    .option("--name <name>", "call it so; otherwise it has the name the network gives it")
    .action(add);
  const testing = command("test", "Ask the network whether it would take a post now; posts nothing")
    .addArgument(which())
    .action(testIt);
  const changing = command("change", "Name an account anew, switch it on or off, or give again what opens it")
    .addArgument(which())
    .option("--name <name>", "call it so")
    .option("--on", "start it, also where it was stopped")
    .option("--off", "prepare nothing for it; what waits for it waits")
    .option("--ask", "ask again for what opens it")
    .action(change);
  const removing = command("remove", "Forget an account, what opens it and what waits for it")
    .addArgument(which())
    .action(remove);
  const accounts = command("accounts", "List the accounts that posts go to").action(list);
  for (const each of [adding, testing, changing, removing]) accounts.addCommand(each);
  return accounts;
}
