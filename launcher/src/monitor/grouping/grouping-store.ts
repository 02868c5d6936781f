// SQL of the grouping. Counts belong to a fingerprint, and the fingerprint names its issue, so the statements are correct
// even if the issue is merged, split or deleted before they run.
import { type Row, type Statement, sql, toMessageColumn } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { insertNotices } from "../notices/notice-store.ts";
import {
  addBuildCount,
  createdSinceMs,
  emptyReportCount,
  type FingerprintId,
  fingerprintName,
  type IssueLoad,
  type KnownIssue,
  overflowVersion,
  type ReportCount,
  type ReportGroup,
  recentIssueMs,
  recentIssuesMax,
  type SampledReport,
} from "./group.ts";
import { initialSampling, irrelevance } from "./sampling.ts";

/** How many of the newest reports of a fingerprint are read again after a change of the rules. */
const rereadSamplesMax = 10;

/** A fingerprint by other rules, with its newest stored reports, newest first. */
type OutdatedFingerprint = {
  readonly seq: number;
  readonly key: string;
  readonly reports: readonly (readonly [message: string, stackTrace: string])[];
};
type FingerprintKeys = { readonly seq: number; readonly keys: readonly string[] };

/** Maximum stored reports of a fingerprint, besides its first ones. The newest are kept. */
const newestSamplesMax = 100;
const firstSamplesMax = 20;

/** Inserts the issue and the fingerprint unless they exist. */
function insertIssue({ fingerprint, issue, firstMs, lastMs, sampling }: ReportGroup): Statement[] {
  const { game, version, key } = fingerprint;
  const culprit = issue.culprit === null ? null : JSON.stringify(issue.culprit);
  return [
    sql`
      INSERT INTO issue (id, title, game, lane, dialect, culprit, why, overflow, state_since_ms, created_ms, first_seen_ms,
        last_seen_ms, count)
      SELECT ${issue.id}, ${issue.title}, ${issue.game}, ${issue.quotaKey}, ${issue.dialect}, ${culprit}, ${toMessageColumn(issue.why)},
        ${issue.isOverflow ? 1 : 0}, ${firstMs}, ${firstMs}, ${firstMs}, ${lastMs}, 0
      WHERE NOT EXISTS (SELECT 1 FROM issue_fingerprint WHERE game = ${game} AND version = ${version} AND key = ${key})
      ON CONFLICT (id) DO NOTHING`,
    sql`
      INSERT INTO issue_fingerprint (issue_seq, home_seq, game, version, key, count, first_seen_ms, last_seen_ms, sampling)
      SELECT seq, seq, ${game}, ${version}, ${key}, 0, ${firstMs}, ${lastMs}, ${JSON.stringify(sampling)}
      FROM issue WHERE id = ${issue.id}
      ON CONFLICT (game, version, key) DO NOTHING`,
  ];
}

/**
 * Returns a text by whose order builds are ordered: 1.9 before 1.10, 1.5-beta before 1.5, and 1.5 before 1.5.1. SQL compares it as
 * text.
 */
export const buildOrder = (build: string): string =>
  `${build
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.padStart(12, "0"))
    .replace(/[-~+]/g, " ")}!`;

/** Returns the build and its order of the newest report, or nulls if none named one. */
function newestBuild(builds: ReportCount["builds"]) {
  const named = [...builds].filter(([build]) => build !== "").sort(([, a], [, b]) => a.firstMs - b.firstMs);
  const highest = named
    .map(([build]) => buildOrder(build))
    .sort()
    .at(-1);
  return { first: named.at(0)?.[0] ?? null, last: named.at(-1)?.[0] ?? null, highest: highest ?? null };
}

