// A copy of a damaged database that SQLite opens: with what its WAL holds, and, where its own schema is broken, another file's.
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openConnection } from "../connection.ts";
import { migrate } from "../migrate.ts";

/** A sound file with the schema as the damaged one had it, most likely on the same pages. */
export type Donor = string;

const headBytes = 100;
/** What every file of Kit has in its header: name, page size, format; then schema format and encoding. */
const fixed = [
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

/** Puts the donor's header in place of one that SQLite would refuse. Pages are counted by the file's size then. */
function mendHead(path: string, donor: Donor): void {
  const own = readAt(path, 0, headBytes);
  const theirs = readAt(donor, 0, headBytes);
  const isSame = fixed.every(([from, to]) => own.subarray(from, to).equals(theirs.subarray(from, to)));
  const isWal = own[18] === 2 && own[19] === 2;
  if (isSame && isWal) return;
  theirs.fill(2, 18, 20);
  // Two counters that differ: SQLite does not trust the number of pages. And no list of free ones.
  theirs.writeUInt32BE(1, 24);
  theirs.fill(0, 28, 40);
  theirs.writeUInt32BE(0, 92);
  const file = openSync(path, "r+");
  writeSync(file, theirs, 0, headBytes, 0);
  closeSync(file);
}

/** A database that holds nothing, with the newest schema. */
export async function makeFresh(folder: string, migrations: string): Promise<Donor> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, "kit.db");
  const database = openConnection(path, "write");
  await migrate(database, migrations, async () => undefined);
  database.close();
  return path;
}

/** The last to close writes the WAL back, whatever state the pages are in. */
function takeInWal(path: string): void {
  try {
    const database = new DatabaseSync(path);
    try {
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
    } finally {
      database.close();
    }
  } catch {
    // It is looked at after this.
  }
}

/** Puts the donor's schema pages in place of those at the same numbers. */
function graftSchema(path: string, donor: Donor): void {
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

/** Undefined where SQLite cannot read its schema, or it is none of Kit's. */
function opened(path: string): DatabaseSync | undefined {
  try {
    const database = new DatabaseSync(path);
    try {
      database.enableDefensive(true);
      database.exec("PRAGMA trusted_schema = 0; PRAGMA cell_size_check = 1; PRAGMA query_only = 1;");
      const found = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      if (found.some(({ name }) => name === "event")) return database;
    } catch {
      // Closed below.
    }
    database.close();
  } catch {
    // SQLite does not open it at all.
  }
  return undefined;
}

/**
 * A copy of the database in the folder `from`, below `folder`, and opened. That a grafted schema's tables lie where the damaged
 * file has them is only likely: `hasEvents` tells.
 */
export async function openWorkingCopy(
  from: string,
  folder: string,
  donors: readonly (() => Promise<Donor> | Donor | undefined)[],
  hasEvents: (database: DatabaseSync) => boolean,
): Promise<DatabaseSync | undefined> {
  const path = join(folder, "kit.db");
  const copy = () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const end of ["", "-wal"]) {
      const file = join(from, `kit.db${end}`);
      if (existsSync(file)) copyFileSync(file, path + end, constants.COPYFILE_FICLONE);
    }
  };
  copy();
  takeInWal(path);
  const whole = opened(path);
  if (whole !== undefined) return whole;
  for (const make of donors) {
    const donor = await make();
    if (donor === undefined) continue;
    copy();
    // Without a header SQLite does not look for a WAL; that may hold the first page, so it is mended again.
    mendHead(path, donor);
    takeInWal(path);
    mendHead(path, donor);
    graftSchema(path, donor);
    const grafted = opened(path);
    if (grafted !== undefined && hasEvents(grafted)) return grafted;
    grafted?.close();
  }
  return undefined;
}
