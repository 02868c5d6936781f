// Generates deterministic issues like those of a launcher after months of use, and writes them into the database of a stopped
// launcher, because sending reports would take hours.
import { createHash, randomUUIDv7 } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { rulesVersion } from "../../launcher/test/storm/count.ts";

const anHourMs = 3_600_000;
const aDayMs = 86_400_000;
/** Counts are by minute for this long, then by hour, then by day, as after upkeep. */
const minutesForMs = 3 * anHourMs;
const hoursForMs = 30 * aDayMs;
export const reportsPerIssue = 100;
/** Approximate number of reports per non-empty span. */
const burst = 10;
const burstsMax = 150;

const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);
const nouns = wordsIn(`
  anchor armour arrow axe banner barrel basket beacon bell blade boat bomb book boss bottle bow bridge bucket buffer button
  candle cannon carpet castle chain chest cloak coin compass crate crown crystal curtain dagger door dragon drum enemy engine
  feather fence flag flute forest fountain gate gem ghost glove golem grid hammer harbour helmet horn inventory jewel key
  ladder lamp lantern ledger lever lock map marker mask mirror moat mount needle node oven paddle panel passage pillar player
  portal potion quest quiver raft ribbon rope saddle scroll shader shield shovel slot spear sprite staff statue sword table
  texture throne tower torch tunnel valley wagon well wheel widget window wizard`);
/** Error messages of engines and games; a and b are replaced by nouns. */
const sentences = [
  "TypeError: Cannot read properties of undefined (reading 'a') in b",
  "NullReferenceException: Object reference not set to an instance of an object: a.b",
  "Invalid call. Nonexistent function 'a' in base 'b'",
  "Attempt to call function 'open_a' in base 'null instance' of b",
  "RangeError: Maximum call stack size exceeded while drawing a over b",
  "KeyNotFoundException: The given key 'a' was not present in the dictionary b",
  "Failed to load: a/b.png",
  "could not open the a of the b",
  "could not save a: disk quota of b reached",
  "a is not defined, needed by b",
  "Index a = 17 is out of bounds (b = 12)",
  "Variable a.b not set before reading it",
  'Condition "!a.is_valid()" is true. Returning: b',
  "Shader a: uniform b has no default",
];
/** Search words that occur in one issue, in some issues, and in a seventh of all. */
export const rareWord = (index: number): string => `zq${index.toString(36)}x`;
export const someWord = (index: number): string => `open_${nouns[index % nouns.length]}`;
export const commonWords = "could not";

type Count = { readonly atMs: number; readonly span: "minute" | "hour" | "day"; readonly n: number };
type MadeUp = {
  readonly id: string;
  readonly title: string;
  readonly culprit: string;
  readonly game: string | null;
  readonly state: "open" | "resolved" | "muted" | "regressed";
  readonly note: string | null;
  readonly deletedAtMs: number | null;
  readonly key: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly counts: readonly Count[];
  readonly total: number;
  readonly bodies: readonly string[];
};

