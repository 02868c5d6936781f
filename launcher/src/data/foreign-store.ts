// Decides for each table of a database from another Kit what is restored. What could let someone in, send data away, start a program
// or read files on this computer is left out. A test fails if a table is missing here.

import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { ForeignCleanup, OmittedRows } from "../storage/threads/database-file-task.ts";

type Decision =
  /** Restored unchanged. */
  | { readonly is: "taken" }
  /** Not taken from the other database: the table stays as it is on this computer. */
  | { readonly is: "present" }
  | { readonly is: "emptied" }
  /** Restored, and then changed by the statements, so that nothing happens without a person. */
  | { readonly is: "disarmed"; readonly statements: readonly Statement[] };

const [taken, present, emptied] = [{ is: "taken" }, { is: "present" }, { is: "emptied" }] as const;
const disarmed = (...statements: readonly Statement[]) => ({ is: "disarmed", statements }) as const;

/** Matches a path outside the clips folder, or an id that would lead outside when used as a file name. */
const strayClip = sql`
  file LIKE '/%' OR file LIKE '\\%' OR file LIKE '_:%' OR '/' || replace(file, '\\', '/') || '/' LIKE '%/../%'
  OR id = '' OR id GLOB '*[^0-9A-Za-z-]*'`.text;

/** The decision on a virtual table includes its shadow tables. */
export const foreignTableDecisions: Readonly<Record<string, Decision>> = {
  event: taken,
  event_block: taken,
  receipt: taken,
  event_floor: taken,
  // Events from another computer create no clips, drafts or issues.
  hand_over: disarmed(
    sql`DELETE FROM hand_over`,
    sql`
      INSERT INTO hand_over (slice, seq)
      SELECT value, (SELECT coalesce(max(seq), 0) FROM event) FROM json_each('["recording", "monitor", "social"]')`,
  ),
  game: taken,
  rule: taken,
  // Services that are switched off here stay off.
  service: present,
  origin: present,
  session: present,
  // This table contains the address of OBS, to which Kit sends the OBS password.
  recorder_setting: present,
  recording_rule: taken,
  clip: disarmed({ text: `DELETE FROM clip WHERE ${strayClip}`, values: [] }),
  clip_moment: taken,
  clip_tag: taken,
  clip_text: taken,
  // Kit looks for these programs among the running processes, and another computer has other programs.
  game_program: emptied,
  issue: taken,
  issue_fingerprint: taken,
  issue_count: taken,
  issue_sample: taken,
  issue_text: taken,
  issue_size: taken,
  issue_forgotten: taken,
  issue_tally: taken,
  notice: taken,
  notice_setting: disarmed(sql`DELETE FROM notice_setting WHERE name = 'desktop'`),
  forward_report: emptied,
  forward_sent: emptied,
  forward_count: emptied,
  forward_decision: emptied,
  forward_target: emptied,
  forward_video_target: emptied,
  forward_video: emptied,
  forward_upload: emptied,
  sender: taken,
  sender_event_id: taken,
  // Kit reads files below these folders to show a report's frames.
  game_source: emptied,
  // A delivery that was being sent may have arrived; the others are dropped.
  delivery: disarmed(
    sql`UPDATE delivery SET state = 'maybe', link = NULL WHERE state = 'sending'`,
    sql`UPDATE delivery SET state = 'dropped', link = NULL WHERE state IN ('waiting', 'preparing')`,
    sql`UPDATE delivery SET link = NULL WHERE link NOT LIKE 'https://%'`,
  ),
  post: disarmed(
    sql`
      UPDATE post SET automatic = 0, asks = NULL, expires_ms = NULL, sends_ms = NULL, state = CASE
        WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND delivery.state = 'failed') THEN 'failed'
        WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND delivery.state = 'maybe') THEN 'unsure'
        WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND delivery.state = 'sent') THEN 'sent'
        ELSE 'skipped' END
      WHERE state IN ('draft', 'held', 'approved', 'sending')`,
    sql`UPDATE post SET automatic = 0`,
  ),
  post_moment: taken,
  account: emptied,
  post_rule: disarmed(sql`UPDATE post_rule SET approval = 'ask', accounts = '[]'`),
  post_setting: present,
  game_session: taken,
  game_session_sender: taken,
  game_session_part: taken,
  game_session_gone: taken,
  event_look: taken,
  proposed_command: emptied,
  game_entry: disarmed(
    sql`
      INSERT INTO proposed_command (game, command) SELECT game, command FROM game_entry
      WHERE command IS NOT NULL AND json_valid(command) AND json_type(command, '$.program') = 'text'
        AND json_type(command, '$.folder') = 'text' AND json_type(command, '$.arguments') = 'array'
        AND NOT EXISTS (SELECT 1 FROM json_each(command, '$.arguments') WHERE type <> 'text')`,
    sql`UPDATE game_entry SET command = NULL`,
    sql`
      UPDATE game_entry SET cover = NULL, cover_type = NULL, cover_version = NULL
      WHERE cover_type NOT IN ('image/jpeg', 'image/png', 'image/webp') OR cover_version GLOB '*[^0-9A-Za-z_-]*'`,
  ),
  wipe: emptied,
};

