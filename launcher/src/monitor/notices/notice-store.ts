// SQL of notices. A notice is written in one transaction with the counts that cause it, so that a repeated write adds no
// second one.
import type { Notice, NoticeKind, NoticeSettings } from "@kit/contract";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { FingerprintId } from "../grouping/group.ts";

/** Maximum notices of all issues together. */
const noticesMax = 500;

/**
 * Inserts the notice that `n` more reports of a fingerprint cause, if any. `lastMs` is when the last of them occurred, and `highest`
 * the order of their newest build. Must run before the statements that count them, because it compares with the old counts. Inserts at most one notice.
 */
export const insertNotices = (
  { game, version, key }: FingerprintId,
  n: number,
  lastMs: number,
  highest: string | null,
): Statement[] => [
  sql`
    INSERT INTO notice (issue_seq, kind, at_ms, count)
    SELECT issue, becomes, ${lastMs}, after FROM (
      SELECT i.seq AS issue, i.count + ${n} AS after, CASE
        WHEN i.count = 0 THEN 'new'
        WHEN state = 'resolved' THEN iif(${lastMs} > state_since_ms
          AND (resolved_order IS NULL OR coalesce(${highest}, resolved_order) >= resolved_order), 'regressed', NULL)
        WHEN state = 'muted' THEN iif(muted_until_ms <= ${lastMs} OR i.count + ${n} >= muted_until_count, 'woke', NULL)
        -- Upkeep reopened the issue after its mute expired, and this is the first report since.
        WHEN state_since_ms = muted_until_ms AND i.last_seen_ms < muted_until_ms AND muted_until_ms <= ${lastMs} THEN 'woke'
        -- The count now reaches a power of ten. A bound number has a fraction in its text, hence the cast.
        WHEN overflow = 0 AND CAST(substr('1000000000000000', 1, length(CAST(i.count + ${n} AS INTEGER))) AS INTEGER) > i.count THEN 'times'
      END AS becomes
      FROM issue_fingerprint AS f JOIN issue AS i ON i.seq = f.issue_seq
      WHERE f.game = ${game} AND f.version = ${version} AND f.key = ${key} AND i.deleted_at_ms IS NULL)
    WHERE becomes IS NOT NULL`,
  sql`DELETE FROM notice WHERE number <= (SELECT max(number) FROM notice) - ${noticesMax}`,
];

type Setting = keyof NoticeSettings;
export const saveNoticeSetting = (name: Setting, value: NoticeSettings[Setting]): Statement => sql`
  INSERT INTO notice_setting (name, value) VALUES (${name}, ${JSON.stringify(value)})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Marks the notices up to this number as seen. A lower number than before changes nothing. */
export const markNoticesSeen = (number: number): Statement => sql`
  INSERT INTO notice_setting (name, value) VALUES ('seen', ${String(number)})
  ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`;

/** Notices of these kinds are shown, except those of quiet games. All others are quiet. */
export type NoticeFilter = Pick<NoticeSettings, "kinds" | "quietGames">;

function noticeOf(row: Row): Notice {
  return {
    number: Number(row.number),
    kind: row.kind as NoticeKind,
    issue: String(row.id),
    title: String(row.title),
    game: row.game === null ? null : String(row.game),
    at: new Date(Number(row.atMs)).toISOString(),
    count: Number(row.count),
    seen: row.seen === 1,
    quiet: row.quiet === 1,
  };
}

export type NoticeStore = ReturnType<typeof createNoticeStore>;

export function createNoticeStore(storage: Pick<Storage, "read">) {
  return {
    /** The highest number assigned so far. 0 before the first notice. */
    async newestNumber(): Promise<number> {
      const [row] = await storage.read(sql`SELECT seq FROM sqlite_sequence WHERE name = 'notice'`);
      return Number(row?.seq ?? 0);
    },
    /** Lists the notices between two numbers, both excluded, newest first. */
    async between(
      after: number,
      before: number,
      limit: number,
      { kinds, quietGames }: NoticeFilter,
    ): Promise<Notice[]> {
      const rows = await storage.read(sql`
        SELECT number, kind, i.id AS id, title, i.game AS game, at_ms AS atMs, n.count AS count,
          number <= coalesce((SELECT CAST(value AS INTEGER) FROM notice_setting WHERE name = 'seen'), 0) AS seen,
          NOT (kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))
            AND coalesce(i.game, 'unsorted') NOT IN (SELECT value FROM json_each(${JSON.stringify(quietGames)}))) AS quiet
        FROM notice AS n JOIN issue AS i ON i.seq = n.issue_seq
        WHERE number > ${after} AND number < ${before} ORDER BY number DESC LIMIT ${limit}`);
      return rows.map(noticeOf);
    },
    async totals({ kinds, quietGames }: NoticeFilter): Promise<{ unseen: number; kept: number }> {
      const [row] = await storage.read(sql`
        SELECT count(*) AS kept, count(*) FILTER (
          WHERE number > coalesce((SELECT CAST(value AS INTEGER) FROM notice_setting WHERE name = 'seen'), 0)
          AND kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)}))
          AND coalesce(i.game, 'unsorted') NOT IN (SELECT value FROM json_each(${JSON.stringify(quietGames)}))) AS unseen
        FROM notice AS n JOIN issue AS i ON i.seq = n.issue_seq`);
      return { unseen: Number(row?.unseen), kept: Number(row?.kept) };
    },
    /** Returns all stored settings, including those that only another version of Kit knows. */
    async settings(): Promise<Record<string, unknown>> {
      const rows = await storage.read(sql`SELECT name, value FROM notice_setting`);
      return Object.fromEntries(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]));
    },
  };
}