/** Adds reports to the counts of an existing fingerprint and of its issue, and inserts the notices that result. */
function addReportCounts({ fingerprint, n, minutes, firstMs, lastMs, builds }: ReportCount): Statement[] {
  const build = newestBuild(builds);
  const { game, version, key } = fingerprint;
  return [
    ...insertNotices(fingerprint, n, lastMs, build.highest),
    sql`
      INSERT INTO issue_count (fingerprint_seq, at_ms, span, n)
      SELECT seq, value ->> 0, 'minute', value ->> 1 FROM issue_fingerprint, json_each(${JSON.stringify([...minutes])})
      WHERE game = ${game} AND version = ${version} AND issue_fingerprint.key = ${key}
      ON CONFLICT (fingerprint_seq, at_ms, span) DO UPDATE SET n = n + excluded.n`,
    sql`
      UPDATE issue_fingerprint SET count = count + ${n}, first_seen_ms = min(first_seen_ms, ${firstMs}),
        last_seen_ms = max(last_seen_ms, ${lastMs}), first_build = coalesce(first_build, ${build.first}),
        last_build = coalesce(${build.last}, last_build)
      WHERE game = ${game} AND version = ${version} AND key = ${key}`,
    // A resolved issue regresses only with a report from after its resolution; if it was resolved in a build, only with one of that
    // build or a later one. A mute ends at its time or count.
    sql`
      UPDATE issue SET count = issue.count + ${n}, first_seen_ms = min(issue.first_seen_ms, ${firstMs}),
        last_seen_ms = max(issue.last_seen_ms, ${lastMs}), state = becomes,
        first_build = coalesce(first_build, ${build.first}), last_build = coalesce(${build.last}, last_build),
        state_since_ms = iif(becomes = state, state_since_ms, max(state_since_ms, ${lastMs}))
      FROM (
        SELECT i.seq AS woken, CASE
          WHEN state = 'resolved' AND ${lastMs} > state_since_ms
            AND (resolved_order IS NULL OR coalesce(${build.highest}, resolved_order) >= resolved_order) THEN 'regressed'
          WHEN state = 'muted' AND (muted_until_ms <= ${lastMs} OR i.count + ${n} >= muted_until_count) THEN 'open'
          ELSE state END AS becomes
        FROM issue AS i JOIN issue_fingerprint AS f ON f.issue_seq = i.seq
        WHERE f.game = ${game} AND f.version = ${version} AND f.key = ${key})
      WHERE seq = woken`,
  ];
}

/** Must run before the batch is counted, because the report's number is computed from the counts and tallies so far. */
function insertSample(
  { fingerprint, countBefore }: ReportGroup,
  { report, position, chosen }: SampledReport,
): Statement {
  const { game, version, key } = fingerprint;
  const { id, payload, origin, client } = report.event;
  const body = JSON.stringify([payload.message ?? "", payload.stackTrace ?? ""]);
  return sql`
    INSERT INTO issue_sample (fingerprint_seq, event, event_seq, build, number, at_ms, body, origin, client, bytes, irrelevance, chosen, clip_requested)
    SELECT seq, ${id}, ${report.seq}, ${report.build},
      count + (SELECT coalesce(sum(n), 0) FROM issue_tally WHERE fingerprint_seq = issue_fingerprint.seq) + ${position}, ${report.atMs}, ${body}, ${origin}, ${client}, ${Buffer.byteLength(body)},
      ${irrelevance(id, countBefore + position)}, ${chosen ? 1 : 0}, ${report.clipRequested ? 1 : 0}
    FROM issue_fingerprint WHERE game = ${game} AND version = ${version} AND key = ${key}
    ON CONFLICT DO NOTHING`;
}

/** Deletes the report that was the newest unless it was chosen, and chosen reports beyond the first and the newest ones. */
function deleteSurplusSamples({ game, version, key }: FingerprintId): Statement {
  return sql`
    DELETE FROM issue_sample WHERE fingerprint_seq = (
      SELECT seq FROM issue_fingerprint WHERE game = ${game} AND version = ${version} AND key = ${key})
    AND ((chosen = 0 AND number < (SELECT max(number) FROM issue_sample AS s WHERE s.fingerprint_seq = issue_sample.fingerprint_seq))
      OR (number > ${firstSamplesMax} AND number <= coalesce((
      SELECT number FROM issue_sample AS s WHERE s.fingerprint_seq = issue_sample.fingerprint_seq AND number > ${firstSamplesMax}
      ORDER BY number DESC LIMIT 1 OFFSET ${newestSamplesMax}), 0)))`;
}

