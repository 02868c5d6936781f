// The writer's hold on the database file: open, migrate, commit, write the log back, back up, close.
import type { DatabaseSync } from "node:sqlite";
import { takeBackup } from "./backup.ts";
import { newestBackupAt } from "./backup-names.ts";
import { createRunner } from "./connection.ts";
import type { DataDir } from "./data-dir.ts";
import { isStatementFault } from "./failure.ts";
import { type FileGuard, guardFiles } from "./file-guard.ts";
import type { Unit } from "./messages.ts";
import { migrate } from "./migrate.ts";
import { type Doubts, openSound } from "./opening.ts";
import { endedUncleanly, markClosed, markOpen } from "./recovery.ts";
import { assertKnownData } from "./schema-version.ts";
import { writeWalAgain } from "./wal-file.ts";

const backupEveryMs = 86_400_000;
/** 4 MB of log. */
const checkpointEveryFrames = 1_000;

export type JournalFile = {
  /**
   * Commits the units in one transaction; one whose statement is at fault fails alone. Throws when storage fails, and where the log
   * was overwritten meanwhile: then the live copy lacks the commit.
   */
  commit(units: readonly Unit[]): (unknown | null)[];
  /** Writes something that changes nothing. Throws when storage fails. */
  tryWrite(): void;
  readonly guard: FileGuard;
  /** Whether another connection shows the same database, not another Kit's. */
  readonly isOurs: (database: DatabaseSync) => boolean;
  /** How many events it holds. */
  events(): number;
  /** Writes all it holds into a file that is there and empty. */
  copyInto(path: string): void;
  /** Writes the log back into the file if it has grown long. Only while the files are in place. */
  checkpointIfLong(): void;
  /** Writes the log back into the file and shortens it. Cheap when there is nothing to do. Only while the files are in place. */
  checkpoint(): void;
  /** Makes the daily backup if it is due. */
  backUpIfDue(): Promise<void>;
  /** `clean: false` leaves the marker, so that the next opening checks the file. */
  close(clean: boolean): Promise<void>;
};

/** Remembers the newest event: another Kit's database does not have it. */
function landmarkOf(opened: DatabaseSync): JournalFile["isOurs"] {
  const newest = opened.prepare("SELECT seq, id FROM event ORDER BY seq DESC LIMIT 1").get();
  return (database) => {
    if (newest === undefined) return true;
    try {
      return database.prepare("SELECT id FROM event WHERE seq = ?").get(Number(newest.seq))?.id === newest.id;
    } catch {
      // It has no such table.
      return false;
    }
  };
}

/** A sound database with the newest schema. */
async function openMigrated(dir: DataDir, migrations: string, doubts: Doubts, notices: string[]) {
  if (doubts.isOurs === undefined) assertKnownData(dir, migrations);
  writeWalAgain(dir.database);
  const isInDoubt = doubts.isInDoubt || endedUncleanly(dir);
  const database = await openSound(dir, migrations, { ...doubts, isInDoubt }, notices);
  try {
    markOpen(dir);
    // The live copy reads a log before it is written back; `checkpointIfLong` does that.
    database.exec("PRAGMA wal_autocheckpoint = 0");
    await migrate(database, migrations, async () => {
      await takeBackup(database, dir.backups, new Date());
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the database for writing. */
export async function openJournalFile(
  dir: DataDir,
  migrations: string,
  doubts: Doubts,
  notices: string[],
): Promise<JournalFile> {
  const database = await openMigrated(dir, migrations, doubts, notices);
  const guard = guardFiles(dir, database, doubts.isTimeTold);
  const isOurs = landmarkOf(database);
  const runner = createRunner(database);
  const frames = database.prepare("PRAGMA wal_checkpoint(NOOP)");
  /** Frames of the log at its last checkpoint. While somebody reads, the log goes on behind them. */
  let writtenBack = 0;
  const runAll = (units: readonly Unit[]) => {
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
  const transact = (units: readonly Unit[]) => {
    guard.writing(["-wal"], () => runAll(units));
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
      guard.writing(["-wal"], () => database.exec(`PRAGMA user_version = ${version}`));
    },
    guard,
    isOurs,
    events: () => Number(database.prepare("SELECT count(*) AS events FROM event").get()?.events),
    copyInto: (path) => {
      database.prepare("VACUUM INTO ?").run(path);
    },
    checkpointIfLong() {
      const log = Number(frames.get()?.log);
      if (log < writtenBack) writtenBack = 0;
      if (log - writtenBack < checkpointEveryFrames || !guard.canCheckpoint()) return;
      writtenBack = log;
      guard.writing(["", "-wal"], () => database.exec("PRAGMA wal_checkpoint(PASSIVE)"));
    },
    checkpoint() {
      if (!guard.canCheckpoint()) return;
      guard.writing(["", "-wal"], () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
      guard.writing(["-wal"], () => database.exec("PRAGMA incremental_vacuum(256)"));
    },
    async backUpIfDue() {
      if (Date.now() - newestBackupAt(dir.backups) >= backupEveryMs)
        await takeBackup(database, dir.backups, new Date());
    },
    async close(clean) {
      await guard.close();
      database.close();
      if (clean) markClosed(dir);
    },
  };
}
