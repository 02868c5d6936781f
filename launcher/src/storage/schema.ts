// The schema: reads the version of a database file, migrates a database to the newest schema, and compares one from elsewhere with
// Kit's.

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { message } from "@kit/contract/messages";
import type { DataDir } from "./data-dir.ts";
import { InvalidDatabase, UnknownSchema } from "./failure.ts";
import { readFirstPage } from "./guard/wal-frames.ts";

/**
 * Version of the schema in `schema/`. Each migration adds one. Development builds before 0.1.0 used the versions 1 to 20, so
 * they treat this Kit's data as that of a newer Kit and do not change it.
 */
const firstVersion = 100;

/** The first bytes of every SQLite database. */
const magic = Buffer.from("53514c69746520666f726d6174203300", "hex");
const headBytes = 100;
const versionAt = 60;
/** Maximum version. A larger number in a file is damage, not a version. */
const versionMax = 10_000;

function readHeader(path: string): Buffer {
  const head = Buffer.alloc(headBytes);
  const file = openSync(path, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head;
}

/**
 * Reads the version from the newest first page, in the WAL or in the file, even of a damaged database, because Kit must not repair
 * a file with an unknown schema. Returns 0 if neither page is intact. Reads the bytes itself, because SQLite would create the WAL's
 * index beside the file.
 */
function readVersion(path: string): number {
  if (!existsSync(path)) return 0;
  const isHead = (bytes: Buffer | undefined) => bytes?.subarray(0, magic.length).equals(magic);
  const head = [readFirstPage(`${path}-wal`), readHeader(path)].find(isHead);
  const version = head?.readInt32BE(versionAt) ?? 0;
  return version > versionMax ? 0 : version;
}

/** The .sql files of a folder, sorted by name. */
const listSqlFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => join(folder, name));

/** A schema version, and the files that migrate a database to it from the previous version. */
type SchemaStep = { readonly version: number; readonly files: readonly string[] };

/** The first schema, whose folder is beside `migrations`, and one step per migration. */
export function schemaSteps(migrations: string): SchemaStep[] {
  const first = listSqlFiles(join(dirname(migrations), "schema"));
  const later = existsSync(migrations) ? listSqlFiles(migrations).map((file) => [file]) : [];
  return [first, ...later].map((files, index) => ({ version: firstVersion + index, files }));
}

const newestVersion = (migrations: string): number => schemaSteps(migrations).at(-1)?.version ?? firstVersion;

const isDevelopment = (version: number) => version > 0 && version < firstVersion;

/** Throws UnknownSchema if this Kit does not know the version. */
function assertKnownSchemaVersion(version: number, migrations: string): void {
  if (isDevelopment(version)) {
    throw new UnknownSchema(
      `Its schema number is ${version}. Only development builds before Kit 0.1.0 used that number, and this Kit cannot read their data.`,
    );
  }
  const known = newestVersion(migrations);
  if (version <= known) return;
  throw new UnknownSchema(
    `This data was written by a newer Kit: it has schema ${version}, and this Kit knows schemas up to ${known}. Use the newer Kit.`,
  );
}

/** Throws UnknownSchema if this Kit does not know the file's schema. Writes no file. */
export const assertKnownDatabaseFile = (path: string, migrations: string): void =>
  assertKnownSchemaVersion(readVersion(path), migrations);

/** Like `assertKnownDatabaseFile` for the database of a data directory. The message says what a person can do. */
export function assertKnownData({ path, database }: DataDir, migrations: string): void {
  const version = readVersion(database);
  if (isDevelopment(version)) {
    throw new UnknownSchema(
      `The data directory ${path} was written by a development build before Kit 0.1.0, which this Kit cannot read. Nothing was changed. To keep the data, rename or move that directory, or start with another --data-dir.`,
    );
  }
  assertKnownSchemaVersion(version, migrations);
}

/** Throws UnknownSchema. Must be called before anything is written to the directory. Ignores read errors, which the opening reports. */
export function refuseUnknownData(dir: DataDir, migrations: string): void {
  try {
    assertKnownData(dir, migrations);
  } catch (error) {
    if (error instanceof UnknownSchema) throw error;
  }
}