function updateSampling({ fingerprint: { game, version, key }, sampling }: ReportGroup): Statement {
  return sql`
    UPDATE issue_fingerprint SET sampling = ${JSON.stringify(sampling)}
    WHERE game = ${game} AND version = ${version} AND key = ${key}`;
}

/** Returns all statements of a group. They must be committed together with the monitor's cursor in the journal. */
export function insertReportGroup(group: ReportGroup): Statement[] {
  return [
    ...insertIssue(group),
    ...group.samples.map((one) => insertSample(group, one)),
    ...addReportCounts(group),
    updateSampling(group),
    deleteSurplusSamples(group.fingerprint),
  ];
}

/**
 * Gives a fingerprint its first key by the present rules, and its issue a further fingerprint for each other key. A key that
 * another fingerprint has stays there; the fingerprint then gets a key that no report has.
 */
const rekey = (version: number, { seq, keys }: FingerprintKeys): Statement[] => [
  ...keys.slice(1).map(
    (key) => sql`
      INSERT INTO issue_fingerprint (issue_seq, home_seq, game, version, key, count, first_seen_ms, last_seen_ms, sampling)
      SELECT issue_seq, home_seq, game, ${version}, ${key}, 0, first_seen_ms, last_seen_ms, ${JSON.stringify(initialSampling)}
      FROM issue_fingerprint WHERE seq = ${seq}
      ON CONFLICT (game, version, key) DO NOTHING`,
  ),
  sql`UPDATE OR IGNORE issue_fingerprint SET version = ${version}, key = ${keys[0] ?? ""} WHERE seq = ${seq}`,
  sql`UPDATE issue_fingerprint SET version = ${version}, key = 'taken ' || seq WHERE seq = ${seq} AND version <> ${version}`,
];

function knownIssue(row: Row): [string, KnownIssue] {
  const identity = { game: String(row.game), version: Number(row.version), key: String(row.key) };
  const sampling = JSON.parse(String(row.sampling));
  return [
    fingerprintName(identity),
    { issue: String(row.id), title: String(row.title), count: Number(row.count), sampling },
  ];
}

export function createGroupingStore(storage: Storage) {
  return {
    /** Returns the issue of each fingerprint that has one, by the fingerprint's name. */
    async knownIssues(identities: readonly FingerprintId[]): Promise<Map<string, KnownIssue>> {
      const wanted = JSON.stringify(identities.map(({ game, version, key }) => [game, version, key]));
      const rows = await storage.read(sql`
        SELECT f.game AS game, version, f.key AS key, f.count AS count, sampling, issue.id AS id, title
        FROM json_each(${wanted}) AS w
        CROSS JOIN issue_fingerprint AS f ON f.game = w.value ->> 0 AND f.version = w.value ->> 1 AND f.key = w.value ->> 2
        JOIN issue ON issue.seq = f.issue_seq`);
      return new Map(rows.map(knownIssue));
    },
    /** Reads a page of the fingerprints by other rules than `version`, those after `after` in the order of their creation. */
    async readOutdated(version: number, after: number, limit: number): Promise<OutdatedFingerprint[]> {
      const rows = await storage.read(sql`
        SELECT seq, key, (SELECT json_group_array(json(body)) FROM (
          SELECT body FROM issue_sample WHERE fingerprint_seq = f.seq AND json_valid(body) ORDER BY number DESC LIMIT ${rereadSamplesMax})) AS reports
        FROM issue_fingerprint AS f
        WHERE seq > ${after} AND version NOT IN (${version}, ${overflowVersion}) ORDER BY seq LIMIT ${limit}`);
      return rows.map(({ seq, key, reports }) => ({
        seq: Number(seq),
        key: String(key),
        reports: JSON.parse(String(reports)),
      }));
    },
    writeKeys: (version: number, fingerprints: readonly FingerprintKeys[]): Promise<unknown> =>
      storage.write(...fingerprints.flatMap((fingerprint) => rekey(version, fingerprint))),
    /** Reads how much of a quota is used at that time. */
    async issueLoad(quotaKey: string, atMs: number): Promise<IssueLoad> {
      const made = await storage.read(sql`
        SELECT created_ms AS ms FROM issue
        WHERE lane = ${quotaKey} AND created_ms > ${createdSinceMs(atMs)} AND overflow = 0 ORDER BY created_ms`);
      const [row] = await storage.read(sql`
        SELECT (SELECT count(*) FROM (SELECT 1 FROM issue WHERE lane = ${quotaKey} AND last_seen_ms > ${atMs - recentIssueMs} LIMIT ${recentIssuesMax})) AS live,
          (SELECT issues FROM issue_size) AS issues`);
      return { createdMs: made.map(({ ms }) => Number(ms)), recent: Number(row?.live), issues: Number(row?.issues) };
    },
  };
}

