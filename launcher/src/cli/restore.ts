// `kit restore`: takes a backup, or what was set aside, instead of what is there now.
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getHealth, KitError, listAside, listBackups, restoreAside, restoreBackup } from "@kit/contract";
import type { Command } from "commander";
import { BadSetting, type Config } from "../config.ts";
import { backupName } from "../storage/backup-names.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { confirm } from "./confirm.ts";
import { type Connection, connect, whoAnswers } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

// Waits while the launcher closes and opens anew, and says when it is there again.

const lookEveryMs = 200;
const waitMsMax = 60_000;
/** It answers a moment longer before it closes. */
const closesWithinMs = 3_000;

/** True once it answers again; false where it did not within a minute. */
async function reopened(config: Config): Promise<boolean> {
  const answers = async () => (await whoAnswers(config)).who === "own";
  const beganMs = performance.now();
  const since = () => performance.now() - beganMs;
  while (since() < closesWithinMs && (await answers())) await pause(lookEveryMs / 4);
  while (since() < waitMsMax) {
    if (await answers()) return true;
    await pause(lookEveryMs);
  }
  return false;
}

type RestoreFlags = CommonFlags & { yes?: boolean };
type Restoring = { readonly aside: string };

/** A file from elsewhere is put among the backups, where the launcher checks it before anything moves. */
async function restoreFile(file: string, { dataDir }: Config, { client }: Connection): Promise<Restoring> {
  const { backups } = dataDirAt(dataDir);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  const path = join(backups, backupName(new Date(), "person"));
  copyFileSync(file, path);
  try {
    return await client.call(restoreBackup, { params: { name: basename(path) } });
  } finally {
    // What was restored is a copy of it.
    rmSync(path, { force: true });
  }
}

async function restore(what: string, { yes = false, ...flags }: RestoreFlags): Promise<void> {
  const config = configOf(flags);
  const connection = await connect(config);
  const { client } = connection;
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  const isBackup = backups.some(({ name }) => name === what);
  const isAside = aside.some(({ name }) => name === what);
  if (!isBackup && !isAside && !existsSync(what)) {
    throw new BadSetting(`There is no backup and no file ${what}. \`kit backup\` lists what there is.`);
  }
  await confirm(
    [
      `What is there now is set aside, and ${visible(what)} takes its place.`,
      "The launcher opens anew; games cannot reach it for about a second. What is set aside can be brought back.",
      ...(isAside
        ? []
        : [
            "Of a file that this Kit did not make, sign-ins, accounts and all that sends or starts something is left out.",
          ]),
      ...(isAside ? [] : ["Clips' files stay where they are: clips made since are not listed then."]),
    ],
    yes,
  );
  const params = { name: what };
  const began = isBackup
    ? await client.call(restoreBackup, { params })
    : isAside
      ? await client.call(restoreAside, { params })
      : await restoreFile(what, config, connection);
  await sayReopened(config, began, flags.json === true, "Restored.");
}

/** Of a launcher that was told to open anew. */
export async function sayReopened(config: Config, { aside }: Restoring, json: boolean, done: string): Promise<void> {
  if (!(await reopened(config))) {
    throw new KitError("internal", "The launcher did not open again within a minute. `kit doctor` says what is wrong.");
  }
  const { client } = await connect(config);
  const isThere = (await client.call(listAside)).aside.some(({ name }) => name === aside);
  if (!isThere) throw new KitError("internal", "It did not work, and all is as it was. `kit health` says why.");
  const { notices } = (await client.call(getHealth)).storage;
  if (json) return printJson({ aside, notices });
  print(`${done} What was there before was set aside. Bring it back with: kit restore ${aside}`);
  for (const notice of notices) print(visible(notice));
}

export function restoreCommand(): Command {
  return command("restore", "Take a backup, or what was set aside, instead of what is there now")
    .argument("<name or file>", "a name from `kit backup`, or a backup's file")
    .option("--yes", "do not ask")
    .action(restore);
}
