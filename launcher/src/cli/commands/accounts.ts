// `kit accounts`: lists, connects, tests, changes and removes the accounts that posts are sent to.

import {
  type Account,
  type AccountCheck,
  type AccountField,
  addAccount,
  type Client,
  changeAccount,
  type ForwardTarget,
  formatCount,
  listAccounts,
  networkDescriptions,
  networks,
  removeAccount,
  testAccount,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, command, parameter, textFlag, toggleFlag } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { escapeInvisible, kit, print, printTable, say, withStyle } from "../output.ts";
import { askQuestion } from "../prompt.ts";
import { setExitCode, terminal } from "../terminal.ts";

// Credentials are never command-line arguments, because other users of the computer can read those. A person is asked,
// without echo for secrets; a program writes one line for each field to standard input.

async function askField({ label, help, example, secret, optional }: AccountField): Promise<string> {
  print(withStyle("dim", help));
  const remarks = [optional ? "optional" : "", example].filter((remark) => remark !== "");
  const given = await askQuestion(`${label}${remarks.length > 0 ? ` (${remarks.join("; ")})` : ""}: `, {
    isSecret: secret,
  });
  if (given === undefined) throw new InvalidSetting("Nothing was changed.");
  return given;
}

/** Asks for the values of the fields. Returns those that are not empty, trimmed, by the names of the fields. */
async function askFields(fields: readonly AccountField[]): Promise<Record<string, string>> {
  const { stdin } = terminal();
  const isPerson = stdin.isTTY;
  const lines = isPerson
    ? []
    : Buffer.concat(await stdin.toArray())
        .toString()
        .split(/\r?\n/);
  const values: Record<string, string> = {};
  for (const [index, field] of fields.entries()) {
    const value = isPerson ? await askField(field) : (lines[index] ?? "").trim();
    if (value !== "") values[field.name] = value;
  }
  return values;
}

/** Says in a word or two whether Kit sends to the account or forwarding target now. */
export function sendingStateText({ enabled, stopped, waitsUntil, waitsBecause }: Account | ForwardTarget): string {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  if (waitsUntil === null) return "on";
  return `${waitsBecause === "rate-limit" ? "rate-limited" : "retrying"} until ${waitsUntil}`;
}

export function printSendingProblem(name: string, { stopped, lastError }: Account | ForwardTarget): void {
  if (stopped !== null) print(withStyle("red", `${escapeInvisible(name)} stopped: ${escapeInvisible(say(stopped))}`));
  else if (lastError !== null)
    print(withStyle("yellow", `${escapeInvisible(name)} last error: ${escapeInvisible(say(lastError))}`));
}

function printAccounts(accounts: readonly Account[]): void {
  printTable(
    ["id", "network", "name", "where", "state", "sent", "waiting"],
    accounts.map((account) => [
      ...[account.id, account.network, account.name, account.host, sendingStateText(account)],
      ...[account.sent, account.waiting].map(formatCount),
    ]),
  );
  for (const account of accounts) printSendingProblem(account.name, account);
}

/** Finds an account by id or by unique name. Throws InvalidSetting if there is none or the name is ambiguous. */
export function findAccount(accounts: readonly Account[], named: string): Account {
  const found = accounts.filter(({ id, name }) => id === named || name === named);
  const [account, ...more] = found;
  if (account === undefined)
    throw new InvalidSetting(`There is no account ${named}. \`${kit("accounts")}\` lists all accounts.`);
  if (more.length > 0) throw new InvalidSetting(`${found.length} accounts are named ${named}. Use an id instead.`);
  return account;
}

export const fetchAccounts = async (client: Client): Promise<readonly Account[]> =>
  (await client.call(listAccounts)).accounts;

const fetchAccount = async (client: Client, named: string) => findAccount(await fetchAccounts(client), named);

const account = parameter("<account>", "an account's id or name, from `kit accounts`");

function printChecks(checked: readonly AccountCheck[]): void {
  for (const { what, ok, says } of checked) {
    const mark = withStyle(ok ? "green" : "red", ok ? "yes" : "no ");
    print(`${mark} ${escapeInvisible(say(what))}: ${escapeInvisible(say(says))}`);
  }
}

const add = command(
  "add",
  "Connect an account; asks for its credentials, or reads them from standard input, one per line",
  {
    parameters: [
      parameter("<network>", "e.g. discord for a channel's webhook, webhook for any HTTPS address", networks),
    ],
    flags: { name: textFlag("--name <name>", "a name for the account (default: the name on the network)") },
    async run({ client, connect, flags }, network) {
      await connect();
      const fields = await askFields(networkDescriptions[network].fields);
      const added = await client.call(addAccount, { body: { network, fields, ...flags } });
      return answer(added, ({ account: { id, name, host }, secret, checked }) => {
        print(`Connected: ${escapeInvisible(name)} at ${escapeInvisible(host)}.`);
        printChecks(checked);
        if (secret !== null) {
          print("Kit signs its requests with this secret. It is shown only once:");
          print(escapeInvisible(secret));
        }
        print(`Now add a rule for what to post: ${kit(`posts rules add "mygame_*" --account ${id}`)}`);
      });
    },
  },
);

const test = command("test", "Check that the network would accept a post now, without posting", {
  parameters: [account],
  async run({ client }, named) {
    const { id } = await fetchAccount(client, named);
    const result = await client.call(testAccount, { params: { id } });
    if (!result.ok) setExitCode(exitCodes.unwell);
    return answer(result, () => {
      printChecks(result.checked);
      print(withStyle(result.ok ? "green" : "red", escapeInvisible(say(result.says))));
    });
  },
});

const change = command("change", "Rename an account, switch it on or off, or replace its credentials", {
  parameters: [account],
  flags: {
    name: textFlag("--name <name>", "the new name"),
    on: toggleFlag("--on", "switch it on, even if it was stopped by an error"),
    off: toggleFlag("--off", "pause it; pending deliveries stay pending"),
    ask: toggleFlag("--ask", "ask for new credentials"),
  },
  async run({ client, flags: { on, off, ask: asks, ...renamed } }, named) {
    if (on && off) throw new InvalidSetting("Use either --on or --off.");
    if (renamed.name === undefined && !on && !off && !asks)
      throw new InvalidSetting("Nothing to change. Use --name, --on, --off or --ask.");
    const { id, network } = await fetchAccount(client, named);
    if (asks && terminal().stdin.isTTY) print("Leave a field empty to keep its value.");
    const body = {
      ...renamed,
      ...((on || off) && { enabled: on === true }),
      ...(asks && { fields: await askFields(networkDescriptions[network].fields) }),
    };
    const changed = await client.call(changeAccount, { params: { id }, body });
    return answer(changed, () => printAccounts([changed]));
  },
});

const remove = command("remove", "Remove an account, its credentials and its pending deliveries", {
  parameters: [account],
  async run({ client }, named) {
    const { id } = await fetchAccount(client, named);
    await client.call(removeAccount, { params: { id } });
    return answer({ removed: id }, "Removed the account, its credentials and its pending deliveries.");
  },
});

export const accountsCommand = command(
  "accounts",
  "List the accounts that Kit posts to; connect, test, change or remove one",
  {
    group: "players",
    subcommands: [add, test, change, remove],
    run: async ({ client }) =>
      answer(await fetchAccounts(client), (accounts) => {
        if (accounts.length > 0) printAccounts(accounts);
        else print(`No account is connected yet. Connect one: ${kit(`accounts add ${networks.join("|")}`)}`);
      }),
  },
);
