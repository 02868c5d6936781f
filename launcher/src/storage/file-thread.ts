// The thread that works on whole database files; see file-work.ts.
import { closeSync, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { isSound, takeBackup } from "./backup.ts";
import { createRunner, openConnection } from "./connection.ts";
import { dataDirAt } from "./data-dir.ts";
import { describeFailure, isDamage, UnknownSchema, UnsoundDatabase } from "./failure.ts";
import type { Disarming, FileMade, FileWork, FileWorkDone, LeftOut } from "./file-work.ts";
import { isMadeHere } from "./made-backups.ts";
import { migrate } from "./migrate.ts";
import { salvage } from "./salvage/salvage.ts";
import { salvagedSays, writeReport } from "./salvage/says.ts";
import { assertSchema } from "./schema.ts";
import { assertKnownFile } from "./schema-version.ts";
import type { Statement } from "./sql.ts";

const besides = ["-wal", "-shm"];

function removeDatabase(path: string): void {
  for (const end of ["", ...besides]) rmSync(path + end, { force: true });
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

async function backUp({ dataDir, by }: FileWork & { type: "backup" }): Promise<string> {
  const dir = dataDirAt(dataDir);
  const database = new DatabaseSync(dir.database, { readOnly: true, timeout: 5_000 });
  try {
    return await takeBackup(database, dir.backups, new Date(), by, "reading");
  } finally {
    database.close();
  }
}

const damaged = () => new UnsoundDatabase("SQLite finds it damaged, or it is no database.");

function assertSound(path: string): void {
  if (!isSound(path)) throw damaged();
}

/** Nothing is written to it, and its schema is compared before the rest is read: the check of its structure computes what stands there. */
async function assertKits(path: string, migrations: string, check?: "integrity_check"): Promise<void> {
  const database = openConnection(path, "read");
  try {
    await assertSchema(database, migrations);
  } finally {
    database.close();
  }
  if (!isSound(path, check)) throw damaged();
}

/** In the order in which it has to be: counted, disarmed, and then given what is of this computer. */
function change(database: DatabaseSync, foreign: Disarming | undefined, statements: readonly Statement[]) {
  const { run, page } = createRunner(database);
  database.exec("BEGIN IMMEDIATE");
  const leftOut = foreign?.counts.map(({ called, count }) => ({ called, n: Number(page(count, 0).rows[0]?.n) }));
  for (const statement of [...(foreign?.statements ?? []), ...statements]) run(statement);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE);");
  return leftOut;
}

async function makeReady(work: FileWork & { type: "ready" }): Promise<FileMade> {
  const { at, copyOf, migrations, statements } = work;
  mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
  if (copyOf !== undefined) {
    removeDatabase(at);
    copyFileSync(copyOf, at);
  }
  try {
    assertKnownFile(at, migrations);
    const isMade = work.foreign === undefined || (await isMadeHere(work.foreign.backups, at));
    const foreign = isMade ? undefined : work.foreign;
    if (existsSync(at)) await assertKits(at, migrations, foreign && "integrity_check");
    let leftOut: readonly LeftOut[] | undefined;
    const database = openConnection(at, "write");
    try {
      await migrate(database, migrations, async () => undefined);
      await assertSchema(database, migrations);
      leftOut = change(database, foreign, statements);
    } finally {
      database.close();
    }
    sync(at);
    return { path: at, ...(leftOut && { leftOut }) };
  } catch (error) {
    if (copyOf !== undefined) removeDatabase(at);
    throw isDamage(error) ? damaged() : error;
  }
}

/** Under another name until it was found sound: a crash leaves the one or the other. */
function rewrite({ dataDir }: FileWork & { type: "rewrite" }): string {
  const { database: path } = dataDirAt(dataDir);
  const anew = `${path}.anew`;
  removeDatabase(anew);
  closeSync(openSync(anew, "wx", 0o600));
  const database = openConnection(path, "write");
  try {
    database.prepare("VACUUM INTO ?").run(anew);
  } finally {
    database.close();
  }
  assertSound(anew);
  sync(anew);
  for (const end of besides) rmSync(path + end, { force: true });
  renameSync(anew, path);
  return path;
}

async function salvageFrom({ dataDir, from, backup, migrations }: FileWork & { type: "salvage" }): Promise<string> {
  return writeReport(from, salvagedSays(await salvage({ dir: dataDirAt(dataDir), from, backup, migrations })));
}

async function done(work: FileWork): Promise<FileMade> {
  if (work.type === "ready") return makeReady(work);
  if (work.type === "salvage") return { path: await salvageFrom(work) };
  return { path: work.type === "backup" ? await backUp(work) : rewrite(work) };
}

const folderOf = (work: FileWork) => (work.type === "ready" ? dirname(work.at) : work.dataDir);

async function outcomeOf(work: FileWork): Promise<FileWorkDone> {
  try {
    return { ok: true, ...(await done(work)) };
  } catch (error) {
    if (error instanceof UnknownSchema) return { ok: false, why: "unknown", reason: error.message };
    if (error instanceof UnsoundDatabase) return { ok: false, why: "unsound", reason: error.message };
    return { ok: false, why: "failed", reason: describeFailure(error, folderOf(work)) };
  }
}

parentPort?.postMessage(await outcomeOf(workerData as FileWork));
