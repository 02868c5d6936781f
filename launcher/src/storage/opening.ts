// Opens the database. Moves a damaged one to quarantine, restores the newest good backup, and salvages readable rows.

import type { DatabaseSync } from "node:sqlite";
import { detailOf, type MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { openConnection } from "./connection.ts";
import type { DataDir } from "./data-dir.ts";
import { isCorruption } from "./failure.ts";
import {
  findPendingSalvage,
  type QuarantinedDatabase,
  quarantineDatabase,
  quarantineNotice,
  recordSalvageAttempt,
  recordSalvageDone,
  restoreBackup,
} from "./quarantine.ts";
import { hasKnownSchema } from "./schema-version.ts";
import { runDatabaseFileTask } from "./threads/database-file-task.ts";

/** A salvage interrupted by a crash is retried once. */
const salvageTriesMax = 2;

function passesQuickCheck(database: DatabaseSync): boolean {
  try {
    return database.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
  } catch (error) {
    if (isCorruption(error)) return false;
    throw error;
  }
}

/** Restores the backup, salvages rows of the quarantined database, and adds what happened to `notices`. */
async function restoreAndSalvage(
  dir: DataDir,
  migrations: string,
  aside: QuarantinedDatabase,
  notices: MessageOrText[],
): Promise<void> {
  restoreBackup(dir, aside);
  notices.push(quarantineNotice(aside));
  if (aside.attempts >= salvageTriesMax) return recordSalvageDone(aside);
  recordSalvageAttempt(aside);
  const { place: from, backup } = aside;
  try {
    const { report } = await runDatabaseFileTask({ type: "salvage", dataDir: dir.path, from, backup, migrations });
    if (report !== undefined) notices.push(report);
  } catch (error) {
    notices.push(message("storage.nothing_recovered", { problem: detailOf(error) }));
  }
  recordSalvageDone(aside);
}

export type OpenOptions = {
  /** Check the whole file, even after a clean shutdown. */
  readonly mustCheck: boolean;
  /** Set if another program wrote to the file. Returns whether the file, if intact, is still the same database. */
  readonly isSameDatabase?: (database: DatabaseSync) => boolean;
  /** Whether modification times reveal writes by other programs. */
  readonly areTimesReliable: boolean;
};

export const defaultOpenOptions: OpenOptions = { mustCheck: false, areTimesReliable: true };

/** Opens the database, after replacing a damaged one. Adds what happened to `notices`. */
export async function openIntactDatabase(
  dir: DataDir,
  migrations: string,
  { mustCheck: isInDoubt, isSameDatabase: isOurs = () => true }: OpenOptions,
  notices: MessageOrText[],
): Promise<DatabaseSync> {
  const left = findPendingSalvage(dir);
  if (left !== undefined) await restoreAndSalvage(dir, migrations, left, notices);
  let damaged: DatabaseSync | undefined;
  try {
    const database = openConnection(dir.database, "write");
    if (!isInDoubt || (passesQuickCheck(database) && isOurs(database))) return database;
    damaged = database;
  } catch (error) {
    if (!isCorruption(error)) throw error;
  }
  damaged?.close();
  const isUsable = (backup: string) => hasKnownSchema(backup, migrations);
  await restoreAndSalvage(dir, migrations, await quarantineDatabase(dir, new Date(), isUsable), notices);
  return openConnection(dir.database, "write");
}
