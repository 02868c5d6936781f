// What grouping reads and writes in SQL. What it writes holds whichever way an issue was merged, split or deleted meanwhile:
// reports are counted under their fingerprint, and that says which issue it belongs to.
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { noticed } from "../notices/notice-store.ts";
import { type Count, type Group, type Identity, type Known, nameOf, type Sample } from "./group.ts";
import { type IssueLoad, liveForMs, liveMax, madeSinceMs } from "./room.ts";
import { irrelevanceOf } from "./sampling.ts";

/** Besides the first ones of a kind. */
const newestKept = 100;
const firstsKept = 20;

/** Its issue and its fingerprint, where there are none yet. */
function made({ identity, issue, firstMs, lastMs, sampling }: Group): Statement[] {
  const { game, version, key } = identity;
  const culprit = issue.culprit === null ? null : JSON.stringify(issue.culprit);
  return [
    sql`
      INSERT INTO issue (id, title, game, lane, dialect, culprit, why, overflow, state_since_ms, created_ms, first_seen_ms,
        last_seen_ms, count)
      SELECT ${issue.id}, ${issue.title}, ${issue.game}, ${issue.lane}, ${issue.dialect}, ${culprit}, ${issue.why},
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

/** What has to be written when there were more of a kind that has its issue. */
export function counted({ identity, n, minutes, firstMs, lastMs }: Count): Statement[] {
  const { game, version, key } = identity;
  return [
    ...noticed(identity, n, lastMs),
    sql`
      INSERT INTO issue_count (fingerprint_seq, at_ms, span, n)
      SELECT seq, value ->> 0, 'minute', value ->> 1 FROM issue_fingerprint, json_each(${JSON.stringify([...minutes])})
      WHERE game = ${game} AND version = ${version} AND issue_fingerprint.key = ${key}
      ON CONFLICT (fingerprint_seq, at_ms, span) DO UPDATE SET n = n + excluded.n`,
    sql`
      UPDATE issue_fingerprint SET count = count + ${n}, first_seen_ms = min(first_seen_ms, ${firstMs}),
        last_seen_ms = max(last_seen_ms, ${lastMs})
      WHERE game = ${game} AND version = ${version} AND key = ${key}`,
    // What was resolved came back only if it happened after that; what is muted wakes at its time or its count.
    sql`
      UPDATE issue SET count = issue.count + ${n}, first_seen_ms = min(issue.first_seen_ms, ${firstMs}),
        last_seen_ms = max(issue.last_seen_ms, ${lastMs}), state = becomes,
        state_since_ms = iif(becomes = state, state_since_ms, max(state_since_ms, ${lastMs}))
      FROM (
        SELECT i.seq AS woken, CASE
          WHEN state = 'resolved' AND ${lastMs} > state_since_ms THEN 'regressed'
          WHEN state = 'muted' AND (muted_until_ms <= ${lastMs} OR i.count + ${n} >= muted_until_count) THEN 'open'
          ELSE state END AS becomes
        FROM issue AS i JOIN issue_fingerprint AS f ON f.issue_seq = i.seq
        WHERE f.game = ${game} AND f.version = ${version} AND f.key = ${key})
      WHERE seq = woken`,
  ];
}

/** Written before its batch is counted: what was counted beside it meanwhile has its numbers already, in the sums or not. */
function sampled({ identity, before }: Group, { report, place, chosen }: Sample): Statement {
  const { game, version, key } = identity;
  const { id, payload, origin, client } = report.event;
  const body = JSON.stringify([payload.message ?? "", payload.stackTrace ?? ""]);
  return sql`
    INSERT INTO issue_sample (fingerprint_seq, event, number, at_ms, body, origin, client, bytes, irrelevance, chosen)
    SELECT seq, ${id},
      count + (SELECT coalesce(sum(n), 0) FROM issue_tally WHERE fingerprint_seq = issue_fingerprint.seq) + ${place}, ${report.atMs}, ${body}, ${origin}, ${client}, ${Buffer.byteLength(body)},
      ${irrelevanceOf(id, before + place)}, ${chosen ? 1 : 0}
    FROM issue_fingerprint WHERE game = ${game} AND version = ${version} AND key = ${key}
    ON CONFLICT DO NOTHING`;
}

/** The newest of before goes, unless it was chosen; of those that were, the first ones and the newest ones stay. */
function thinned({ game, version, key }: Identity): Statement {
  return sql`
    DELETE FROM issue_sample WHERE fingerprint_seq = (
      SELECT seq FROM issue_fingerprint WHERE game = ${game} AND version = ${version} AND key = ${key})
    AND ((chosen = 0 AND number < (SELECT max(number) FROM issue_sample AS s WHERE s.fingerprint_seq = issue_sample.fingerprint_seq))
      OR (number > ${firstsKept} AND number <= coalesce((
      SELECT number FROM issue_sample AS s WHERE s.fingerprint_seq = issue_sample.fingerprint_seq AND number > ${firstsKept}
      ORDER BY number DESC LIMIT 1 OFFSET ${newestKept}), 0)))`;
}

function chosenSoFar({ identity: { game, version, key }, sampling }: Group): Statement {
  return sql`
    UPDATE issue_fingerprint SET sampling = ${JSON.stringify(sampling)}
    WHERE game = ${game} AND version = ${version} AND key = ${key}`;
}

/** All a batch says of one kind; committed together with its place in the journal. */
export function grouped(group: Group): Statement[] {
  return [
    ...made(group),
    ...group.samples.map((one) => sampled(group, one)),
    ...counted(group),
    chosenSoFar(group),
    thinned(group.identity),
  ];
}

function knownOf(row: Row): [string, Known] {
  const identity = { game: String(row.game), version: Number(row.version), key: String(row.key) };
  const sampling = JSON.parse(String(row.sampling));
  return [nameOf(identity), { issue: String(row.id), title: String(row.title), count: Number(row.count), sampling }];
}

export type GroupingStore = ReturnType<typeof createGroupingStore>;

export function createGroupingStore(storage: Storage) {
  return {
    /** Those of them that were seen before, by name. */
    async known(identities: readonly Identity[]): Promise<Map<string, Known>> {
      const wanted = JSON.stringify(identities.map(({ game, version, key }) => [game, version, key]));
      const rows = await storage.read(sql`
        SELECT f.game AS game, version, f.key AS key, f.count AS count, sampling, issue.id AS id, title
        FROM json_each(${wanted}) AS w
        CROSS JOIN issue_fingerprint AS f ON f.game = w.value ->> 0 AND f.version = w.value ->> 1 AND f.key = w.value ->> 2
        JOIN issue ON issue.seq = f.issue_seq`);
      return new Map(rows.map(knownOf));
    },
    /** What the lane had at that time. */
    async crowd(lane: string, atMs: number): Promise<IssueLoad> {
      const made = await storage.read(sql`
        SELECT created_ms AS ms FROM issue
        WHERE lane = ${lane} AND created_ms > ${madeSinceMs(atMs)} AND overflow = 0 ORDER BY created_ms`);
      const [row] = await storage.read(sql`
        SELECT (SELECT count(*) FROM (SELECT 1 FROM issue WHERE lane = ${lane} AND last_seen_ms > ${atMs - liveForMs} LIMIT ${liveMax})) AS live,
          (SELECT issues FROM issue_size) AS issues`);
      return { madeMs: made.map(({ ms }) => Number(ms)), live: Number(row?.live), issues: Number(row?.issues) };
    },
  };
}
