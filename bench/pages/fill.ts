// Writes generated games directly into the data directory of a stopped launcher.
import { randomUUIDv7 } from "node:crypto";
import { linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";

/** Amount of data in a launcher. */
export type Size = { readonly clips: number; readonly events: number; readonly sessions: number };

/** A short video and a picture, to which the files of all clips are hard links. */
export type Footage = { readonly video: string; readonly poster: string; readonly bytes: number };

const games = ["saga", "racer", "skyhook", "lanternwood"];
const moments = [
  "boss_defeated",
  "lap_record",
  "secret_found",
  "first_flight",
  "door_opened",
  "level_up",
  "wave_cleared",
];
const things = ["door", "lamp", "bridge", "mask", "crown", "raft", "wheel", "staff", "horn", "gate", "well", "moat"];
const tags = ["boss", "funny", "trailer"];
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const sessionMs = 40 * 60_000;
const clipMs = 17_000;

type Event = { readonly seq: number; readonly kind: string; readonly eventId: string | null; readonly atMs: number };

function payloadOf({ kind, eventId, atMs, seq }: Event): string {
  const timestamp = new Date(atMs).toISOString();
  const message = `The ${at(things, seq)} of the ${at(things, Math.floor(seq / things.length))} has no key`;
  if (kind === "monitor") return JSON.stringify({ message, stackTrace: "", timestamp });
  return JSON.stringify({ eventId, timestamp });
}

function eventOf(index: number, session: number, startedMs: number, eventsOfSession: number): Event {
  const within = index % eventsOfSession;
  const kind = within % 12 === 11 ? "monitor" : within % 25 === 24 ? "social" : "recording";
  const eventId = kind === "monitor" ? null : `${at(games, session)}_${at(moments, index)}`;
  return { seq: index + 1, kind, eventId, atMs: startedMs + Math.floor((within / eventsOfSession) * sessionMs) };
}

function statementsOf(database: DatabaseSync) {
  const event = database.prepare(`
    INSERT INTO event (seq, id, kind, event_id, payload, acts_on_ms, received_at_ms, status, reason, notes, origin, client, checksum)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'accepted', NULL, NULL, NULL, 'Godot/4.4 (Linux)', ?)`);
  const receipt = database.prepare("INSERT INTO receipt (event_seq, state, at_ms, by) VALUES (?, ?, ?, ?)");
  const clip = database.prepare(`
    INSERT INTO clip (seq, id, kind, state, title, game, from_ms, to_ms, duration_ms, file, bytes, width, height, frames, backend,
      priority, pinned, poster, preview)
    VALUES (?, ?, 'clip', 'saved', ?, ?, ?, ?, ?, ?, ?, 1280, 720, 510, 'ffmpeg', ?, ?, 1, 0)`);
  const moment = database.prepare(`
    INSERT INTO clip_moment (event, event_seq, clip_seq, kind, event_id, label, at_ms) VALUES (?, ?, ?, 'recording', ?, ?, ?)`);
  const tag = database.prepare("INSERT INTO clip_tag (clip_seq, tag, key) VALUES (?, ?, ?)");
  const session = database.prepare(`
    INSERT INTO game_session (seq, id, game, program, started_ms, last_ms, ended_ms, ending, exit_code, events, errors)
    VALUES (?, ?, ?, ?, ?, ?, ?, 'exited', 0, ?, ?)`);
  const part = database.prepare("INSERT INTO game_session_part (first_seq, last_seq, session_seq) VALUES (?, ?, ?)");
  return { event, receipt, clip, moment, tag, session, part };
}

type Statements = ReturnType<typeof statementsOf>;

function writeClip(
  { clip, moment, tag }: Statements,
  seq: number,
  made: Event & { id: string },
  file: string,
  bytes: number,
) {
  const { eventId, atMs } = made;
  const [game, ...words] = (eventId ?? "").split("_");
  const label = words.join(" ");
  const fromMs = atMs - 12_000;
  const id = randomUUIDv7();
  const priority = 100 * (1 + (seq % 9));
  const isPinned = seq % 50 === 0 ? 1 : 0;
  clip.run(seq, id, label, game ?? null, fromMs, fromMs + clipMs, clipMs, file, bytes, priority, isPinned);
  moment.run(made.id, made.seq, seq, eventId, label, atMs);
  if (seq % 4 === 0) tag.run(seq, at(tags, seq / 4), at(tags, seq / 4));
  return id;
}

function writeSession(statements: Statements, size: Size, index: number, footage: Footage, clipsDir: string): void {
  const perSession = size.events / size.sessions;
  const clipsPerSession = size.clips / size.sessions;
  const startedMs = Date.now() - (size.sessions - index) * 2 * sessionMs;
  const made = Array.from({ length: perSession }, (_, within) => {
    const event = eventOf(index * perSession + within, index, startedMs, perSession);
    const payload = payloadOf(event);
    const id = randomUUIDv7();
    const checksum = crc32(payload).toString(16).padStart(8, "0");
    statements.event.run(event.seq, id, event.kind, event.eventId, payload, event.atMs, event.atMs, checksum);
    statements.receipt.run(event.seq, "accepted", event.atMs, "inbox");
    return { ...event, id };
  });
  const ofClips = made.filter(({ kind }) => kind === "recording").slice(0, clipsPerSession);
  for (const [n, event] of ofClips.entries()) {
    const seq = index * clipsPerSession + n + 1;
    const file = `${seq}.mp4`;
    linkSync(footage.video, join(clipsDir, file));
    const id = writeClip(statements, seq, event, file, footage.bytes);
    linkSync(footage.poster, join(clipsDir, ".media", `${id}.jpg`));
  }
  const seq = index + 1;
  const game = at(games, index);
  const lastMs = made.at(-1)?.atMs ?? startedMs;
  const errors = made.filter(({ kind }) => kind === "monitor").length;
  statements.session.run(
    seq,
    randomUUIDv7(),
    game,
    game,
    startedMs,
    lastMs,
    startedMs + sessionMs,
    made.length,
    errors,
  );
  statements.part.run(made[0]?.seq ?? 0, made.at(-1)?.seq ?? 0, seq);
}

/** Fills `dataDir`, whose tables must exist. */
export function fill(dataDir: string, size: Size, footage: Footage): void {
  const clipsDir = join(dataDir, "clips");
  mkdirSync(join(clipsDir, ".media"), { recursive: true });
  const database = new DatabaseSync(join(dataDir, "kit.db"));
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN");
    const statements = statementsOf(database);
    for (let index = 0; index < size.sessions; index += 1) writeSession(statements, size, index, footage, clipsDir);
    // These slices' results are written directly; the monitor processes the reports itself.
    for (const slice of ["recording", "social", "sessions"]) {
      database.prepare("INSERT OR REPLACE INTO hand_over (slice, seq) VALUES (?, ?)").run(slice, size.events);
    }
    const game = database.prepare("INSERT INTO game (game, first_seen_at_ms) VALUES (?, 0)");
    const rule = database.prepare("INSERT INTO rule (kind, event_id, first_seen_at_ms) VALUES (?, ?, 0)");
    for (const name of games) {
      game.run(name);
      for (const moment of moments) for (const kind of ["recording", "social"]) rule.run(kind, `${name}_${moment}`);
    }
    database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}
