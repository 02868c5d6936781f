// SQL of the exact counts: how many reports each target was not told of yet, and the messages that tell it. Each report is in
// exactly one message, because both change in one transaction.
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { FingerprintId, ReportCount } from "../grouping/group.ts";
import { stackCharsMax } from "./report.ts";

const countsByBuild = (counts: readonly ReportCount[]) =>
  counts.flatMap(({ fingerprint: { game, version, key }, builds }) =>
    [...builds].map(([build, { n, firstMs, lastMs }]) => [game, version, key, build, n, firstMs, lastMs]),
  );

/** Counts reports for each target that takes them. Must run in the transaction that counts them, after its statements. */
export const countForTargets = (counts: readonly ReportCount[]): Statement => sql`
  INSERT INTO forward_count (target_seq, fingerprint_seq, build, since_ms, last_ms, untold)
  SELECT t.seq, f.seq, w.value ->> 3, w.value ->> 5, w.value ->> 6, w.value ->> 4
  FROM json_each(${JSON.stringify(countsByBuild(counts))}) AS w
  CROSS JOIN issue_fingerprint AS f ON f.game = w.value ->> 0 AND f.version = w.value ->> 1 AND f.key = w.value ->> 2
  JOIN issue AS i ON i.seq = f.issue_seq
  JOIN forward_target AS t ON t.enabled AND (t.game IS NULL OR t.game = coalesce(i.game, 'unsorted'))
  WHERE true
  ON CONFLICT (target_seq, fingerprint_seq, build) DO UPDATE SET untold = untold + excluded.untold,
    last_ms = max(last_ms, excluded.last_ms)`;

/**
 * Queues one message for each target, fingerprint and build of `due`. Muted and deleted issues, and those beyond `rowsMax`, wait: their
 * reports stay untold.
 */
const queueMessages = (due: Statement, nowMs: number, rowsMax: number): Statement[] => [
  concatSql(
    sql`WITH due AS MATERIALIZED (`,
    due,
    sql`)
    INSERT INTO forward_report (target_seq, fingerprint_seq, event, source, news, bytes, reports, total, since_ms, last_ms,
      number, sample_number, regression_ms, queued_ms, at_ms, issue, game, build, dialect, version, key, body)
    SELECT target, fingerprint, event, source, news, octet_length(body), reports, total, since_ms, last_ms, number,
      sample_number, regression_ms, ${nowMs}, at_ms, issue, game, build, dialect, version, key, body
    FROM (
      SELECT target, fingerprint, s.event AS source,
        -- An id that the target knows already would make it drop this message as a repeat.
        iif(s.build = c.build AND s.number > c.told_number, s.event, lower(hex(randomblob(16)))) AS event,
        CASE WHEN NOT EXISTS (SELECT 1 FROM forward_count AS o WHERE o.target_seq = target
            AND o.fingerprint_seq = fingerprint AND o.told > 0) THEN 'new'
          WHEN i.state = 'regressed' AND i.state_since_ms <> c.told_regression_ms
          THEN 'regressed' ELSE 'more' END AS news,
        c.untold AS reports, c.told + c.untold AS total, c.since_ms AS since_ms, c.last_ms AS last_ms, f.count AS number,
        iif(s.build = c.build, s.number, 0) AS sample_number, iif(i.state = 'regressed', i.state_since_ms, 0) AS regression_ms,
        coalesce(s.at_ms, c.last_ms) AS at_ms, i.id AS issue, i.game AS game, c.build AS build, i.dialect AS dialect, f.version AS version,
        f.key AS key,
        iif(s.seq IS NULL, json_array(i.title, ''),
          json_array(s.body ->> 0, substr(s.body ->> 1, 1, ${stackCharsMax}))) AS body
      FROM due JOIN forward_count AS c ON c.target_seq = target AND c.fingerprint_seq = fingerprint AND c.build = due.build
      JOIN issue_fingerprint AS f ON f.seq = fingerprint
      JOIN issue AS i ON i.seq = f.issue_seq
      -- The first message contains the first stored report of the build, a later one the newest. Reports from before the target
      -- takes them are never sent.
      LEFT JOIN issue_sample AS s ON s.fingerprint_seq = f.seq AND s.number = coalesce(
        (SELECT iif(c.told = 0, min(number), max(number)) FROM issue_sample
          WHERE fingerprint_seq = f.seq AND build = c.build AND at_ms >= c.since_ms),
        (SELECT max(number) FROM issue_sample WHERE fingerprint_seq = f.seq AND at_ms >= c.since_ms))
      WHERE (SELECT count(*) FROM forward_report WHERE target_seq = target) < ${rowsMax})`,
  ),
  sql`
    UPDATE forward_count SET untold = untold - r.reports, told = told + r.reports, told_ms = r.queued_ms,
      told_number = max(told_number, r.sample_number), told_regression_ms = r.regression_ms
    FROM forward_report AS r
    WHERE r.counted = 0 AND r.target_seq = forward_count.target_seq AND r.fingerprint_seq = forward_count.fingerprint_seq
      AND r.build = forward_count.build`,
  sql`UPDATE forward_report SET counted = 1 WHERE counted = 0`,
];

