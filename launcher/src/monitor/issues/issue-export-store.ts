// SQL for exporting, counting and wiping the issues of a game.
import { textOf } from "@kit/contract";
import { concatSql, isoTimeOrNull, type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { issueColumns, storedIssueOf } from "./issue-store.ts";

/** Computed values are left out, and a mute that has expired is exported as stored. */
function exportedIssue(row: Row) {
  const { hours, isNew, ...issue } = storedIssueOf(row, [], 0).issue;
  return { ...issue, why: textOf(issue.why), mergedInto: row.mergedIntoId };
}

function exportedReport(row: Row) {
  const [message, stackTrace] = JSON.parse(String(row.body)) as [string, string];
  const { event, issue, origin, client } = row;
  return {
    event,
    issue,
    game: row.game,
    number: row.number,
    at: isoTimeOrNull(row.atMs),
    message,
    stackTrace,
    origin,
    client,
  };
}

/** `next` is where the next page starts. Undefined after the last page. */
type Page = { readonly values: readonly unknown[]; readonly next: number | undefined };

const pageOf = (rows: readonly Row[], whole: boolean, made: (row: Row) => unknown): Page => ({
  values: rows.map(made),
  next: whole ? undefined : Number(rows.at(-1)?.seq),
});

export const createIssueExportStore = (storage: Pick<Storage, "read" | "readPage">) => ({
  /** Counts the issues of each game, including merged issues and those in the trash. */
  async count(): Promise<Map<string | null, { issues: number }>> {
    const rows = await storage.read(sql`SELECT game, count(*) AS issues FROM issue GROUP BY game`);
    return new Map(rows.map(({ game, issues }) => [game === null ? null : String(game), { issues: Number(issues) }]));
  },
  /** Reads a page of issues of one game, or of all games if `game` is undefined. */
  async issuesAfter(after: number, game: string | null | undefined): Promise<Page> {
    const { rows, whole } = await storage.readPage(
      concatSql(
        issueColumns(0),
        sql`, (SELECT id FROM issue AS target WHERE target.seq = issue.merged_into) AS mergedIntoId
          FROM issue WHERE seq > ${after} AND (${game === undefined ? 1 : 0} OR game IS ${game ?? null}) ORDER BY seq`,
      ),
    );
    return pageOf(rows, whole, exportedIssue);
  },
  /** Reads a page of stored reports. */
  async reportsAfter(after: number, game: string | null | undefined): Promise<Page> {
    const { rows, whole } = await storage.readPage(sql`
      SELECT s.seq AS seq, s.event AS event, i.id AS issue, i.game AS game, s.number AS number, s.at_ms AS atMs, s.body AS body,
        s.origin AS origin, s.client AS client
      FROM issue_sample AS s JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq JOIN issue AS i ON i.seq = f.home_seq
      WHERE s.seq > ${after} AND (${game === undefined ? 1 : 0} OR i.game IS ${game ?? null}) ORDER BY s.seq`);
    return pageOf(rows, whole, exportedReport);
  },
  /** Ids of the forwarding targets that only take reports of this game. */
  async forwardingTargetsOf(game: string | null): Promise<string[]> {
    const rows = await storage.read(sql`SELECT id FROM forward_target WHERE game = ${game ?? "unsorted"}`);
    return rows.map(({ id }) => String(id));
  },
  /** Deletes the issues of a game with counts, reports, notices, and queued and sent reports. First splits issues merged across games. */
  deleteGame(game: string | null): Statement[] {
    const named = game ?? "unsorted";
    return [
      sql`UPDATE issue SET merged_into = NULL
        WHERE game IS NOT ${game} AND merged_into IN (SELECT seq FROM issue WHERE game IS ${game})`,
      sql`UPDATE issue_fingerprint SET issue_seq = home_seq
        WHERE issue_seq IN (SELECT seq FROM issue WHERE game IS ${game})
          AND home_seq IN (SELECT seq FROM issue WHERE game IS NOT ${game})`,
      sql`DELETE FROM forward_video WHERE issue IN (SELECT id FROM issue WHERE game IS ${game})`,
      sql`DELETE FROM issue WHERE game IS ${game}`,
      // An issue that had fingerprints of two games keeps those of the other game, so its totals change.
      sql`
        UPDATE issue SET count = c, first_seen_ms = f, last_seen_ms = l FROM (
          SELECT issue_seq, sum(count) AS c, min(first_seen_ms) AS f, max(last_seen_ms) AS l FROM issue_fingerprint GROUP BY issue_seq)
        WHERE issue_seq = seq AND count <> c`,
      sql`DELETE FROM issue_forgotten WHERE game = ${game ?? ""}`,
      sql`DELETE FROM forward_report WHERE game IS ${game}`,
      sql`DELETE FROM forward_sent WHERE EXISTS (SELECT 1 FROM json_each(games) WHERE value IS ${game})`,
      sql`DELETE FROM forward_target WHERE game = ${named}`,
      sql`
        UPDATE notice_setting SET value = (SELECT json_group_array(value) FROM json_each(notice_setting.value) WHERE value <> ${named})
        WHERE name = 'quietGames' AND EXISTS (SELECT 1 FROM json_each(notice_setting.value) WHERE value = ${named})`,
      // Without this, the search index would contain deleted text until its next merge.
      sql`INSERT INTO issue_text (issue_text) VALUES ('optimize')`,
    ];
  },
});