/** A hash of the arguments, from 0 to 1. */
function chance(index: number, which: number): number {
  let x = Math.imul(index ^ (which * 0x9e3779b9), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32;
}
const oneOf = <T>(list: readonly T[], index: number, which: number): T =>
  list[Math.floor(chance(index, which) * list.length)] as T;

const games = ["saga", "saga", "saga", "saga", "racer", "racer", null];
const states = ["open", "open", "open", "open", "open", "open", "resolved", "resolved", "resolved", "muted"] as const;

/** The issue's message without its unique word. */
export function sentenceOf(index: number): string {
  const a = oneOf(nouns, index, 1);
  const b = oneOf(nouns, index, 2);
  return oneOf(sentences, index, 4)
    .replace(/\b(open_)?a\b/, `$1${a}`)
    .replace(/\bb\b/, b);
}
const titleOf = (index: number) => `${sentenceOf(index)} ${rareWord(index)}`;

/** Number of reports per issue: few issues have most reports. */
function countsOf(issues: number): (index: number) => number {
  let harmonic = 0;
  for (let rank = 1; rank <= issues; rank += 1) harmonic += 1 / rank;
  const most = (issues * reportsPerIssue) / harmonic;
  // Coprime to powers of ten, so that each rank occurs once.
  return (index) => Math.max(1, Math.round(most / (((index * 7_919) % issues) + 1)));
}

function spread(index: number, total: number, firstMs: number, lastMs: number, nowMs: number): Count[] {
  const bursts = Math.min(Math.ceil(total / burst), burstsMax);
  const counts = new Map<string, { atMs: number; span: Count["span"]; n: number }>();
  for (let at = 0; at < bursts; at += 1) {
    const n = Math.floor((total * (at + 1)) / bursts) - Math.floor((total * at) / bursts);
    // Recent spans have more reports.
    const share = at === 0 ? 0 : chance(index * 151 + at, 5) ** 2;
    const ms = Math.round(lastMs - share * (lastMs - firstMs));
    const age = nowMs - ms;
    const [span, spanMs] =
      age < minutesForMs
        ? (["minute", 60_000] as const)
        : age < hoursForMs
          ? (["hour", anHourMs] as const)
          : (["day", aDayMs] as const);
    const atMs = ms - (ms % spanMs);
    const name = `${span} ${atMs}`;
    const count = counts.get(name) ?? { atMs, span, n: 0 };
    count.n += n;
    counts.set(name, count);
  }
  return [...counts.values()];
}

/** Generates the `index`th newest issue. It is similar for every total number of issues. */
export function makeUp(issues: number, nowMs: number): (index: number) => MadeUp {
  const totalOf = countsOf(issues);
  return (index) => {
    const total = totalOf(index);
    const lastSeenMs = nowMs - 1_000 - Math.round(2_000 * index ** 1.3);
    const firstSeenMs = lastSeenMs - (total === 1 ? 0 : Math.round(chance(index, 6) * 60 * aDayMs));
    const title = titleOf(index);
    const noun = oneOf(nouns, index, 7);
    const stack = `at: open_${noun} (res://levels/${noun}.gd:${index % 400})\nat: _on_body_entered (res://player/player.gd:118)\nat: emit (res://core/bus.gd:9)`;
    const body = JSON.stringify([title, stack]);
    return {
      id: randomUUIDv7(),
      title,
      culprit: JSON.stringify({ function: `open_${noun}`, file: `res://levels/${noun}.gd` }),
      // The same number in small and large data sets.
      game: index % 20 === 7 && index < 1_200 ? "rarely_played" : oneOf(games, index, 8),
      state: index % 100 === 3 ? "regressed" : oneOf(states, index, 9),
      note: index % 50 === 1 ? "Mika looks at it" : null,
      deletedAtMs: index % 10 === 2 ? nowMs - aDayMs : null,
      key: createHash("sha256").update(title).digest("base64url"),
      firstSeenMs,
      lastSeenMs,
      counts: spread(index, total, firstSeenMs, lastSeenMs, nowMs),
      total,
      bodies: total === 1 ? [body] : [body, body],
    };
  };
}

export type Filled = {
  readonly issues: number;
  readonly reports: number;
  /** Number of count rows. */
  readonly counts: number;
  readonly bytes: number;
  readonly seconds: number;
  /** Ids of some issues, newest first. */
  readonly ids: readonly string[];
};

const idsWanted = 500;

/** Fast settings, because durability is not needed. */
const quickly = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN";

function writerOf(database: DatabaseSync): (issue: MadeUp, seq: number) => void {
  const issue = database.prepare(`
    INSERT INTO issue (seq, id, title, game, lane, dialect, culprit, why, state, state_since_ms, created_ms, first_seen_ms,
      last_seen_ms, count, note, deleted_at_ms)
    VALUES (?, ?, ?, ?, ?, 'gdscript', ?, '"By its message without values and by where it happened."', ?, ?, ?, ?, ?, ?, ?, ?)`);
  const fingerprint = database.prepare(`
    INSERT INTO issue_fingerprint (seq, issue_seq, home_seq, game, version, key, count, first_seen_ms, last_seen_ms, sampling)
    VALUES (?, ?, ?, ?, ${rulesVersion}, ?, ?, ?, ?, '{"left":20,"atMs":0,"hourMs":0,"seenInHour":0}')`);
  const count = database.prepare("INSERT INTO issue_count (fingerprint_seq, at_ms, span, n) VALUES (?, ?, ?, ?)");
  const sample = database.prepare(`
    INSERT INTO issue_sample (fingerprint_seq, event, event_seq, number, at_ms, body, origin, client, bytes, irrelevance, chosen)
    VALUES (?, ?, 0, ?, ?, ?, NULL, 'Godot/4.4 (Linux)', ?, 1, 1)`);
  return (made, seq) => {
    const { id, title, game, culprit, state, note, deletedAtMs, key, firstSeenMs, lastSeenMs, total } = made;
    const seen = [firstSeenMs, lastSeenMs] as const;
    issue.run(
      seq,
      id,
      title,
      game,
      game ?? "Godot/4.4",
      culprit,
      state,
      firstSeenMs,
      firstSeenMs,
      ...seen,
      total,
      note,
      deletedAtMs,
    );
    fingerprint.run(seq, seq, seq, game ?? "", key, total, ...seen);
    for (const { atMs, span, n } of made.counts) count.run(seq, atMs, span, n);
    for (const [index, body] of made.bodies.entries())
      sample.run(
        seq,
        randomUUIDv7(),
        index === 0 ? 1 : total,
        seen[index] ?? lastSeenMs,
        body,
        Buffer.byteLength(body),
      );
  };
}

/** Inserts the oldest issues first. */
export function fill(path: string, issues: number): Filled {
  const beganMs = performance.now();
  const database = new DatabaseSync(path);
  try {
    database.exec(quickly);
    const write = writerOf(database);
    const made = makeUp(issues, Date.now());
    const ids: string[] = [];
    const every = Math.ceil(issues / idsWanted);
    let reports = 0;
    let counts = 0;
    for (let index = issues - 1; index >= 0; index -= 1) {
      const one = made(index);
      write(one, issues - index);
      reports += one.total;
      counts += one.counts.length;
      // Deleted issues are in no list.
      if (index % every === 0 && one.deletedAtMs === null) ids.unshift(one.id);
    }
    database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    const size = database
      .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()")
      .get();
    return { issues, reports, counts, bytes: Number(size?.bytes), seconds: (performance.now() - beganMs) / 1_000, ids };
  } finally {
    database.close();
  }
}
