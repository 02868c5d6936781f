// Makes a working copy of a damaged database that SQLite can open: merges the WAL, and replaces a damaged header or schema.

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { removePatientlySync } from "../../renames.ts";
import { openConnection } from "../connection.ts";
import { migrateDatabase } from "../schema.ts";

/** Path of an intact database with the same schema, whose tables probably begin on the same pages. */
export type DonorPath = string;

const headBytes = 100;
/** Header bytes that are equal in all Kit databases: magic, page size and format; schema format and encoding. */
const fixedHeaderRanges = [
  [0, 18],
  [20, 24],
  [44, 48],
  [56, 60],
  [72, 92],
] as const;

function readAt(path: string, at: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, at);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Replaces a damaged header with the donor's. SQLite then derives the number of pages from the file's size. */
function repairHeader(path: string, donor: DonorPath): void {
  const own = readAt(path, 0, headBytes);
  const donorHeader = readAt(donor, 0, headBytes);
  const isSame = fixedHeaderRanges.every(([from, to]) => own.subarray(from, to).equals(donorHeader.subarray(from, to)));
  const isWal = own[18] === 2 && own[19] === 2;
  if (isSame && isWal) return;
  donorHeader.fill(2, 18, 20);
  // Different counters make SQLite ignore the page count in the header. The free list is cleared.
  donorHeader.writeUInt32BE(1, 24);
  donorHeader.fill(0, 28, 40);
  donorHeader.writeUInt32BE(0, 92);
  const file = openSync(path, "r+");
  writeSync(file, donorHeader, 0, headBytes, 0);
  closeSync(file);
}

/** Creates an empty database with the newest schema. */
export async function createEmptyDatabase(folder: string, migrations: string): Promise<DonorPath> {
  removePatientlySync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, "kit.db");
  const database = openConnection(path, "write");
  await migrateDatabase(database, migrations, async () => undefined);
  database.close();
  return path;
}

/** Opens and closes the file, which makes SQLite merge the WAL regardless of the state of the pages. */
function mergeWal(path: string): void {
  try {
    const database = new DatabaseSync(path);
    try {
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    } finally {
      database.close();
    }
  } catch {
    // The caller checks the file afterwards.
  }
}

/** Replaces the schema pages with the donor's pages of the same numbers. */
function graftSchema(path: string, donor: DonorPath): void {
  const source = new DatabaseSync(donor, { readOnly: true });
  const pages = source.prepare("SELECT pageno, pgsize FROM dbstat WHERE name = 'sqlite_schema'").all();
  source.close();
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    for (const page of pages) {
      const number = Number(page.pageno);
      const bytes = Number(page.pgsize);
      const skipped = number === 1 ? headBytes : 0;
      const at = (number - 1) * bytes + skipped;
      if (at + bytes - skipped <= size) writeSync(file, readAt(donor, at, bytes - skipped), 0, bytes - skipped, at);
    }
  } finally {
    closeSync(file);
  }
}

/** Opens the file. Returns undefined if SQLite cannot read its schema, or if it is not Kit's. */
function tryOpen(path: string): DatabaseSync | undefined {
  try {
    const database = new DatabaseSync(path);
    try {
      database.enableDefensive(true);
      database.exec("PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1; PRAGMA query_only = 1;");
      const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      if (found.some(({ name }) => name === "event")) return database;
    } catch {
      // The database is closed below.
    }
    database.close();
  } catch {
    // SQLite cannot open the file.
  }
  return undefined;
}

/**
 * Copies the database in `from` to `folder` and opens it, with a donor's schema if necessary. `hasEvents` verifies that the tables
 * of a grafted schema are on the same pages as in the damaged file.
 */
export async function openWorkingCopy(
  from: string,
  folder: string,
  donors: readonly (() => Promise<DonorPath> | DonorPath | undefined)[],
  hasEvents: (database: DatabaseSync) => boolean,
): Promise<DatabaseSync | undefined> {
  if (!existsSync(join(from, "kit.db"))) return undefined;
  const path = join(folder, "kit.db");
  const copy = () => {
    removePatientlySync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const end of ["", "-wal"]) {
      const file = join(from, `kit.db${end}`);
      if (existsSync(file)) copyFileSync(file, path + end, constants.COPYFILE_FICLONE);
    }
  };
  copy();
  mergeWal(path);
  const whole = tryOpen(path);
  if (whole !== undefined) return whole;
  for (const make of donors) {
    const donor = await make();
    if (donor === undefined) continue;
    copy();
    // SQLite needs a valid header to merge the WAL. The WAL may contain a damaged first page, so the header is repaired again.
    repairHeader(path, donor);
    mergeWal(path);
    repairHeader(path, donor);
    graftSchema(path, donor);
    const grafted = tryOpen(path);
    if (grafted !== undefined && hasEvents(grafted)) return grafted;
    grafted?.close();
  }
  return undefined;
}
