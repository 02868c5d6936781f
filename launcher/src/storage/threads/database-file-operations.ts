// Operations on whole database files; see database-file-task.ts. They take long, so the launcher runs them in a thread.

import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { message } from "@kit/contract/messages";
import { removePatientlySync, renamePatientlySync } from "../../renames.ts";
import { createBackup, isOwnBackup, passesDatabaseCheck } from "../backup.ts";
import { createStatementRunner, openConnection } from "../connection.ts";
import { dataDirAt } from "../data-dir.ts";
import { InvalidDatabase, isCorruption } from "../failure.ts";
import { salvageDatabase, salvageReport, writeSalvageReport } from "../salvage/salvage.ts";
import { assertKnownDatabaseFile, assertNumbers, assertSchema, migrateDatabase } from "../schema.ts";
import type { DatabaseFileResult, DatabaseFileTask, ForeignCleanup, OmittedRows } from "./database-file-task.ts";

const sidecarSuffixes = ["-wal", "-shm"];

function removeDatabase(path: string): void {
  for (const end of ["", ...sidecarSuffixes]) removePatientlySync(path + end, { force: true });
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

async function backUpDatabase({ dataDir, by }: DatabaseFileTask & { type: "backup" }): Promise<string> {
  const dir = dataDirAt(dataDir);
  const database = new DatabaseSync(dir.database, { readOnly: true, timeout: 5_000 });
  try {
    return await createBackup(database, dir.backups, new Date(), by, "reading");
  } finally {
    database.close();
  }
}

const corruptionError = () => new InvalidDatabase(message("storage.file_damaged"));

function assertSound(path: string): void {
  if (!passesDatabaseCheck(path)) throw corruptionError();
}

/** Compares the schema first, because the other checks evaluate expressions in it. Writes nothing. */
async function assertKitFile(path: string, migrations: string, check?: "integrity_check"): Promise<void> {
  const database = openConnection(path, "read");
  try {
    await assertSchema(database, migrations);
    if (!passesDatabaseCheck(path, check)) throw corruptionError();
    assertNumbers(database);
  } finally {
    database.close();
  }
}

/** Counts the omitted rows of a foreign database, removes them, and then runs the statements for this computer. */
function applyChanges(
  database: DatabaseSync,
  foreign: ForeignCleanup | undefined,
  { statements, kept }: DatabaseFileTask & { type: "prepare" },
) {
  const { run, page } = createStatementRunner(database);
  const present = foreign === undefined ? kept : undefined;
  if (present !== undefined) database.prepare("ATTACH ? AS present").run(present.present);
  database.exec("BEGIN IMMEDIATE");
  const leftOut = foreign?.counts.map(({ table, count }) => ({ table, n: Number(page(count, 0).rows[0]?.n) }));
  const own = foreign ?? present;
  for (const statement of [...(own?.statements ?? []), ...statements]) run(statement);
  database.exec("COMMIT; PRAGMA main.wal_checkpoint(TRUNCATE);");
  return leftOut;
}

async function prepareDatabase(task: DatabaseFileTask & { type: "prepare" }): Promise<DatabaseFileResult> {
  const { at, copyOf, migrations } = task;
  mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
  if (copyOf !== undefined) {
    removeDatabase(at);
    copyFileSync(copyOf, at);
  }
  try {
    assertKnownDatabaseFile(at, migrations);
    const isOwn = task.foreign === undefined || (await isOwnBackup(task.foreign.backups, at));
    const foreign = isOwn ? undefined : task.foreign;
    if (existsSync(at)) await assertKitFile(at, migrations, foreign && "integrity_check");
    let leftOut: readonly OmittedRows[] | undefined;
    const database = openConnection(at, "write");
    try {
      await migrateDatabase(database, migrations, async () => undefined);
      await assertSchema(database, migrations);
      leftOut = applyChanges(database, foreign, task);
    } finally {
      database.close();
    }
    sync(at);
    return { path: at, ...(leftOut && { leftOut }) };
  } catch (error) {
    if (copyOf !== undefined) removeDatabase(at);
    throw isCorruption(error) ? corruptionError() : error;
  }
}

/** Copies the database without deleted content, checks the copy, and replaces the file. A crash leaves the old or the new file. */
function vacuumDatabase({ dataDir }: DatabaseFileTask & { type: "vacuum" }): string {
  const { database: path } = dataDirAt(dataDir);
  const compacted = `${path}.anew`;
  removeDatabase(compacted);
  closeSync(openSync(compacted, "wx", 0o600));
  const database = openConnection(path, "write");
  try {
    database.prepare("VACUUM INTO ?").run(compacted);
  } finally {
    database.close();
  }
  assertSound(compacted);
  sync(compacted);
  for (const end of sidecarSuffixes) removePatientlySync(path + end, { force: true });
  renamePatientlySync(compacted, path);
  return path;
}

async function salvageFrom({ dataDir, ...task }: DatabaseFileTask & { type: "salvage" }): Promise<DatabaseFileResult> {
  const report = salvageReport(await salvageDatabase({ dir: dataDirAt(dataDir), ...task }));
  return { path: writeSalvageReport(task.from, report), report };
}

export async function runDatabaseFileOperation(task: DatabaseFileTask): Promise<DatabaseFileResult> {
  if (task.type === "prepare") return prepareDatabase(task);
  if (task.type === "salvage") return salvageFrom(task);
  return { path: task.type === "backup" ? await backUpDatabase(task) : vacuumDatabase(task) };
}
