// Support: makes the data folder of a killed launcher, always the same, with one backup, and damages copies of it.
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { EventKind } from "@kit/contract";
import { insertEvent, insertReceiptState, saveSliceCursor } from "../../src/inbox/inbox-store.ts";
import { backupName } from "../../src/storage/backup.ts";
import { type DataDir, dataDirAt } from "../../src/storage/data-dir.ts";
import { markDatabaseOpen } from "../../src/storage/opening.ts";
import { type Statement, sql } from "../../src/storage/sql.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { openStorageFolder } from "../support/storage-folder.ts";

export const pageBytes = 4_096;
const batch = 25;
const startMs = Date.parse("2026-05-01T12:00:00Z");
const kinds: readonly EventKind[] = ["recording", "monitor", "social"];
const digits = (number: number, length: number) => String(number).padStart(length, "0");
const idOf = (number: number) => `01969c1e-0000-7000-8000-${digits(number, 12)}`;

function eventAt(number: number): Statement {
  const kind = kinds[number % kinds.length] ?? "social";
  const stack = Array.from({ length: number % 9 }, (_, line) => `at fight${line} (fight.js:${number})`).join("\n");
  return insertEvent({
    id: idOf(number),
    kind,
    eventId: kind === "monitor" ? null : `castle_event_${number % 9}`,
    payload: JSON.stringify({
      eventId: `castle_event_${number % 9}`,
      message: `Hero ${number} is lost`,
      stackTrace: stack,
    }),
    actsOnMs: startMs + number,
    receivedAtMs: startMs + number,
    status: "accepted",
    reason: null,
    notes: [],
    origin: null,
    client: "a game of its own",
  });
}

/** What the slices write for a batch, each with its cursor. */
function dispatched(from: number, to: number): Statement[] {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const of = (kind: EventKind) => numbers.filter((number) => kinds[number % kinds.length] === kind);
  const clips = of("recording").flatMap((number) => [
    sql`
      INSERT INTO clip (id, kind, state, title, from_ms, to_ms, priority)
      VALUES (${`clip-${number}`}, 'marker', 'marked', ${`Castle event ${number}`}, ${startMs + number}, ${startMs + number + 1}, 0)`,
    sql`
      INSERT INTO clip_moment (event, event_seq, clip_seq, kind, event_id, label, at_ms)
      SELECT ${idOf(number)}, ${number + 1}, max(seq), 'recording', 'castle_event', 'Castle event', ${startMs + number} FROM clip`,
  ]);
  const issues = of("monitor").map(
    (number) =>
      sql`UPDATE issue SET count = count + 1, last_seen_ms = ${startMs + number} WHERE seq = ${1 + (number % 13)}`,
  );
  return [
    ...kinds.flatMap((kind) => [
      insertReceiptState(
        of(kind).map((number) => ({ seq: number + 1 })),
        kind === "recording" ? "marked" : kind === "monitor" ? "grouped" : "ignored",
        kind,
        startMs + to,
        `said of a ${kind} event`,
      ),
      saveSliceCursor(kind, Math.max(...of(kind)) + 1),
    ]),
    ...clips,
    ...issues,
  ];
}

const issueAt = (number: number): Statement[] => [
  sql`
    INSERT INTO issue (id, title, lane, dialect, why, state_since_ms, created_ms, first_seen_ms, last_seen_ms, count)
    VALUES (${`issue-${digits(number, 4)}`}, ${`Hero has no sword, case ${number}`}, 'castle', 'text', 'by its message', ${startMs}, ${startMs}, ${startMs}, ${startMs}, 0)`,
  sql`
    INSERT INTO issue_fingerprint (issue_seq, home_seq, game, version, key, count, first_seen_ms, last_seen_ms, sampling)
    SELECT max(seq), max(seq), 'castle', 1, ${`key ${number}`}, 0, ${startMs}, ${startMs}, '{}' FROM issue`,
];

async function play(storage: Storage, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += batch) {
    const last = Math.min(to, first + batch);
    await storage.write(...Array.from({ length: last - first }, (_, index) => eventAt(first + index)));
    await storage.write(...dispatched(first, last));
  }
}

export function withDatabase<T>(path: string, look: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

export type DamagedFolder = {
  /** A copy of the data directory, deleted at the end of the test. */
  copy(): DataDir & Disposable;
  [Symbol.dispose](): void;
};

/** Only the WAL has the newest pages. */
export async function makeUsedFolder(eventsBefore: number, eventsAfter: number): Promise<DamagedFolder> {
  const folder = mkdtempSync(join(tmpdir(), "kit-damaged-"));
  const made = dataDirAt(join(folder, "made"));
  mkdirSync(made.backups, { recursive: true, mode: 0o700 });
  {
    await using used = await openStorageFolder();
    const { dir, storage } = used;
    await storage.write(...Array.from({ length: 13 }, (_, number) => issueAt(number)).flat());
    await play(storage, 0, eventsBefore);
    const source = new DatabaseSync(dir.database);
    await backup(source, join(made.backups, backupName(new Date(startMs), "launcher")));
    await play(storage, eventsBefore, eventsBefore + eventsAfter * 0.9);
    source.exec("PRAGMA wal_checkpoint(PASSIVE)");
    source.close();
    await play(storage, eventsBefore + eventsAfter * 0.9, eventsBefore + eventsAfter);
    for (const end of ["", "-wal"]) copyFileSync(dir.database + end, made.database + end);
  }
  markDatabaseOpen(made);
  return {
    copy() {
      const path = mkdtempSync(join(folder, "copy-"));
      cpSync(made.path, path, { recursive: true, preserveTimestamps: true });
      return { ...dataDirAt(path), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const damageKinds = ["bit", "page", "sector", "bytes"] as const;

/** Damages the file at a random place. */
export function damage(file: string, seed: number): string {
  const random = randomFrom(seed);
  const bytes = readFileSync(file);
  const kind = damageKinds[seed % damageKinds.length] ?? "bit";
  const at = Math.floor(random() * bytes.length);
  const page = at - (at % pageBytes);
  const sector = at - (at % 512);
  if (kind === "bit") bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  if (kind === "page") bytes.fill(0, page, page + pageBytes);
  if (kind === "sector") bytes.fill(0, sector, sector + 512);
  if (kind === "bytes") for (let index = at; index < at + 64; index += 1) bytes[index] = Math.floor(random() * 256);
  writeFileSync(file, bytes);
  return `${kind} at ${at} (page ${1 + page / pageBytes})`;
}

/** The ids of the intact events that a plain SELECT reads before its first error. */
export function readableEvents(dir: DataDir): Set<string> {
  const ids = new Set<string>();
  const path = mkdtempSync(join(tmpdir(), "kit-plain-"));
  for (const end of ["", "-wal"]) cpSync(dir.database + end, join(path, `kit.db${end}`));
  try {
    const database = new DatabaseSync(join(path, "kit.db"));
    try {
      for (const row of database.prepare("SELECT id, payload, checksum FROM event").iterate()) {
        const intact = crc32(String(row.payload)).toString(16).padStart(8, "0") === row.checksum;
        if (intact) ids.add(String(row.id));
      }
    } finally {
      database.close();
    }
  } catch {
    // Rows that were read before the error count.
  } finally {
    rmSync(path, { recursive: true });
  }
  return ids;
}
