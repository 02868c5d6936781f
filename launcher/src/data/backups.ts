// Lists, creates, sends and deletes backups.

import { existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type Backup, detailOf, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { shareRun } from "../async.ts";
import { removePatientlySync } from "../renames.ts";
import { backupCreatedMs, creatorOfBackup, listBackups } from "../storage/backup.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { runDatabaseFileTask } from "../storage/threads/database-file-task.ts";

const backupAt = (path: string): Backup => ({
  name: basename(path),
  at: new Date(backupCreatedMs(path)).toISOString(),
  bytes: statSync(path).size,
  by: creatorOfBackup(path),
});

export type Backups = ReturnType<typeof createBackups>;

export function createBackups(dir: DataDir, onChanged: () => void) {
  const make = async (): Promise<Backup> => {
    try {
      const { path } = await runDatabaseFileTask({ type: "backup", dataDir: dir.path, by: "person" });
      onChanged();
      return backupAt(path);
    } catch (error) {
      throw new KitError("storage_unavailable", message("backup.failed", { problem: detailOf(error) }));
    }
  };
  /** Returns the path of a listed backup. Throws KitError for any other name, so that no other text becomes a path. */
  const pathOf = (name: string): string => {
    const path = listBackups(dir.backups).find((one) => basename(one) === name);
    if (path === undefined) throw new KitError("not_found", message("backup.unknown", { name }));
    return path;
  };
  return {
    /** Lists the newest backup first. Leaves out a file that is deleted meanwhile. */
    list: (): Backup[] => listBackups(dir.backups).flatMap((path) => (existsSync(path) ? [backupAt(path)] : [])),
    /** Makes only one backup at a time: further callers get the backup that is being made. */
    make: shareRun(make).run,
    pathOf,
    remove(name: string): void {
      removePatientlySync(pathOf(name), { force: true });
      onChanged();
    },
  };
}
