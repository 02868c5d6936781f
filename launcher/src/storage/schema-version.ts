// Which schema a database has. Asked before anything else is, and of damaged files, too: an older Kit must not repair them.
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { openToRead } from "./connection.ts";
import { NewerDatabase } from "./failure.ts";

/** The first bytes of every database. */
const magic = Buffer.from("53514c69746520666f726d6174203300", "hex");
const versionAt = 60;
/** Beyond it the bytes are damage, not a version. */
const versionMax = 10_000;

/** By the header of a file that SQLite cannot open; 0 where it has none that is whole. */
function headerVersionOf(path: string): number {
  const header = Buffer.alloc(100);
  const file = openSync(path, "r");
  try {
    if (readSync(file, header) < header.length || !header.subarray(0, magic.length).equals(magic)) return 0;
  } finally {
    closeSync(file);
  }
  const version = header.readInt32BE(versionAt);
  return version > versionMax ? 0 : version;
}

function versionOf(path: string): number {
  if (!existsSync(path)) return 0;
  try {
    const { database } = openToRead(path, "at-rest");
    try {
      return Number(database.prepare("PRAGMA user_version").get()?.user_version);
    } finally {
      database.close();
    }
  } catch {
    return headerVersionOf(path);
  }
}

/** The migrations in the folder, in their order. */
export const migrationsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

export function assertKnown(version: number, known: number): void {
  if (version <= known) return;
  throw new NewerDatabase(
    `This data was written by a newer Kit: it has schema ${version}, and this one knows ${known}. Use the newer Kit.`,
  );
}

/** Throws NewerDatabase. Changes nothing of the file, and nothing beside it while no log lies there. */
export const assertNotNewer = (path: string, migrations: string): void =>
  assertKnown(versionOf(path), migrationsIn(migrations).length);

export function isNewer(path: string, migrations: string): boolean {
  return versionOf(path) > migrationsIn(migrations).length;
}
