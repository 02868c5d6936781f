// Writes made-up data into the database of a stopped launcher, because sending it would take days.
import { createHash, randomUUIDv7 } from "node:crypto";
import { linkSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import { rulesVersion } from "../launcher/test/storm/count.ts";

/** How much data: each session has 100 events, 10 clips and 100 issues. */
export type Size = { readonly sessions: number };
const perSession = { events: 100, clips: 10, issues: 100 };

const games = ["saga", "racer", "skyhook"] as const;
const nouns =
  `anchor armour arrow banner barrel beacon blade bridge bucket candle castle chest cloak compass crystal curtain
  dagger door dragon engine feather fence flute fountain gate ghost golem hammer harbour helmet inventory key ladder lantern
  lever map marker mask mirror needle oven paddle pillar portal quest raft ribbon saddle scroll shield slot spear statue
  sword throne torch tunnel valley wagon wheel`.split(/\s+/);
const sentences = [
  "TypeError: Cannot read properties of undefined (reading 'A') in B",
  "NullReferenceException: Object reference not set to an instance of an object: A.B",
  "Invalid call. Nonexistent function 'A' in base 'B'",
  "KeyNotFoundException: The given key 'A' was not present in the dictionary B",
  "Failed to load: A/B.png",
  "could not open the A of the B",
  "Index A = 17 is out of bounds (B = 12)",
];
const anHourMs = 3_600_000;
const sessionMs = 40 * 60_000;
const clipMs = 17_000;

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
/** Different nouns for neighbours. */
const noun = (index: number, factor: number): string => at(nouns, index * factor + (index >> 6));
/** A word that only this issue or clip has. */
export const rareWord = (index: number): string => `zq${index.toString(36)}x`;
/** Words of every seventh issue. */
export const commonWords = "could not";

const titleOf = (index: number) =>
  `${at(sentences, index).replace("A", noun(index, 7)).replace("B", noun(index, 11))} ${rareWord(index)}`;

type Insert = (table: string, row: Readonly<Record<string, string | number | null>>) => void;

/** Inserts rows, with one statement for each table. All rows of a table have the same columns. */
function inserter(database: DatabaseSync): Insert {
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  return (table, row) => {
    const names = Object.keys(row);
    const text = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    const statement = statements.get(table) ?? database.prepare(text);
    statements.set(table, statement);
    statement.run(...Object.values(row));
  };
}

/** Few issues have most of the reports. The oldest is written first. */
function writeIssue(insert: Insert, index: number, nowMs: number): string {
  const seq = index + 1;
  const id = randomUUIDv7();
  const title = titleOf(index);
  const game = at([...games, null], index);
  const place = noun(index, 13);
  const count = Math.max(1, Math.round(10_000 / (1 + ((index * 7_919) % 1_000))));
  const seen = { first_seen_ms: nowMs - 60 * anHourMs - index, last_seen_ms: nowMs - anHourMs + index };
  const state = at(["open", "open", "open", "resolved", "muted"], index);
  const culprit = JSON.stringify({ function: `open_${place}`, file: `res://levels/${place}.gd` });
  const why = '"By its message without values and by where it happened."';
  insert("issue", {
    ...{ seq, id, title, game, lane: game ?? "Godot/4.4", dialect: "gdscript", culprit, why, state, count, ...seen },
    ...{ state_since_ms: seen.first_seen_ms, created_ms: seen.first_seen_ms },
  });
  const key = createHash("sha256").update(title).digest("base64url");
  const sampling = '{"left":20,"atMs":0,"hourMs":0,"seenInHour":0}';
  const group = { issue_seq: seq, home_seq: seq, game: game ?? "", version: rulesVersion, key, count, sampling };
  insert("issue_fingerprint", { seq, ...group, ...seen });
  for (let hour = 0; hour < 10; hour += 1) {
    const atMs = seen.last_seen_ms - hour * 5 * anHourMs;
    insert("issue_count", {
      fingerprint_seq: seq,
      at_ms: atMs - (atMs % anHourMs),
      span: "hour",
      n: Math.ceil(count / 10),
    });
  }
  const body = JSON.stringify([title, `at: open_${place} (res://levels/${place}.gd:${index % 400})`]);
  const sample = {
    event: randomUUIDv7(),
    event_seq: 0,
    number: 1,
    at_ms: seen.first_seen_ms,
    body,
    irrelevance: 1,
    chosen: 1,
  };
  insert("issue_sample", {
    fingerprint_seq: seq,
    ...sample,
    client: "Godot/4.4 (Linux)",
    bytes: Buffer.byteLength(body),
  });
  return id;
}

function writeEvent(insert: Insert, seq: number, game: string, atMs: number): { id: string; eventId: string } {
  const id = randomUUIDv7();
  const eventId = `${game}_found_${noun(seq, 17)}`;
  const kind = seq % 25 === 24 ? "social" : "recording";
  const payload = JSON.stringify({ eventId, timestamp: new Date(atMs).toISOString() });
  const checksum = crc32(payload).toString(16).padStart(8, "0");
  insert("event", {
    ...{ seq, id, kind, event_id: eventId, payload, acts_on_ms: atMs, received_at_ms: atMs, status: "accepted" },
    ...{ client: "Godot/4.4 (Linux)", checksum },
  });
  insert("receipt", { event_seq: seq, state: "accepted", at_ms: atMs, by: "inbox" });
  return { id, eventId };
}

function writeSession(insert: Insert, index: number, nowMs: number, sessions: number, clipsDir: string): string[] {
  const game = at(games, index);
  const startedMs = nowMs - (sessions - index) * 2 * sessionMs;
  const firstSeq = index * perSession.events + 1;
  const ids: string[] = [];
  for (let n = 0; n < perSession.events; n += 1) {
    const seq = firstSeq + n;
    const atMs = startedMs + Math.floor((n / perSession.events) * sessionMs);
    const event = writeEvent(insert, seq, game, atMs);
    ids.push(event.id);
    if (n >= perSession.clips) continue;
    const clip = index * perSession.clips + n + 1;
    const file = `${clip}.mp4`;
    linkSync(join(clipsDir, "made-up"), join(clipsDir, file));
    const title = `found the ${noun(seq, 17)} ${rareWord(clip)}`;
    insert("clip", {
      ...{ seq: clip, id: randomUUIDv7(), kind: "clip", state: "saved", title, game, file, backend: "ffmpeg" },
      ...{ from_ms: atMs - 12_000, to_ms: atMs - 12_000 + clipMs, duration_ms: clipMs, bytes: 1, frames: 510 },
      ...{ width: 1_280, height: 720, priority: 100 * (1 + (clip % 9)) },
    });
    const moment = { event: event.id, event_seq: seq, clip_seq: clip, event_id: event.eventId, at_ms: atMs };
    insert("clip_moment", { ...moment, kind: "recording", label: title });
  }
  insert("game_session", {
    ...{ id: randomUUIDv7(), game, program: game, ending: "exited", exit_code: 0, events: perSession.events },
    ...{ started_ms: startedMs, last_ms: startedMs + sessionMs, ended_ms: startedMs + sessionMs },
  });
  const parts = { first_seq: firstSeq, last_seq: firstSeq + perSession.events - 1, session_seq: index + 1 };
  insert("game_session_part", parts);
  return ids;
}

/** What a call needs to know of the data: ids from the oldest to the newest, and how many issues and clips there are. */
export type Filled = {
  readonly issueIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly issues: number;
  readonly clips: number;
};

/** Fills a data folder, whose tables must exist. */
export function fill(dataDir: string, { sessions }: Size): Filled {
  const nowMs = Date.now();
  const clipsDir = join(dataDir, "clips");
  mkdirSync(clipsDir, { recursive: true });
  writeFileSync(join(clipsDir, "made-up"), "x");
  using database = new DatabaseSync(join(dataDir, "kit.db"));
  // Fast, because nothing here has to survive a power cut.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN");
  const insert = inserter(database);
  const issues = sessions * perSession.issues;
  const issueIds = Array.from({ length: issues }, (_, index) => writeIssue(insert, index, nowMs));
  const eventIds = Array.from({ length: sessions }, (_, index) =>
    writeSession(insert, index, nowMs, sessions, clipsDir),
  ).flat();
  for (const game of games) insert("game", { game, first_seen_at_ms: 0 });
  // What the slices would have made of the events is there already.
  const handedOver = database.prepare("INSERT OR REPLACE INTO hand_over (slice, seq) VALUES (?, ?)");
  for (const slice of ["recording", "monitor", "social", "sessions"]) handedOver.run(slice, eventIds.length);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  return { issueIds, eventIds, issues, clips: sessions * perSession.clips };
}
