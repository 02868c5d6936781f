// SQL of the exact counts: how many reports each target was not told of yet, and the messages that tell it. Each report is in
// exactly one message, because both change in one transaction.
import { demoGame, type ForwardKind } from "@kit/contract";
import { concatSql, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { FingerprintId, ReportCount } from "../grouping/group.ts";
import { agreedUpTo } from "./decision-store.ts";
import { stackCharsMax } from "./report.ts";

const countsByBuild = (counts: readonly ReportCount[]) =>
  counts.flatMap(({ fingerprint: { game, version, key }, builds, notFor }) =>
    [...builds].map(([build, { n, firstMs, lastMs, reports = [] }]) => {
      const [lowestSeq = null] = reports[0] ?? [];
      return { row: [game, version, key, build, n, firstMs, lastMs, lowestSeq, notFor], reports };
    }),
  );

/**
 * Counts reports for each target that takes them, without those that were acknowledged before a person agreed. Must run in the
 * transaction that counts them, after its statements.
 */
export function countForTargets(counts: readonly ReportCount[]): Statement {
  const all = countsByBuild(counts);
  // Read only if some of them are from before: they are many.
  const reports = JSON.stringify(all.map((one) => one.reports));
  return concatSql(
    sql`
  INSERT INTO forward_count (target_seq, fingerprint_seq, build, since_ms, last_ms, untold, series, series_since_ms)
  SELECT target, fingerprint, w ->> 3, since_ms, w ->> 6, n, lower(hex(randomblob(8))), since_ms
  FROM (
    SELECT target, fingerprint, w,
      iif(coalesce(w ->> 7 > agreed_up_to, true), w ->> 4,
        (SELECT count(*) FROM json_each(${reports}, '$[' || place || ']') WHERE value ->> 0 > agreed_up_to)) AS n,
      iif(coalesce(w ->> 7 > agreed_up_to, true), w ->> 5,
        (SELECT min(value ->> 1) FROM json_each(${reports}, '$[' || place || ']') WHERE value ->> 0 > agreed_up_to)) AS since_ms
    FROM (SELECT t.seq AS target, f.seq AS fingerprint, w.value AS w, w.key AS place, `,
    agreedUpTo,
    sql` AS agreed_up_to
    FROM json_each(${JSON.stringify(all.map(({ row }) => row))}) AS w
    CROSS JOIN issue_fingerprint AS f ON f.game = w.value ->> 0 AND f.version = w.value ->> 1 AND f.key = w.value ->> 2
    JOIN issue AS i ON i.seq = f.issue_seq
    JOIN forward_target AS t ON t.enabled AND (t.game = coalesce(i.game, 'unsorted') OR (t.game IS NULL AND i.game IS NOT ${demoGame}))
      AND t.seq NOT IN (SELECT value FROM json_each(w.value -> 8))))
  WHERE n > 0
  ON CONFLICT (target_seq, fingerprint_seq, build) DO UPDATE SET untold = untold + excluded.untold,
    last_ms = max(last_ms, excluded.last_ms)`,
  );
}

/** The text of a message if each stored text of its issue is from before a person agreed. */
const withoutText =
  "Kit does not forward the text of this error: everything it has stored is from before a person agreed to forwarding";

/** Events whose clip is finished (1), still made (0), or none (-1). One that is not in it may still be made. */
export type ClipStates = Readonly<Record<string, 1 | 0 | -1>>;

/**
 * Queues one message for each target, fingerprint and build of `due`. Muted and deleted issues, and those beyond `rowsMax`, wait: their
 * reports stay untold.
 */
const queueMessages = (due: Statement, clips: ClipStates, nowMs: number, rowsMax: number): Statement[] => [
  concatSql(
    sql`WITH due AS MATERIALIZED (`,
    due,
    sql`)
    INSERT INTO forward_report (target_seq, fingerprint_seq, event, source, news, bytes, reports, total, series, series_told,
      series_since_ms, series_start_ms, after_ms, since_ms, last_ms, number, sample_number, regression_ms, queued_ms, at_ms, issue, game, build, dialect, version, key, body)
    SELECT target, fingerprint, event, source, news, octet_length(body), reports, total, series, series_told,
      series_since_ms, series_start_ms, after_ms, since_ms, last_ms, number,
      sample_number, regression_ms, ${nowMs}, at_ms, issue, game, build, dialect, version, key, body
    FROM (
      SELECT target, fingerprint, s.event AS source,
        -- The id of the report, which a video needs; later the place in the sum: a target that was told of these reports, before
        -- an old copy of the data came back, drops the message as a repeat.
        iif(s.build = c.build AND s.number > c.told_number AND (c.told = 0 OR t.videos), s.event,
          c.series || printf('%016x', c.told)) AS event,
        CASE WHEN NOT EXISTS (SELECT 1 FROM forward_count AS o WHERE o.target_seq = target
            AND o.fingerprint_seq = fingerprint AND o.told > 0) THEN 'new'
          WHEN i.state = 'regressed' AND i.state_since_ms <> c.told_regression_ms
          THEN 'regressed' ELSE 'more' END AS news,
        c.untold AS reports, c.told + c.untold AS total, c.series AS series, c.series_told AS series_told,
        c.series_since_ms AS series_since_ms, c.series_start_ms AS series_start_ms, iif(c.told = 0, c.since_ms, c.told_ms) AS after_ms,
        c.since_ms AS since_ms, c.last_ms AS last_ms, f.count AS number,
        iif(s.build = c.build, s.number, 0) AS sample_number, iif(i.state = 'regressed', i.state_since_ms, 0) AS regression_ms,
        coalesce(s.at_ms, c.last_ms) AS at_ms, i.id AS issue, i.game AS game, c.build AS build, i.dialect AS dialect, f.version AS version,
        f.key AS key,
        iif(s.seq IS NULL, json_array(coalesce(c.told_text, (SELECT told_text FROM forward_count AS o WHERE o.target_seq = target
            AND o.fingerprint_seq = fingerprint AND told_text IS NOT NULL ORDER BY told_ms DESC LIMIT 1), ${withoutText}), ''),
          json_array(s.body ->> 0, substr(s.body ->> 1, 1, ${stackCharsMax}))) AS body
      FROM due JOIN forward_count AS c ON c.target_seq = target AND c.fingerprint_seq = fingerprint AND c.build = due.build
      JOIN forward_target AS t ON t.seq = target
      JOIN issue_fingerprint AS f ON f.seq = fingerprint
      JOIN issue AS i ON i.seq = f.issue_seq
      -- The first message contains the first stored report of the build, a later one the newest; with videos, the newest of those that
      -- have a clip. Texts of reports from before the target takes them are never sent.
      LEFT JOIN issue_sample AS s ON s.fingerprint_seq = f.seq AND s.number = coalesce(
        (SELECT number FROM issue_sample
          WHERE fingerprint_seq = f.seq AND build = c.build AND at_ms >= c.since_ms
            AND event_seq > `,
    agreedUpTo,
    sql`
          ORDER BY iif(c.told = 0, number, 0), iif(t.videos AND number > c.told_number AND clip_requested,
            coalesce(${JSON.stringify(clips)} ->> ('$."' || event || '"'), 0), -1) DESC, number DESC LIMIT 1),
        (SELECT max(number) FROM issue_sample WHERE fingerprint_seq = f.seq AND at_ms >= c.since_ms AND event_seq > `,
    agreedUpTo,
    sql`))
      WHERE (SELECT count(*) FROM forward_report WHERE target_seq = target) < ${rowsMax})`,
  ),
  sql`
    UPDATE forward_count SET untold = untold - r.reports, told = told + r.reports, told_ms = r.queued_ms,
      told_number = max(told_number, r.sample_number), told_regression_ms = r.regression_ms,
      told_text = iif(r.source IS NULL, told_text, r.body ->> 0)
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
    // Their clips have just been requested.
    {},
    nowMs,
    rowsMax,
  );

/** Maximum messages that wait for one target after a round: what it takes in a minute. The other counts follow in later rounds. */
const messagesPerRoundMax = { sentry: 100, otlp: 2_000 } as const satisfies Record<ForwardKind, number>;
/** One of this many goes to the count that the target heard of longest ago, so that larger increases never keep it away for good. */
const oldestOneOf = 5;

/** Queues a message for each issue that grew since a target was told of it, the largest increases first, unless one about it still waits. */
export const queueGrowth = (target: string, clips: ClipStates, nowMs: number, rowsMax: number): Statement[] =>
  queueMessages(
    sql`
      SELECT target, fingerprint, build FROM (
        SELECT *, row_number() OVER (ORDER BY (age - 1) * ${oldestOneOf} < places DESC, untold DESC, age) AS place FROM (
        SELECT c.target_seq AS target, c.fingerprint_seq AS fingerprint, c.build AS build, c.untold AS untold, c.told_ms AS told_ms,
          row_number() OVER (ORDER BY c.told_ms) AS age,
          iif(t.kind = 'otlp', ${messagesPerRoundMax.otlp}, ${messagesPerRoundMax.sentry})
            - (SELECT count(*) FROM forward_report WHERE target_seq = t.seq) AS places
        FROM forward_target AS t JOIN forward_count AS c ON c.target_seq = t.seq
        JOIN issue_fingerprint AS f ON f.seq = c.fingerprint_seq
        JOIN issue AS i ON i.seq = f.issue_seq
        WHERE t.id = ${target} AND t.enabled AND (t.game = coalesce(i.game, 'unsorted') OR (t.game IS NULL AND i.game IS NOT ${demoGame}))
          AND c.untold > 0 AND i.state <> 'muted' AND i.deleted_at_ms IS NULL
          AND NOT EXISTS (SELECT 1 FROM forward_report AS r WHERE r.target_seq = t.seq AND r.fingerprint_seq = f.seq AND r.build = c.build)))
      WHERE place <= places ORDER BY place`,
    clips,
    nowMs,
    rowsMax,
  );

/**
 * Begins the sums of a target anew, because a collector adds up sums with different resources. The sums of before stay as they are; the
 * waiting messages belong to the new ones.
 */
export const restartSums = (target: string): Statement[] => [
  sql`
    UPDATE forward_count SET series = lower(hex(randomblob(8))), series_start_ms = NULL, series_since_ms = coalesce((
      SELECT min(after_ms) FROM forward_report AS r WHERE r.target_seq = forward_count.target_seq
        AND r.fingerprint_seq = forward_count.fingerprint_seq AND r.build = forward_count.build), iif(told = 0, since_ms, told_ms)),
      series_told = told - (
      SELECT coalesce(sum(reports), 0) FROM forward_report AS r WHERE r.target_seq = forward_count.target_seq
        AND r.fingerprint_seq = forward_count.fingerprint_seq AND r.build = forward_count.build)
    WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})`,
  sql`
    UPDATE forward_report SET series = c.series, series_told = c.series_told, series_since_ms = c.series_since_ms,
      series_start_ms = NULL FROM forward_count AS c
    WHERE c.target_seq = forward_report.target_seq AND c.fingerprint_seq = forward_report.fingerprint_seq
      AND c.build = forward_report.build AND c.target_seq = (SELECT seq FROM forward_target WHERE id = ${target})`,
];

/** Keeps the start of each series that the collector is about to be told, by its name, unless one is kept. */
export function keepStarts(target: string, starts: ReadonlyMap<string, number>): Statement[] {
  const json = JSON.stringify(Object.fromEntries(starts));
  return (["forward_count", "forward_report"] as const).map((table) =>
    concatSql(
      { text: `UPDATE ${table} SET series_start_ms = `, values: [] },
      sql`(SELECT value FROM json_each(${json}) WHERE key = series)
      WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target}) AND series_start_ms IS NULL
        AND series IN (SELECT key FROM json_each(${json}))`,
    ),
  );
}

/** Drops what waits for a target of games that it does not take any more. The server is told nothing of it. Must run after the change. */
export function dropOtherGames(target: string): Statement[] {
  const isOther = (game: string) => `t.id = ? AND t.game <> coalesce(${game}, 'unsorted')`;
  const counts = `forward_count WHERE (target_seq, fingerprint_seq) IN (SELECT t.seq, f.seq FROM forward_target AS t, issue_fingerprint AS f
    JOIN issue AS i ON i.seq = f.issue_seq WHERE ${isOther("i.game")})`;
  const reports = `forward_report WHERE seq IN (SELECT r.seq FROM forward_report AS r JOIN forward_target AS t ON t.seq = r.target_seq
    WHERE ${isOther("r.game")})`;
  const waiting = `(SELECT coalesce(sum(reports), 0) FROM ${reports}) + (SELECT coalesce(sum(untold), 0) FROM ${counts})`;
  return [
    { text: `UPDATE forward_target SET dropped = dropped + ${waiting} WHERE id = ?`, values: [target, target, target] },
    { text: `DELETE FROM ${reports}`, values: [target] },
    // A trigger counts rows with untold reports as dropped, which would be told to the server.
    { text: `UPDATE forward_count SET untold = 0 ${counts.slice("forward_count ".length)}`, values: [target] },
    { text: `DELETE FROM ${counts}`, values: [target] },
  ];
}

/** Returns the reports that the next messages about growth may contain, whose clips a target may get. */
export async function reportsWithClips(storage: Pick<Storage, "read">, target: string): Promise<string[]> {
  const rows = await storage.read(sql`
    SELECT s.event AS event FROM forward_target AS t JOIN forward_count AS c ON c.target_seq = t.seq
    JOIN issue_sample AS s ON s.fingerprint_seq = c.fingerprint_seq AND s.build = c.build
    WHERE t.id = ${target} AND t.videos AND c.untold > 0 AND s.number > c.told_number AND s.clip_requested`);
  return rows.map(({ event }) => String(event));
}

/** Whether a target that is switched on was not told of all reports. */
export async function isAnythingUntold(storage: Pick<Storage, "read">): Promise<boolean> {
  const rows = await storage.read(sql`
    SELECT 1 FROM forward_target AS t WHERE t.enabled AND EXISTS (
      SELECT 1 FROM forward_count AS c WHERE c.target_seq = t.seq AND c.untold > 0) LIMIT 1`);
  return rows.length > 0;
}

/** A target was told nothing if its address is another server's now. */
export const forgetSentTexts = (target: string): Statement =>
  sql`UPDATE forward_count SET told_text = NULL WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})`;
