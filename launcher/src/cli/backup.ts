// `kit backup`: the backups there are, and what was set aside; make one, delete one.
import { deleteAside, deleteBackup, listAside, listBackups, makeBackup } from "@kit/contract";
import type { Command } from "commander";
import { BadSetting } from "../config.ts";
import { confirm } from "./confirm.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable, styled } from "./output.ts";
import { bytesText } from "./sizes.ts";
import { visible } from "./visible.ts";

const timeText = (at: string) => new Date(at).toLocaleString("sv-SE");

async function list(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  if (flags.json) return printJson({ backups, aside });
  const rows = [
    ...backups.map(({ name, at, bytes, by }) => [
      timeText(at),
      name,
      bytesText(bytes),
      by === "person" ? "you" : "Kit",
    ]),
    ...aside.map(({ name, at, bytes, why }) => [timeText(at), name, bytesText(bytes), `set aside: ${why}`]),
  ];
  if (rows.length === 0) return print("No backups yet. Kit makes one a day; make one now with `kit backup make`.");
  printTable(["MADE", "NAME", "SIZE", "BY"], rows);
  print(styled("dim", "Take one instead of what is there now: kit restore NAME"));
}

async function make(flags: CommonFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const made = await client.call(makeBackup);
  if (flags.json) return printJson(made);
  print(`Made and checked: ${made.name} (${bytesText(made.bytes)}). Clips' files and entrusted secrets are not in it.`);
}

async function remove(name: string, { yes = false, ...flags }: CommonFlags & { yes?: boolean }): Promise<void> {
  const { client } = await connect(configOf(flags));
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  const found = [...backups, ...aside].find((one) => one.name === name);
  if (found === undefined) throw new BadSetting(`There is no ${name}. \`kit backup\` lists what there is.`);
  await confirm([`${visible(name)} (${bytesText(found.bytes)}) is deleted for good.`], yes);
  const operation = backups.some((one) => one.name === name) ? deleteBackup : deleteAside;
  await client.call(operation, { params: { name } });
  if (flags.json) printJson({ deleted: name });
  else print(`Deleted: ${visible(name)}`);
}

export function backupCommand(): Command {
  return command("backup", "List backups and what was set aside; make or delete one")
    .action(list)
    .addCommand(command("list", "List backups and what was set aside").action(list))
    .addCommand(command("make", "Make a backup now, and check it").action(make))
    .addCommand(
      command("delete", "Delete a backup, or what was set aside, for good")
        .argument("<name>", "its name, from `kit backup`")
        .option("--yes", "do not ask")
        .action(remove),
    );
}
