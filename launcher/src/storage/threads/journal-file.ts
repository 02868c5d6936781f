// The writer's connection to the database: opening, migration, commits, checkpoints and backups.

import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { MessageOrText } from "@kit/contract";
import { createBackup, newestBackupMs } from "../backup.ts";
import { createStatementRunner } from "../connection.ts";
import type { DataDir } from "../data-dir.ts";
import { isStatementError } from "../failure.ts";
import { createFileGuard, type FileGuard } from "../guard/file-guard.ts";
import {
  markDatabaseClosed,
  markDatabaseOpen,
  type OpenOptions,
  openIntactDatabase,
  wasClosedUncleanly,
} from "../opening.ts";
import { assertKnownData, migrateDatabase, schemaVersionOf } from "../schema.ts";
import type { WriteUnit } from "./messages.ts";

const bytesAtOnce = 1_048_576;

/**
 * Writes the content of the WAL again and syncs it. Must be called before SQLite reads the WAL. After a failed fsync, the system
 * keeps unwritten pages in its cache as if they were on the disk. A power cut would then lose them, and all later commits with
 * them. Runs only if a WAL exists, which is after an unclean shutdown.
 */
function rewriteWal(database: string): void {
  const path = `${database}-wal`;
  if (!existsSync(path)) return;
  const file = openSync(path, "r+");
  try {
    const buffer = Buffer.alloc(bytesAtOnce);
    for (let at = 0; ; ) {
      const bytes = readSync(file, buffer, 0, bytesAtOnce, at);
      if (bytes === 0) break;
      at += writeSync(file, buffer, 0, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const backupEveryMs = 86_400_000;
/** Number of frames after which a checkpoint runs: about 4 MB of WAL. */
const checkpointEveryFrames = 1_000;

export type JournalFile = {
  /**
   * Commits all units in one transaction. If a statement is wrong, commits the units one by one, and only that unit fails.
   * Throws if storage fails, or if the WAL was overwritten, in which case the live copy lacks the commit.
   */
  commit(units: readonly WriteUnit[]): (unknown | null)[];
  /** Tests the storage with a write that changes nothing. Throws if storage fails. */
  tryWrite(): void;
  readonly guard: FileGuard;
  /** Whether another connection has this database open, and not the database of another Kit. */
  readonly isSameDatabase: (database: DatabaseSync) => boolean;
  countEvents(): number;
  /** Writes the whole database into an existing empty file. */
  copyInto(path: string): void;
  /** Runs a checkpoint if the WAL is long, but only while the files are in place. */
  checkpointIfLong(): void;
  /** Runs a checkpoint and truncates the WAL, but only while the files are in place. */
  checkpoint(): void;
  /** Makes the daily backup if due. */
  backUpIfDue(): Promise<void>;
  /** With `clean: false`, leaves the open marker, so that the next opening checks the file. */
  close(clean: boolean): Promise<void>;
};

/** Remembers the newest event, which a database of another Kit does not contain. */
function createIdentityCheck(opened: DatabaseSync): JournalFile["isSameDatabase"] {
  const newest = opened.prepare("SELECT seq, id FROM event ORDER BY seq DESC LIMIT 1").get();
  return (database) => {
    if (newest === undefined) return true;
    try {
      return database.prepare("SELECT id FROM event WHERE seq = ?").get(Number(newest.seq))?.id === newest.id;
    } catch {
      // The other database has no such table.
      return false;
    }
  };
}

/** Opens an intact database and migrates it. */
async function openMigrated(dir: DataDir, migrations: string, doubts: OpenOptions, notices: MessageOrText[]) {
  if (doubts.isSameDatabase === undefined) assertKnownData(dir, migrations);
  rewriteWal(dir.database);
  const isInDoubt = doubts.mustCheck || wasClosedUncleanly(dir);
  const database = await openIntactDatabase(dir, migrations, { ...doubts, mustCheck: isInDoubt }, notices);
  try {
    const isNew = schemaVersionOf(database) === 0;
    if (!isNew) markDatabaseOpen(dir);
    // `checkpointIfLong` runs checkpoints instead, because the live copy has to read the WAL first.
    database.exec("PRAGMA wal_autocheckpoint = 0");
    await migrateDatabase(database, migrations, async () => {
      await createBackup(database, dir.backups, new Date());
    });
    if (isNew) markDatabaseOpen(dir);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export async function openJournalFile(
  dir: DataDir,
  migrations: string,
  doubts: OpenOptions,
  notices: MessageOrText[],
): Promise<JournalFile> {
  const database = await openMigrated(dir, migrations, doubts, notices);
  const guard = createFileGuard(dir, database, doubts.areTimesReliable);
  const isOurs = createIdentityCheck(database);
  const runner = createStatementRunner(database);
  const frames = database.prepare("PRAGMA wal_checkpoint(NOOP)");
  /** Length of the WAL in frames at the last checkpoint. It may grow on from there, because readers can keep SQLite from restarting it. */
  let writtenBack = 0;
  const runAll = (units: readonly WriteUnit[]) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      for (const unit of units) for (const statement of unit) runner.run(statement);
      database.exec("COMMIT");
    } catch (error) {
      // Some errors roll back automatically, and a second ROLLBACK would throw.
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
  const transact = (units: readonly WriteUnit[]) => {
    guard.runWrite(["-wal"], () => runAll(units));
  };
  const commitAlone = (unit: WriteUnit) => {
    try {
      transact([unit]);
      return null;
    } catch (error) {
      if (!isStatementError(error)) throw error;
      return error;
    }
  };

  return {
    commit(units) {
      try {
        transact(units);
        return units.map(() => null);
      } catch (error) {
        if (!isStatementError(error)) throw error;
        return units.length === 1 ? [error] : units.map(commitAlone);
      }
    },
    tryWrite() {
      const version = database.prepare("PRAGMA user_version").get()?.user_version;
      guard.runWrite(["-wal"], () => database.exec(`PRAGMA user_version = ${version}`));
    },
    guard,
    isSameDatabase: isOurs,
    countEvents: () => Number(database.prepare("SELECT count(*) AS events FROM event").get()?.events),
    copyInto: (path) => {
      database.prepare("VACUUM INTO ?").run(path);
    },
    checkpointIfLong() {
      const log = Number(frames.get()?.log);
      if (log < writtenBack) writtenBack = 0;
      if (log - writtenBack < checkpointEveryFrames || !guard.canCheckpoint()) return;
      writtenBack = log;
      guard.runWrite(["", "-wal"], () => database.exec("PRAGMA wal_checkpoint(PASSIVE)"));
    },
    checkpoint() {
      if (!guard.canCheckpoint()) return;
      guard.runWrite(["", "-wal"], () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
      guard.runWrite(["-wal"], () => database.exec("PRAGMA incremental_vacuum(256)"));
    },
    async backUpIfDue() {
      if (Date.now() - newestBackupMs(dir.backups) >= backupEveryMs)
        await createBackup(database, dir.backups, new Date());
    },
    async close(clean) {
      await guard.close();
      database.close();
      if (clean) markDatabaseClosed(dir);
    },
  };
}