/**
 * Queues a message for each issue and build that a target knows nothing of, or whose regression it does not know. Must run in the
 * transaction of `countForTargets`, after it.
 */
export const queueNews = (fingerprints: readonly FingerprintId[], nowMs: number, rowsMax: number): Statement[] =>
  queueMessages(
    sql`
      SELECT c.target_seq AS target, c.fingerprint_seq AS fingerprint, c.build AS build
      FROM json_each(${JSON.stringify(fingerprints.map(({ game, version, key }) => [game, version, key]))}) AS w
      CROSS JOIN issue_fingerprint AS f ON f.game = w.value ->> 0 AND f.version = w.value ->> 1 AND f.key = w.value ->> 2
      JOIN issue AS i ON i.seq = f.issue_seq
      JOIN forward_count AS c ON c.fingerprint_seq = f.seq
      WHERE c.untold > 0 AND i.state <> 'muted' AND i.deleted_at_ms IS NULL
        AND (c.told = 0 OR (i.state = 'regressed' AND i.state_since_ms <> c.told_regression_ms))`,
    nowMs,
    rowsMax,
  );

/** Maximum issues that one target is told of at once. The others follow in the next round, in which they are first. */
const growthsPerRoundMax = 100;

/** Queues a message for each issue that grew since a target was told of it, unless one about the issue still waits. */
export const queueGrowth = (target: string, nowMs: number, rowsMax: number): Statement[] =>
  queueMessages(
    sql`
      SELECT c.target_seq AS target, c.fingerprint_seq AS fingerprint, c.build AS build
      FROM forward_target AS t JOIN forward_count AS c ON c.target_seq = t.seq
      JOIN issue_fingerprint AS f ON f.seq = c.fingerprint_seq
      JOIN issue AS i ON i.seq = f.issue_seq
      WHERE t.id = ${target} AND t.enabled AND c.untold > 0 AND i.state <> 'muted' AND i.deleted_at_ms IS NULL
        AND NOT EXISTS (SELECT 1 FROM forward_report AS r WHERE r.target_seq = t.seq AND r.fingerprint_seq = f.seq AND r.build = c.build)
      ORDER BY c.told_ms LIMIT ${growthsPerRoundMax}`,
    nowMs,
    rowsMax,
  );

/** Whether a target that is switched on was not told of all reports. */
export async function isAnythingUntold(storage: Pick<Storage, "read">): Promise<boolean> {
  const rows = await storage.read(sql`
    SELECT 1 FROM forward_target AS t WHERE t.enabled AND EXISTS (
      SELECT 1 FROM forward_count AS c WHERE c.target_seq = t.seq AND c.untold > 0) LIMIT 1`);
  return rows.length > 0;
}
