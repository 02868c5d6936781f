// `kit restore`: lists the backups and previous data, or replaces the data with one of them.

import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  getHealth,
  KitError,
  listBackups,
  listPreviousData,
  restoreBackup,
  restorePreviousData,
} from "@kit/contract";
import { type Config, InvalidSetting } from "../../config.ts";
import { backupName } from "../../storage/backup.ts";
import { dataDirAt } from "../../storage/data-dir.ts";
import { answer, type CommandAnswer, command, confirmedFlag, parameter } from "../command.ts";
import { connectToLauncher, identifyLauncher } from "../connection.ts";
import { escapeInvisible, formatBytes, formatLocalTime, kit, print, printTable, say, withStyle } from "../output.ts";
import { askConfirmation } from "../prompt.ts";

/** The backups, and the previous data: what restores and resets replaced. */
async function listBackupsAndPreviousData(client: Client) {
  const [{ backups }, { aside }] = await Promise.all([client.call(listBackups), client.call(listPreviousData)]);
  return { backups, aside };
}

type Restorable = Awaited<ReturnType<typeof listBackupsAndPreviousData>>;

function printRestorable({ backups, aside }: Restorable): void {
  const rows = [
    ...backups.map(({ by, ...each }) => ({ ...each, from: by === "person" ? "you" : "Kit" })),
    ...aside.map(({ why, ...each }) => ({ ...each, from: `previous data: ${why}` })),
  ].map(({ at, name, bytes, from }) => [formatLocalTime(at), name, formatBytes(bytes), from]);
  if (rows.length === 0)
    return print(`No backups yet. Kit makes one a day; make one now with \`${kit("api makeBackup")}\`.`);
  printTable(["MADE", "NAME", "SIZE", "BY"], rows);
  print(withStyle("dim", `Restore one: ${kit("restore NAME")}`));
}

const pollMs = 200;
const waitMsMax = 60_000;
/** How long the launcher may go on answering before it closes for the restore. */
const closesWithinMs = 3_000;

/** Waits until the launcher was closed and answers again. Returns false if that takes more than a minute. */
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

type PreviousData = { readonly aside: string };

/** Restores a file. Copies it into the folder of backups first, because the launcher restores only from there. */
async function restoreFile(file: string, { dataDir }: Config, client: Client): Promise<PreviousData> {
  const { backups } = dataDirAt(dataDir);
  mkdirSync(backups, { recursive: true, mode: 0o700 });
  const path = join(backups, backupName(new Date(), "person"));
  copyFileSync(file, path);
  try {
    return await client.call(restoreBackup, { params: { name: basename(path) } });
  } finally {
    // The launcher made a copy of its own, so this one is no longer needed.
    rmSync(path, { force: true });
  }
}

/** Waits for the launcher to restart, and says that the data was replaced. Throws KitError if it was not. */
async function reportReplacedData(config: Config, { aside }: PreviousData): Promise<CommandAnswer> {
  if (!(await waitUntilReopened(config))) {
    throw new KitError("internal", `The launcher did not restart within a minute. \`${kit("doctor")}\` shows why.`);
  }
  const { client } = await connectToLauncher(config);
  const isThere = (await client.call(listPreviousData)).aside.some(({ name }) => name === aside);
  if (!isThere)
    throw new KitError("internal", `The operation failed, and nothing was changed. \`${kit("doctor")}\` shows why.`);
  const { notices } = (await client.call(getHealth)).storage;
  return answer({ aside, notices }, () => {
    print(`Restored. The previous data was kept. To restore it: ${kit(`restore ${aside}`)}`);
    for (const notice of notices) print(escapeInvisible(say(notice)));
  });
}

export const restoreCommand = command("restore", "List the backups, or replace the data with one of them", {
  parameters: [parameter("[name]", "a name from the list, or the path of a backup file (default: print the list)")],
  flags: { yes: confirmedFlag() },
  async run({ client, config, flags }, what) {
    const restorable = await listBackupsAndPreviousData(client);
    if (what === undefined) return answer(restorable, printRestorable);
    const { backups, aside } = restorable;
    const isBackup = backups.some(({ name }) => name === what);
    const isAside = aside.some(({ name }) => name === what);
    if (!isBackup && !isAside && !existsSync(what)) {
      throw new InvalidSetting(`There is no backup or file ${what}. \`${kit("restore")}\` lists all backups.`);
    }
    const warnings = isAside
      ? []
      : [
          "If another Kit made the file, sign-ins, accounts and everything that sends or starts something are not restored.",
          "Clip files are not changed, but clips made since the backup will not be listed.",
        ];
    await askConfirmation(
      [
        `${escapeInvisible(what)} will replace the current data, which is kept as previous data.`,
        "The launcher restarts, so games cannot reach it for about a second. You can restore the previous data later.",
        ...warnings,
      ],
      flags.yes,
    );
    const params = { name: what };
    const previous = isBackup
      ? await client.call(restoreBackup, { params })
      : isAside
        ? await client.call(restorePreviousData, { params })
        : await restoreFile(what, config, client);
    return reportReplacedData(config, previous);
  },
});
