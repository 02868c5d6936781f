// Issues in SQL, as they are read.
import type { IssueFilter, IssueOccurrence, IssueSort, IssueState } from "@kit/contract";
import { type Row, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { type KeptIssue, keptOf } from "./issue-row.ts";

const anHourMs = 3_600_000;
const aDayMs = 86_400_000;
const hoursShown = 24;
const daysShown = 30;
const occurrencesMax = 120;

export type KeptReport = IssueOccurrence & {
  readonly message: string;
  readonly stackTrace: string;
  readonly origin: string | null;
  readonly client: string | null;
};

/** What is muted by time wakes when it is looked at; the writing follows. */
const columns = (nowMs: number) => sql`
  SELECT seq, id, title, game, dialect, culprit, why, overflow, state_since_ms AS stateSinceMs, note, count,
    iif(state = 'muted' AND muted_until_ms <= ${nowMs}, 'open', state) AS state, muted_until_ms AS mutedUntilMs,
    muted_until_count AS mutedUntilCount, first_seen_ms AS firstSeenMs, last_seen_ms AS lastSeenMs,
    deleted_at_ms AS deletedAtMs, merged_into AS mergedInto
  FROM issue`;
const joined = (...parts: readonly Statement[]): Statement => ({
  text: parts.map(({ text }) => text).join(""),
  values: parts.flatMap(({ values }) => values),
});

/** Each walks an index of its own. `after`: the place of the last one before. */
const orders: Readonly<Record<IssueSort, (after: readonly [number, number]) => Statement>> = {
  lastSeen: ([at, seq]) => sql` AND (last_seen_ms, seq) < (${at}, ${seq}) ORDER BY last_seen_ms DESC, seq DESC`,
  firstSeen: ([at, seq]) => sql` AND (first_seen_ms, seq) < (${at}, ${seq}) ORDER BY first_seen_ms DESC, seq DESC`,
  count: ([at, seq]) => sql` AND (count, seq) < (${at}, ${seq}) ORDER BY count DESC, seq DESC`,
};

function placeOf(sort: IssueSort, last: KeptIssue | null): readonly [number, number] {
  if (last === null) return [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const { issue, seq } = last;
  return [sort === "count" ? issue.count : Date.parse(issue[sort]), seq];
}

/** As `columns` says it. All but the open ones by an index: those are many, and soon found. */
function inState(state: IssueState, nowMs: number): Statement {
  if (state === "open") return sql` AND (+state = 'open' OR (+state = 'muted' AND muted_until_ms <= ${nowMs}))`;
  const awake = state === "muted" ? nowMs : Number.MIN_SAFE_INTEGER;
  return sql` AND state = ${state} AND NOT coalesce(muted_until_ms <= ${awake}, 0)`;
}

function matching({ state, game, search, bin = false }: IssueFilter, nowMs: number): Statement {
  const parts = [sql` WHERE listed = ${bin ? 1 : 0}`];
  if (state !== undefined) parts.push(inState(state, nowMs));
  if (game !== undefined) parts.push(sql` AND coalesce(game, 'unsorted') = ${game}`);
  if (search !== undefined && search !== "") {
    const wanted = search.toWellFormed();
    parts.push(
      sql` AND instr(lower(title || ' ' || coalesce(culprit, '') || ' ' || coalesce(note, '')), lower(${wanted})) > 0`,
    );
  }
  return joined(...parts);
}

const occurrenceOf = (row: Row): IssueOccurrence => ({
  event: String(row.event),
  at: new Date(Number(row.atMs)).toISOString(),
  number: Number(row.number),
});

function reportOf(row: Row): KeptReport {
  const [message, stackTrace] = JSON.parse(String(row.body)) as [string, string];
  const { origin, client } = row as { origin: string | null; client: string | null };
  return { ...occurrenceOf(row), message, stackTrace, origin, client };
}

export type IssueStore = ReturnType<typeof createIssueStore>;

export function createIssueStore(storage: Storage, now: () => number) {
  /** Counts of each issue by `spanMs`, `spans` of them up to now, oldest first. */
  const spansOf = async (seqs: readonly number[], spanMs: number, spans: number): Promise<Map<number, number[]>> => {
    const sinceMs = (Math.floor(now() / spanMs) - spans + 1) * spanMs;
    const rows = await storage.read(sql`
      SELECT f.issue_seq AS issue, CAST((at_ms - ${sinceMs}) / ${spanMs} AS INTEGER) AS span, sum(n) AS n
      FROM json_each(${JSON.stringify(seqs)}) AS w
      CROSS JOIN issue_fingerprint AS f ON f.issue_seq = w.value
      CROSS JOIN issue_count AS c ON c.fingerprint_seq = f.seq AND c.at_ms >= ${sinceMs}
      GROUP BY 1, 2`);
    const found = new Map(seqs.map((seq) => [seq, Array.from({ length: spans }, () => 0)]));
    for (const { issue, span, n } of rows) {
      const counts = found.get(Number(issue));
      // What a clock that was set back dated ahead counts as now.
      const at = Math.min(Number(span), spans - 1);
      if (counts !== undefined) counts[at] = (counts[at] ?? 0) + Number(n);
    }
    return found;
  };
  const kept = async (which: Statement): Promise<KeptIssue[]> => {
    const rows = await storage.read(joined(columns(now()), which));
    const hours = await spansOf(
      rows.map(({ seq }) => Number(seq)),
      anHourMs,
      hoursShown,
    );
    return rows.map((row) => keptOf(row, hours.get(Number(row.seq)) ?? [], now()));
  };

  return {
    /** In that order, after `last`. */
    list: (filter: IssueFilter, sort: IssueSort, last: KeptIssue | null, limit: number): Promise<KeptIssue[]> =>
      kept(joined(matching(filter, now()), orders[sort](placeOf(sort, last)), sql` LIMIT ${limit}`)),
    find: async (id: string): Promise<KeptIssue | undefined> => (await kept(sql` WHERE id = ${id}`))[0],
    at: async (seq: number): Promise<KeptIssue | undefined> => (await kept(sql` WHERE seq = ${seq}`))[0],
    /** By day, in UTC. */
    days: async (seq: number): Promise<number[]> => (await spansOf([seq], aDayMs, daysShown)).get(seq) ?? [],
    /** The kept reports, newest first. */
    async occurrences(seq: number): Promise<IssueOccurrence[]> {
      const rows = await storage.read(sql`
        SELECT event, at_ms AS atMs, number FROM issue_sample AS s JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq
        WHERE f.issue_seq = ${seq} ORDER BY at_ms DESC, number DESC LIMIT ${occurrencesMax}`);
      return rows.map(occurrenceOf);
    },
    async report(seq: number, event: string): Promise<KeptReport | undefined> {
      const [row] = await storage.read(sql`
        SELECT event, at_ms AS atMs, number, body, origin, client
        FROM issue_sample AS s JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq
        WHERE f.issue_seq = ${seq} AND event = ${event}`);
      return row && reportOf(row);
    },
    /** What was merged into it, with the counts of their own. */
    async merged(seq: number): Promise<{ id: string; title: string; count: number }[]> {
      const rows = await storage.read(sql`
        SELECT id, title, (SELECT coalesce(sum(count), 0) FROM issue_fingerprint WHERE home_seq = issue.seq) AS count
        FROM issue WHERE merged_into = ${seq} ORDER BY seq`);
      return rows.map(({ id, title, count }) => ({ id: String(id), title: String(title), count: Number(count) }));
    },
  };
}