type ReportedTable = { readonly table: string; readonly count: Statement; readonly says: (n: number) => string };

/** Tables whose rows are reported to the person if they are left out. */
const reportedTables: readonly ReportedTable[] = [
  { table: "session", count: sql`SELECT count(*) AS n FROM session`, says: (n) => `sign-ins to the dashboard (${n})` },
  { table: "origin", count: sql`SELECT count(*) AS n FROM origin`, says: (n) => `decisions on web pages (${n})` },
  { table: "account", count: sql`SELECT count(*) AS n FROM account`, says: (n) => `accounts (${n})` },
  {
    table: "forward_target",
    count: sql`SELECT count(*) AS n FROM forward_target`,
    says: (n) => `forwarding targets (${n})`,
  },
  {
    table: "post",
    count: sql`SELECT count(*) AS n FROM post WHERE state IN ('draft', 'held', 'approved', 'sending')`,
    says: (n) => `unsent posts (${n})`,
  },
  {
    table: "post_rule",
    count: sql`SELECT count(*) AS n FROM post_rule WHERE approval = 'automatic'`,
    says: (n) => `rules that post without asking (${n})`,
  },
  {
    table: "game_entry",
    count: sql`SELECT count(*) AS n FROM game_entry WHERE command IS NOT NULL`,
    says: (n) => `commands that Play starts (${n})`,
  },
  {
    table: "game_source",
    count: sql`SELECT count(*) AS n FROM game_source`,
    says: (n) => `folders of source code (${n})`,
  },
  {
    table: "clip",
    count: { text: `SELECT count(*) AS n FROM clip WHERE ${strayClip}`, values: [] },
    says: (n) => `clips outside the clips folder (${n})`,
  },
];

export function describeLeftOut(leftOut: readonly OmittedRows[]): string {
  const counts = new Map(leftOut.map(({ table, n }) => [table, n]));
  const there = reportedTables.flatMap(({ table, says }) => (counts.get(table) ? [says(counts.get(table) ?? 0)] : []));
  const made = "The restored data was made by another Kit, so it signs nobody in, sends nothing and starts no program.";
  return there.length === 0 ? made : `${made} Left out or waiting for your decision: ${there.join("; ")}.`;
}

const settingTables = ["service", "recorder_setting", "post_setting"] as const;
const columnsOf = { service: "kind, enabled", recorder_setting: "name, value", post_setting: "name, value" } as const;

/** Returns statements that copy this computer's settings to another database, without sessions and web origins. */
async function copySettings(storage: Pick<Storage, "read">): Promise<Statement[]> {
  const copied = settingTables.map(async (table): Promise<Statement[]> => {
    const rows = await storage.read({ text: `SELECT ${columnsOf[table]} FROM ${table}`, values: [] });
    const values = JSON.stringify(rows.map((row) => Object.values(row)));
    return [
      { text: `DELETE FROM ${table}`, values: [] },
      {
        text: `INSERT INTO ${table} (${columnsOf[table]}) SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
        values: [values],
      },
    ];
  });
  return (await Promise.all(copied)).flat();
}

/** Returns the statements that make a database from another Kit safe to use here, and the counts of the rows that they remove. */
export async function planDisarming(storage: Pick<Storage, "read">): Promise<ForeignCleanup> {
  const statements = Object.entries(foreignTableDecisions).flatMap(([table, decision]): readonly Statement[] => {
    if (decision.is === "emptied") return [{ text: `DELETE FROM ${table}`, values: [] }];
    return decision.is === "disarmed" ? decision.statements : [];
  });
  return {
    counts: reportedTables.map(({ table, count }) => ({ table, count })),
    statements: [...statements, ...(await copySettings(storage))],
  };
}
