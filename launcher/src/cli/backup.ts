// `kit backup`: lists, makes and deletes backups and previous data.
import { deleteAside, deleteBackup, listAside, listBackups, makeBackup } from "@kit/contract";
import type { Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { confirm } from "./confirm.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { localTime, print, printJson, printTable, styled } from "./output.ts";
import { formatBytes } from "./units.ts";

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  if (flags.json) return printJson({ backups, aside });
  const rows = [
    ...backups.map(({ name, at, bytes, by }) => [
      localTime(at),
      name,
      formatBytes(bytes),
      by === "person" ? "you" : "Kit",
    ]),
    ...aside.map(({ name, at, bytes, why }) => [localTime(at), name, formatBytes(bytes), `previous data: ${why}`]),
  ];
  if (rows.length === 0) return print("No backups yet. Kit makes one a day; make one now with `kit backup make`.");
  printTable(["MADE", "NAME", "SIZE", "BY"], rows);
  print(styled("dim", "Restore one: kit restore NAME"));
}

async function make(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const made = await client.call(makeBackup);
  if (flags.json) return printJson(made);
  print(`Made and verified: ${made.name} (${formatBytes(made.bytes)}). It does not include clip files or credentials.`);
}

async function remove(name: string, { yes = false, ...flags }: CommonFlags & { yes?: boolean }): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  const found = [...backups, ...aside].find((one) => one.name === name);
  if (found === undefined) throw new InvalidSetting(`There is no backup ${name}. \`kit backup\` lists all backups.`);
  await confirm([`${escapeInvisible(name)} (${formatBytes(found.bytes)}) will be deleted permanently.`], yes);
  const operation = backups.some((one) => one.name === name) ? deleteBackup : deleteAside;
  await client.call(operation, { params: { name } });
  if (flags.json) printJson({ deleted: name });
  else print(`Deleted: ${escapeInvisible(name)}`);
}

export function backupCommand(): Command {
  return command("backup", "List backups and previous data; make or delete a backup")
    .helpGroup(helpGroups.storage)
    .action(list)
    .addCommand(command("list", "List backups and previous data").action(list))
    .addCommand(command("make", "Make a backup now and verify it").action(make))
    .addCommand(
      command("delete", "Delete a backup or previous data permanently")
        .argument("<name>", "a name from `kit backup`")
        .option("--yes", "do not ask for confirmation")
        .action(remove),
    );
}
