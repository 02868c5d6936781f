// Writes generated issues directly into the database of a stopped launcher, because sending reports would take hours.
import { randomUUIDv7 } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type MadeUp, makeUp } from "./made-up.ts";

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
    VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, '{"left":20,"atMs":0,"hourMs":0,"seenInHour":0}')`);
  const count = database.prepare("INSERT INTO issue_count (fingerprint_seq, at_ms, span, n) VALUES (?, ?, ?, ?)");
  const sample = database.prepare(`
    INSERT INTO issue_sample (fingerprint_seq, event, number, at_ms, body, origin, client, bytes, irrelevance, chosen)
    VALUES (?, ?, ?, ?, ?, NULL, 'Godot/4.4 (Linux)', ?, 1, 1)`);
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
