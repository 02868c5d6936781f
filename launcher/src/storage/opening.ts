// Opens the database, sound: a damaged one is set aside, the newest good backup restored, and what can still be read added to it.
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { openConnection } from "./connection.ts";
import type { DataDir } from "./data-dir.ts";
import { isDamage } from "./failure.ts";
import { workOnFile } from "./file-work.ts";
import {
  leftToSalvage,
  noteSalvaged,
  noteTry,
  restoreBackup,
  type SetAside,
  setAside,
  setAsideSays,
} from "./recovery.ts";
import { isKnownFile } from "./schema-version.ts";

/** A start that was killed is gone on with once. */
const salvageTriesMax = 2;

function isWhole(database: DatabaseSync): boolean {
  try {
    return database.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Restores a backup, adds what can be read of what was set aside, and says both in `notices`. */
async function recover(dir: DataDir, migrations: string, aside: SetAside, notices: string[]): Promise<void> {
  restoreBackup(dir, aside);
  notices.push(setAsideSays(aside));
  if (aside.tries >= salvageTriesMax) return noteSalvaged(aside);
  noteTry(aside);
  const { place: from, backup } = aside;
  try {
    const { path: report } = await workOnFile({ type: "salvage", dataDir: dir.path, from, backup, migrations });
    notices.push(readFileSync(report, "utf8").trim());
  } catch (error) {
    notices.push(`Nothing was added of what the damaged database still holds. ${(error as Error).message}`);
  }
  noteSalvaged(aside);
}

/** What is known of the file before it is opened. */
export type Doubts = {
  /** It has to be checked as a whole, even after a clean end. */
  readonly isInDoubt: boolean;
  /** Set where another program wrote into the file: whether it is still the database it was. Asked of a sound one only. */
  readonly isOurs?: (database: DatabaseSync) => boolean;
  /** Whether the times of files tell that another program wrote into one. */
  readonly isTimeTold: boolean;
};

export const noDoubts: Doubts = { isInDoubt: false, isTimeTold: true };

/** Opens a sound database: a damaged one is set aside first. Says so in `notices`. */
export async function openSound(
  dir: DataDir,
  migrations: string,
  { isInDoubt, isOurs = () => true }: Doubts,
  notices: string[],
): Promise<DatabaseSync> {
  const left = leftToSalvage(dir);
  if (left !== undefined) await recover(dir, migrations, left, notices);
  let damaged: DatabaseSync | undefined;
  try {
    const database = openConnection(dir.database, "write");
    if (!isInDoubt || (isWhole(database) && isOurs(database))) return database;
    damaged = database;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  damaged?.close();
  const isUsable = (backup: string) => isKnownFile(backup, migrations);
  await recover(dir, migrations, await setAside(dir, new Date(), isUsable), notices);
  return openConnection(dir.database, "write");
}
