// `kit accounts`: lists, connects, tests, changes and removes the accounts that posts are sent to.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import {
  type Account,
  type AccountField,
  addAccount,
  type Client,
  changeAccount,
  listAccounts,
  type Network,
  networkDescriptions,
  networks,
  removeAccount,
  testAccount,
} from "@kit/contract";
import { Argument, type Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { exitCodes } from "./exit-codes.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";

// Credentials are never command-line arguments, because other users can read those. People are prompted, with hidden input
// for secrets; programs send one line per value on standard input.

type Question = {
  readonly name: string;
  /** Tells the person where to find the value. */
  readonly help: string;
  readonly prompt: string;
  readonly secret: boolean;
};

const createNullStream = () =>
  new Writable({
    write: (_chunk, _encoding, done) => done(),
  });

async function askQuestion({ help, prompt, secret }: Question): Promise<string> {
  print(styled("dim", help));
  const output = secret ? createNullStream() : process.stdout;
  if (secret) process.stdout.write(prompt);
  const line = createInterface({ input: process.stdin, output, terminal: true });
  const ending = new AbortController();
  line.once("SIGINT", () => ending.abort());
  line.once("close", () => ending.abort());
  try {
    return await line.question(secret ? "" : prompt, { signal: ending.signal });
  } catch {
    throw new InvalidSetting("Nothing was changed.");
  } finally {
    if (secret) print("");
    line.removeAllListeners("close");
    line.close();
  }
}

async function readStdinLines(): Promise<string[]> {
  const text = Buffer.concat(await process.stdin.toArray()).toString();
  return text.split(/\r?\n/);
}

/** Returns the trimmed answers by field name, without empty ones. */
async function askQuestions(questions: readonly Question[]): Promise<Record<string, string>> {
  const lines = process.stdin.isTTY ? undefined : await readStdinLines();
  const answers: [string, string][] = [];
  for (const [index, question] of questions.entries()) {
    const answer = (lines === undefined ? await askQuestion(question) : (lines[index] ?? "")).trim();
    if (answer !== "") answers.push([question.name, answer]);
  }
  return Object.fromEntries(answers);
}

function accountStatus({ enabled, stopped, waitsUntil, waitsBecause }: Account): string {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  if (waitsUntil === null) return "on";
  return `${waitsBecause === "rate-limit" ? "rate-limited" : "retrying"} until ${waitsUntil}`;
}

function printAccounts(accounts: readonly Account[]): void {
  printTable(
    ["id", "network", "name", "where", "state", "sent", "waiting"],
    accounts.map((account) => [
      ...[account.id, account.network, account.name, account.host, accountStatus(account)],
      ...[account.sent, account.waiting].map((count) => count.toLocaleString("en-US")),
    ]),
  );
  for (const { name, stopped, lastError } of accounts) {
    if (stopped !== null) print(styled("red", `${escapeInvisible(name)} stopped: ${escapeInvisible(stopped)}`));
    else if (lastError !== null)
      print(styled("yellow", `${escapeInvisible(name)} last error: ${escapeInvisible(lastError)}`));
  }
}

/** Finds an account by id or by unique name. Throws InvalidSetting if there is none or the name is ambiguous. */
export function findAccount(accounts: readonly Account[], named: string): Account {
  const found = accounts.filter(({ id, name }) => id === named || name === named);
  const [account, ...more] = found;
  if (account === undefined)
    throw new InvalidSetting(`There is no account ${named}. \`kit accounts\` lists all accounts.`);
  if (more.length > 0) throw new InvalidSetting(`${found.length} accounts are named ${named}. Use an id instead.`);
  return account;
}

export const fetchAccounts = async (client: Client): Promise<readonly Account[]> =>
  (await client.call(listAccounts)).accounts;

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const accounts = await fetchAccounts(client);
  if (flags.json) return printJson(accounts);
  if (accounts.length === 0)
    return print(`No account is connected yet. Connect one: kit accounts add ${networks.join("|")}`);
  printAccounts(accounts);
}

