// Reads the schema version of a database file, even of a damaged one, because Kit must not repair a file with an unknown schema.
// Reads the bytes itself, because SQLite would create the WAL's index beside the file.
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DataDir } from "./data-dir.ts";
import { UnknownSchema } from "./failure.ts";
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

/** Reads the version from the newest first page, in the WAL or in the file. Returns 0 if neither has an intact one. */
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
export type SchemaStep = { readonly version: number; readonly files: readonly string[] };

/** The first schema, whose folder is beside `migrations`, and one step per migration. */
export function schemaSteps(migrations: string): SchemaStep[] {
  const first = listSqlFiles(join(dirname(migrations), "schema"));
  const later = existsSync(migrations) ? listSqlFiles(migrations).map((file) => [file]) : [];
  return [first, ...later].map((files, index) => ({ version: firstVersion + index, files }));
}

const newestVersion = (migrations: string): number => schemaSteps(migrations).at(-1)?.version ?? firstVersion;

const isDevelopment = (version: number) => version > 0 && version < firstVersion;

/** Throws UnknownSchema if this Kit does not know the version. */
export function assertKnownSchemaVersion(version: number, migrations: string): void {
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
