// `kit restore`: replaces the data with a backup or with previous data.
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getHealth, KitError, listAside, listBackups, restoreAside, restoreBackup } from "@kit/contract";
import type { Command } from "commander";
import { type Config, InvalidSetting } from "../config.ts";
import { backupName } from "../storage/backup-names.ts";
import { dataDirAt } from "../storage/data-dir.ts";
import { confirm } from "./confirm.ts";
import { type Connection, connect, identifyLauncher } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

const pollMs = 200;
const waitMsMax = 60_000;
/** The launcher still answers for a moment before it closes. */
const closesWithinMs = 3_000;

/** Waits until the launcher has restarted and answers. Returns false if it does not within a minute. */
async function waitUntilReopened(config: Config): Promise<boolean> {
  const answers = async () => (await identifyLauncher(config)).who === "own";
  const beganMs = performance.now();
  const since = () => performance.now() - beganMs;
  while (since() < closesWithinMs && (await answers())) await pause(pollMs / 4);
  while (since() < waitMsMax) {
    if (await answers()) return true;
    await pause(pollMs);
  }
  return false;
}

type RestoreFlags = CommonFlags & { yes?: boolean };
type PreviousData = { readonly aside: string };

/** Copies the file into the backups folder, because the launcher restores only from there. */
async function restoreFile(file: string, { dataDir }: Config, { client }: Connection): Promise<PreviousData> {
  const { backups } = dataDirAt(dataDir);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  const path = join(backups, backupName(new Date(), "person"));
  copyFileSync(file, path);
  try {
    return await client.call(restoreBackup, { params: { name: basename(path) } });
  } finally {
    // The launcher restored a copy, so this file is no longer needed.
    rmSync(path, { force: true });
  }
}

async function restore(what: string, { yes = false, ...flags }: RestoreFlags): Promise<void> {
  const config = configFromFlags(flags);
  const connection = await connect(config);
  const { client } = connection;
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listAside)]);
  const isBackup = backups.some(({ name }) => name === what);
  const isAside = aside.some(({ name }) => name === what);
  if (!isBackup && !isAside && !existsSync(what)) {
    throw new InvalidSetting(`There is no backup or file ${what}. \`kit backup\` lists all backups.`);
  }
  await confirm(
    [
      `${escapeInvisible(what)} will replace the current data, which is kept as previous data.`,
      "The launcher restarts, so games cannot reach it for about a second. You can restore the previous data later.",
      ...(isAside
        ? []
        : [
            "If another Kit made the file, sign-ins, accounts and everything that sends or starts something are not restored.",
          ]),
      ...(isAside ? [] : ["Clip files are not changed, but clips made since the backup will not be listed."]),
    ],
    yes,
  );
  const params = { name: what };
  const previous = isBackup
    ? await client.call(restoreBackup, { params })
    : isAside
      ? await client.call(restoreAside, { params })
      : await restoreFile(what, config, connection);
  await reportReopened(config, previous, flags.json === true, "Restored.");
}

/** Waits for the restarted launcher and prints whether the replacement worked. Throws KitError if it did not. */
export async function reportReopened(
  config: Config,
  { aside }: PreviousData,
  json: boolean,
  done: string,
): Promise<void> {
  if (!(await waitUntilReopened(config))) {
    throw new KitError("internal", "The launcher did not restart within a minute. `kit doctor` shows why.");
  }
  const { client } = await connect(config);
  const isThere = (await client.call(listAside)).aside.some(({ name }) => name === aside);
  if (!isThere)
    throw new KitError("internal", "The operation failed, and nothing was changed. `kit health` shows why.");
  const { notices } = (await client.call(getHealth)).storage;
  if (json) return printJson({ aside, notices });
  print(`${done} The previous data was kept. To restore it: kit restore ${aside}`);
  for (const notice of notices) print(escapeInvisible(notice));
}

export function restoreCommand(): Command {
  return command("restore", "Replace the data with a backup or with previous data")
    .helpGroup(helpGroups.storage)
    .argument("<name or file>", "a name from `kit backup`, or the path of a backup file")
    .option("--yes", "do not ask for confirmation")
    .action(restore);
}
