// The writer's hold on the database file: open with lock, check and repair, migrate, commit, back up, close.
import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { takeBackup } from "./backup.ts";
import { newestBackupAt } from "./backup-names.ts";
import { createRunner, openConnection } from "./connection.ts";
import type { DataDir } from "./data-dir.ts";
import { isDamage, isStatementFault } from "./failure.ts";
import { type FileWatch, watchFiles } from "./file-watch.ts";
import { workOnFile } from "./file-work.ts";
import type { Unit } from "./messages.ts";
import { migrate } from "./migrate.ts";
import {
  endedUncleanly,
  leftToSalvage,
  markClosed,
  markOpen,
  noteSalvaged,
  noteTry,
  restoreBackup,
  type SetAside,
  setAside,
  setAsideSays,
} from "./recovery.ts";
import { assertNotNewer, isNewer } from "./schema-version.ts";
import { writeWalAgain } from "./wal-file.ts";

const backupEveryMs = 86_400_000;
/** A start that was killed is gone on with once. */
const salvageTriesMax = 2;

export type JournalFile = {
  /** Commits the units in one transaction; one whose statement is at fault fails alone. Throws when storage fails. */
  commit(units: readonly Unit[]): (unknown | null)[];
  /** Writes something that changes nothing. Throws when storage fails. */
  tryWrite(): void;
  readonly watch: FileWatch;
  /** How many events it holds. */
  events(): number;
  /** Writes all it holds into a file that is there and empty. */
  copyInto(path: string): void;
  /** Writes the WAL back into the file and shortens it. Cheap when there is nothing to do. */
  checkpoint(): void;
  /** Makes the daily backup if it is due. */
  backUpIfDue(): Promise<void>;
  /** `clean: false` leaves the marker, so that the next opening checks the file. */
  close(clean: boolean): void;
};

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

/** Opens a sound database: a damaged one is set aside first. Says so in `notices`. */
async function openSound(
  dir: DataDir,
  migrations: string,
  suspicious: boolean,
  notices: string[],
): Promise<DatabaseSync> {
  const left = leftToSalvage(dir);
  if (left !== undefined) await recover(dir, migrations, left, notices);
  let damaged: DatabaseSync | undefined;
  try {
    const database = openConnection(dir.database, "write");
    if (!suspicious || isWhole(database)) return database;
    damaged = database;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  damaged?.close();
  const isUsable = (backup: string) => !isNewer(backup, migrations);
  await recover(dir, migrations, await setAside(dir, new Date(), isUsable), notices);
  return openConnection(dir.database, "write");
}

/** Opens the database for writing. `suspicious`: check the whole file even after a clean end. */
export async function openJournalFile(
  dir: DataDir,
  migrations: string,
  suspicious: boolean,
  notices: string[],
): Promise<JournalFile> {
  assertNotNewer(dir.database, migrations);
  writeWalAgain(dir.database);
  const database = await openSound(dir, migrations, suspicious || endedUncleanly(dir), notices);
  try {
    markOpen(dir);
    await migrate(database, migrations, async () => {
      await takeBackup(database, dir.backups, new Date());
    });
  } catch (error) {
    database.close();
    throw error;
  }
  const watch = watchFiles(dir.database);
  const runner = createRunner(database);

  const transact = (units: readonly Unit[]) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      for (const unit of units) for (const statement of unit) runner.run(statement);
      database.exec("COMMIT");
    } catch (error) {
      // Some failures have rolled back already; a second ROLLBACK would throw.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
  const commitAlone = (unit: Unit) => {
    try {
      transact([unit]);
      return null;
    } catch (error) {
      if (!isStatementFault(error)) throw error;
      return error;
    }
  };

  return {
    commit(units) {
      try {
        transact(units);
        return units.map(() => null);
      } catch (error) {
        if (!isStatementFault(error)) throw error;
        return units.length === 1 ? [error] : units.map(commitAlone);
      }
    },
    tryWrite() {
      const version = database.prepare("PRAGMA user_version").get()?.user_version;
      database.exec(`PRAGMA user_version = ${version}`);
    },
    watch,
    events: () => Number(database.prepare("SELECT count(*) AS events FROM event").get()?.events),
    copyInto: (path) => {
      database.prepare("VACUUM INTO ?").run(path);
    },
    checkpoint: () => database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA incremental_vacuum(256);"),
    async backUpIfDue() {
      if (Date.now() - newestBackupAt(dir.backups) >= backupEveryMs)
        await takeBackup(database, dir.backups, new Date());
    },
    close(clean) {
      database.close();
      if (clean) markClosed(dir);
    },
  };
}