// Tallies: counts of a flood are first stored as rows of their own, then moved into the sums of the issues.

/** Must be committed before the reports are answered. Inserts nothing if the fingerprint was deleted meanwhile. */
export function insertTally({ fingerprint, minutes, firstMs, lastMs, builds }: ReportCount): Statement {
  const { game, version, key } = fingerprint;
  return sql`
    INSERT INTO issue_tally (fingerprint_seq, minute_ms, n, first_ms, last_ms, builds)
    SELECT f.seq, value ->> 0, value ->> 1, ${firstMs}, ${lastMs}, iif(w.key = 0, ${JSON.stringify([...builds])}, '[]')
    FROM issue_fingerprint AS f, json_each(${JSON.stringify([...minutes])}) AS w
    WHERE f.game = ${game} AND f.version = ${version} AND f.key = ${key}`;
}

/** The counts of one fingerprint that are not in its sums yet. `upTo` is the number of the newest row among them. */
export type Tally = {
  readonly fingerprint: number;
  readonly upTo: number;
  /** The column `not_for` of its rows. */
  readonly notFor: string;
  readonly count: ReportCount;
};

/** Adds a tally to the sums and deletes its rows. */
export const moveTallyToSums = ({ fingerprint, upTo, notFor, count }: Tally): Statement[] => [
  ...addReportCounts(count),
  sql`DELETE FROM issue_tally WHERE fingerprint_seq = ${fingerprint} AND seq <= ${upTo} AND not_for = ${notFor}`,
];

function tallyOf(row: Row): Tally {
  const minutes = new Map<number, number>();
  for (const [minuteMs, n] of JSON.parse(String(row.minutes)) as [number, number][])
    minutes.set(minuteMs, (minutes.get(minuteMs) ?? 0) + n);
  const identity = { game: String(row.game), version: Number(row.version), key: String(row.key) };
  const times = { firstMs: Number(row.firstMs), lastMs: Number(row.lastMs) };
  const notFor = String(row.notFor);
  const empty = { ...emptyReportCount(identity, times.firstMs), notFor: JSON.parse(notFor) };
  const count: ReportCount = { ...empty, n: Number(row.n), minutes, ...times };
  for (const part of JSON.parse(String(row.builds)) as string[])
    for (const [build, n] of JSON.parse(part)) addBuildCount(count, build, n);
  return { fingerprint: Number(row.fingerprint), upTo: Number(row.upTo), notFor, count };
}

export type TallyStore = ReturnType<typeof createTallyStore>;

export const createTallyStore = (storage: Pick<Storage, "read">) => ({
  /** Reads the tallies of at most `limit` fingerprints. */
  async readTallies(limit: number): Promise<Tally[]> {
    const rows = await storage.read(sql`
      SELECT f.seq AS fingerprint, f.game AS game, f.version AS version, f.key AS key, sum(t.n) AS n,
        min(first_ms) AS firstMs, max(last_ms) AS lastMs, max(t.seq) AS upTo, t.not_for AS notFor,
        json_group_array(json_array(minute_ms, t.n)) AS minutes, json_group_array(t.builds) AS builds
      FROM issue_tally AS t JOIN issue_fingerprint AS f ON f.seq = t.fingerprint_seq
      GROUP BY t.fingerprint_seq, t.not_for LIMIT ${limit}`);
    return rows.map(tallyOf);
  },
});
