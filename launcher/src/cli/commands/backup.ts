// `kit backup`: lists, makes and deletes backups and previous data.
import {
  type Client,
  deleteBackup,
  deletePreviousData,
  listBackups,
  listPreviousData,
  makeBackup,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import { answer, type CommandContext, command, confirmedFlag, parameter } from "../command.ts";
import { escapeInvisible, formatBytes, formatLocalTime, print, printTable, withStyle } from "../output.ts";
import { askConfirmation } from "../prompt.ts";

/** Lists the backups, and the previous data: what restores and resets replaced. */
export async function listBackupsAndPreviousData(client: Client) {
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listPreviousData)]);
  return { backups, aside };
}

async function list({ client }: Pick<CommandContext<Record<never, never>>, "client">) {
  return answer(await listBackupsAndPreviousData(client), ({ backups, aside }) => {
    const rows = [
      ...backups.map(({ by, ...each }) => ({ ...each, from: by === "person" ? "you" : "Kit" })),
      ...aside.map(({ why, ...each }) => ({ ...each, from: `previous data: ${why}` })),
    ].map(({ at, name, bytes, from }) => [formatLocalTime(at), name, formatBytes(bytes), from]);
    if (rows.length === 0) return print("No backups yet. Kit makes one a day; make one now with `kit backup make`.");
    printTable(["MADE", "NAME", "SIZE", "BY"], rows);
    print(withStyle("dim", "Restore one: kit restore NAME"));
  });
}

const summary = "List backups and previous data";

const make = command("make", "Make a backup now and verify it", {
  run: async ({ client }) =>
    answer(await client.call(makeBackup), ({ name, bytes }) =>
      print(`Made and verified: ${name} (${formatBytes(bytes)}). It does not include clip files or credentials.`),
    ),
});

const remove = command("delete", "Delete a backup or previous data permanently", {
  parameters: [parameter("<name>", "a name from `kit backup`")],
  flags: { yes: confirmedFlag() },
  async run({ client, flags }, name) {
    const { backups, aside } = await listBackupsAndPreviousData(client);
    const found = [...backups, ...aside].find((one) => one.name === name);
    if (found === undefined) throw new InvalidSetting(`There is no backup ${name}. \`kit backup\` lists all backups.`);
    const sentence = `${escapeInvisible(name)} (${formatBytes(found.bytes)}) will be deleted permanently.`;
    await askConfirmation([sentence], flags.yes);
    const operation = backups.some((one) => one.name === name) ? deleteBackup : deletePreviousData;
    await client.call(operation, { params: { name } });
    return answer({ deleted: name }, `Deleted: ${escapeInvisible(name)}`);
  },
});

export const backupCommand = command("backup", `${summary}; make or delete a backup`, {
  group: "storage",
  subcommands: [command("list", summary, { run: list }), make, remove],
  run: list,
});
