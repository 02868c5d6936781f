// Which schema a database has. Kit reads it before anything else, also from a damaged file: a Kit that does not know the schema must
// not repair the file. SQLite is not asked, since it would write the index of the log beside the file.
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DataDir } from "./data-dir.ts";
import { UnknownSchema } from "./failure.ts";
import { firstPageIn } from "./wal-frames.ts";

/**
 * The number of the schema in `schema/`; each migration adds one. Development builds before 0.1.0 used the numbers below it (1 to 20).
 * Such a build takes this Kit's data for a newer Kit's, and does not touch it either.
 */
const firstVersion = 100;

/** The first bytes of every database. */
const magic = Buffer.from("53514c69746520666f726d6174203300", "hex");
const headBytes = 100;
const versionAt = 60;
/** Beyond it the bytes are damage, not a version. */
const versionMax = 10_000;

function headOf(path: string): Buffer {
  const head = Buffer.alloc(headBytes);
  const file = openSync(path, "r");
  try {
    readSync(file, head);
  } finally {
    closeSync(file);
  }
  return head;
}

/** By the newest first page, in the log or in the file; 0 where neither holds a whole one. */
function versionAtRest(path: string): number {
  if (!existsSync(path)) return 0;
  const isHead = (bytes: Buffer | undefined) => bytes?.subarray(0, magic.length).equals(magic);
  const head = [firstPageIn(`${path}-wal`), headOf(path)].find(isHead);
  const version = head?.readInt32BE(versionAt) ?? 0;
  return version > versionMax ? 0 : version;
}

/** The .sql files of a folder, in their order. */
const sqlIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => join(folder, name));

/** A schema, and the files that bring a database to it from the schema before. */
export type Step = { readonly version: number; readonly files: readonly string[] };

/** The first schema, which lies beside the folder of migrations, and one step for each migration. There may be no migration yet. */
export function stepsOf(migrations: string): Step[] {
  const first = sqlIn(join(dirname(migrations), "schema"));
  const later = existsSync(migrations) ? sqlIn(migrations).map((file) => [file]) : [];
  return [first, ...later].map((files, index) => ({ version: firstVersion + index, files }));
}

const newestOf = (migrations: string): number => stepsOf(migrations).at(-1)?.version ?? firstVersion;

const isDevelopment = (version: number) => version > 0 && version < firstVersion;

/** Throws UnknownSchema. */
export function assertKnown(version: number, migrations: string): void {
  if (isDevelopment(version)) {
    throw new UnknownSchema(
      `Its schema number is ${version}. Only development builds before Kit 0.1.0 used that number, and this Kit cannot read their data.`,
    );
  }
  const known = newestOf(migrations);
  if (version <= known) return;
  throw new UnknownSchema(
    `This data was written by a newer Kit: it has schema ${version}, and this one knows ${known}. Use the newer Kit.`,
  );
}

/** Throws UnknownSchema. Changes neither the file nor anything beside it. */
export const assertKnownFile = (path: string, migrations: string): void => assertKnown(versionAtRest(path), migrations);

/** The same for the database of a data directory: the message says what a person can do. */
export function assertKnownData({ path, database }: DataDir, migrations: string): void {
  const version = versionAtRest(database);
  if (isDevelopment(version)) {
    throw new UnknownSchema(
      `The data directory ${path} was written by a development build before Kit 0.1.0, which this Kit cannot read. Nothing was changed. To keep the data, rename or move that directory; or start with another --data-dir.`,
    );
  }
  assertKnown(version, migrations);
}

/** To be called before anything is written there. Where the database cannot be read, the storage says so when it opens it. */
export function refuseUnknownData(dir: DataDir, migrations: string): void {
  try {
    assertKnownData(dir, migrations);
  } catch (error) {
    if (error instanceof UnknownSchema) throw error;
  }
}

export function isKnownFile(path: string, migrations: string): boolean {
  try {
    assertKnownFile(path, migrations);
    return true;
  } catch (error) {
    if (error instanceof UnknownSchema) return false;
    throw error;
  }
}