const fieldQuestion = ({ name, label, help, example, secret, optional }: AccountField): Question => {
  const remarks = [optional ? "optional" : "", example].filter((text) => text !== "");
  return { name, help, secret, prompt: `${label}${remarks.length > 0 ? ` (${remarks.join("; ")})` : ""}: ` };
};

function printSecret(secret: string | null): void {
  if (secret === null) return;
  print("Kit signs its requests with this secret. It is shown only once:");
  print(escapeInvisible(secret));
}

async function add(network: Network, { name, ...flags }: CommonFlags & { name?: string }): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const fields = await askQuestions(networkDescriptions[network].fields.map(fieldQuestion));
  const body = { network, fields, ...(name !== undefined && { name }) };
  const added = await client.call(addAccount, { body });
  if (flags.json) return printJson(added);
  const { account, secret } = added;
  print(`Connected: ${escapeInvisible(account.name)} at ${escapeInvisible(account.host)}.`);
  printSecret(secret);
  print(`Now add a rule for what to post: kit posts rules add "mygame_*" --account ${account.id}`);
}

async function testOne(named: string, flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const { id } = findAccount(await fetchAccounts(client), named);
  const result = await client.call(testAccount, { params: { id } });
  if (!result.ok) process.exitCode = exitCodes.unwell;
  if (flags.json) return printJson(result);
  for (const { what, ok, says } of result.checked)
    print(`${styled(ok ? "green" : "red", ok ? "yes" : "no ")} ${escapeInvisible(what)}: ${escapeInvisible(says)}`);
  print(styled(result.ok ? "green" : "red", escapeInvisible(result.says)));
}

type ChangeFlags = CommonFlags & { name?: string; on?: true; off?: true; ask?: true };

async function change(named: string, { name, on, off, ask, ...flags }: ChangeFlags): Promise<void> {
  if (on && off) throw new InvalidSetting("Use either --on or --off.");
  if (name === undefined && !on && !off && !ask)
    throw new InvalidSetting("Nothing to change. Use --name, --on, --off or --ask.");
  const { client } = await connect(configFromFlags(flags));
  const { id, network } = findAccount(await fetchAccounts(client), named);
  if (ask && process.stdin.isTTY) print("Leave a field empty to keep its value.");
  const fields = ask ? await askQuestions(networkDescriptions[network].fields.map(fieldQuestion)) : undefined;
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
  const { client } = await connect(configFromFlags(flags));
  const { id } = findAccount(await fetchAccounts(client), named);
  await client.call(removeAccount, { params: { id } });
  if (flags.json) printJson({ removed: id });
  else print("Removed the account, its credentials and its pending deliveries.");
}

export function accountsCommand(): Command {
  const which = () => new Argument("<account>", "an account's id or name, from `kit accounts`");
  const adding = command(
    "add",
    "Connect an account; asks for its credentials, or reads them from standard input, one per line",
  )
    .addArgument(
      new Argument("<network>", "e.g. discord for a channel's webhook, webhook for any HTTPS address").choices(
        networks,
      ),
    )
    .option("--name <name>", "a name for the account (default: the name on the network)")
    .action(add);
  const testing = command("test", "Check that the network would accept a post now, without posting")
    .addArgument(which())
    .action(testOne);
  const changing = command("change", "Rename an account, switch it on or off, or replace its credentials")
    .addArgument(which())
    .option("--name <name>", "the new name")
    .option("--on", "switch it on, even if it was stopped by an error")
    .option("--off", "pause it; pending deliveries stay pending")
    .option("--ask", "ask for new credentials")
    .action(change);
  const removing = command("remove", "Remove an account, its credentials and its pending deliveries")
    .addArgument(which())
    .action(remove);
  const accounts = command("accounts", "List the accounts that Kit posts to; connect, test, change or remove one")
    .helpGroup(helpGroups.players)
    .action(list);
  for (const each of [adding, testing, changing, removing]) accounts.addCommand(each);
  return accounts;
}