export function hasKnownSchema(path: string, migrations: string): boolean {
  try {
    assertKnownDatabaseFile(path, migrations);
    return true;
  } catch (error) {
    if (error instanceof UnknownSchema) return false;
    throw error;
  }
}

export function schemaVersionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}

/**
 * Runs the missing steps up to schema `upTo`, each in one transaction, and returns their number. `migrations` is the folder of migrations, beside the
 * folder of the first schema. `backup` is called once before the first change, unless the database is new.
 */
export async function migrateDatabase(
  database: DatabaseSync,
  migrations: string,
  backup: () => Promise<void>,
  upTo = Number.POSITIVE_INFINITY,
): Promise<number> {
  const current = schemaVersionOf(database);
  assertKnownSchemaVersion(current, migrations);
  const missing = schemaSteps(migrations).filter(({ version }) => version > current && version <= upTo);
  if (missing.length > 0 && current > 0) await backup();
  for (const step of missing) apply(database, step);
  return missing.length;
}

function apply(database: DatabaseSync, { version, files }: SchemaStep): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const file of files) database.exec(readFileSync(file, "utf8"));
    database.exec(`PRAGMA user_version = ${version}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

type Entry = { readonly type: string; readonly name: string; readonly definition: string };

const nameCharsMax = 60;
const types = new Set(["table", "index", "trigger", "view"]);

function readSchema(database: DatabaseSync): Entry[] {
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master").all();
  return rows.map(({ type, name, tbl_name: table, sql }) => ({
    type: String(type),
    name: String(name),
    definition: JSON.stringify([type, name, table, sql]),
  }));
}

const entryText = ({ type, name }: Entry) =>
  `${types.has(type) ? type : "object"} ${JSON.stringify(name.slice(0, nameCharsMax))}`;

/**
 * Compares a database from elsewhere with Kit's schema of the same version, before statements run that could activate a foreign
 * trigger, view or computed column. Throws UnknownSchema, or InvalidDatabase with the name of a
 * foreign, changed or missing object.
 */
export async function assertSchema(database: DatabaseSync, migrations: string): Promise<void> {
  const version = schemaVersionOf(database);
  assertKnownSchemaVersion(version, migrations);
  if (version < 1) throw new InvalidDatabase(message("storage.not_kits"));
  const own = new DatabaseSync(":memory:");
  try {
    await migrateDatabase(own, migrations, async () => undefined, version);
    const missing = new Map(readSchema(own).map((entry) => [entry.name, entry]));
    for (const entry of readSchema(database)) {
      const expected = missing.get(entry.name);
      if (expected === undefined)
        throw new InvalidDatabase(message("storage.foreign_part", { part: entryText(entry) }));
      if (expected.definition !== entry.definition)
        throw new InvalidDatabase(message("storage.other_part", { part: entryText(entry) }));
      missing.delete(entry.name);
    }
    for (const entry of missing.values())
      throw new InvalidDatabase(message("storage.missing_part", { part: entryText(entry) }));
  } finally {
    own.close();
  }
}

/** Far above every number that Kit stores, and low enough that JavaScript still counts on from it. */
const numberMax = 2 ** 50;

/**
 * Throws InvalidDatabase if a file from elsewhere has a number that Kit never writes. With such a number of an event, no later
 * event could be stored. Must be called after `assertSchema`.
 */
export function assertNumbers(database: DatabaseSync): void {
  const tables = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").all();
  for (const { name } of tables) {
    const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(String(name));
    const isTooLarge = columns.map(
      (column) =>
        `typeof("${column.name}") = 'integer' AND "${column.name}" NOT BETWEEN ${-numberMax} AND ${numberMax}`,
    );
    const found = database.prepare(`SELECT 1 FROM "${name}" WHERE ${isTooLarge.join(" OR ")} LIMIT 1`).get();
    if (found !== undefined) throw new InvalidDatabase(message("storage.too_large_number", { table: String(name) }));
  }
}
