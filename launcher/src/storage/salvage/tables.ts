// The salvage rule of each table. A test ensures that every table of the schema has one.

/**
 * `added`: rows are never changed, so only rows after the backup's newest are copied.
 * `newest`: rows of the damaged file replace those of the backup. If all rows were readable, other rows are deleted.
 * `ifWhole`: copied if all rows were readable, otherwise emptied, because acting on outdated rows would be wrong.
 * `derived`: maintained by triggers and SQLite.
 * `cursors`: the cursors of the slices, which reconcile.ts sets.
 * An object is for a table whose rows a slice commits together with its cursor. The slice's sums cover the events up to the
 * cursor, so rows and cursor must come from the same file: otherwise events would be counted twice or not at all. `sum` tables
 * must be completely readable, `detail` tables need not.
 */
export type SalvageRule =
  | "added"
  | "newest"
  | "ifWhole"
  | "derived"
  | "cursors"
  | { readonly slice: "monitor" | "sessions"; readonly as: "sum" | "detail" };

const monitorRule = (as: "sum" | "detail") => ({ slice: "monitor", as }) as const;
const sessionsRule = { slice: "sessions", as: "sum" } as const;

/** The order matters: copying `event` runs a trigger that changes `rule`, whose own rows are copied afterwards. */
export const salvageRules: Readonly<Record<string, SalvageRule>> = {
  event_floor: "newest",
  event: "added",
  receipt: "added",
  hand_over: "cursors",
  game: "newest",
  rule: "newest",
  service: "newest",
  origin: "ifWhole",
  session: "ifWhole",
  recorder_setting: "newest",
  recording_rule: "newest",
  game_program: "newest",
  game_source: "newest",
  game_entry: "newest",
  proposed_command: "newest",
  event_look: "newest",
  notice_setting: "newest",
  sender: "newest",
  sender_event_id: "newest",
  clip: "newest",
  clip_moment: "newest",
  clip_tag: "newest",
  account: "newest",
  post_rule: "newest",
  post_setting: "newest",
  post: "newest",
  post_moment: "newest",
  delivery: "newest",
  wipe: "ifWhole",
  issue: monitorRule("sum"),
  issue_fingerprint: monitorRule("sum"),
  issue_tally: monitorRule("sum"),
  issue_count: monitorRule("detail"),
  issue_sample: monitorRule("detail"),
  issue_forgotten: monitorRule("detail"),
  notice: monitorRule("detail"),
  forward_count: monitorRule("sum"),
  forward_target: "newest",
  forward_decision: "newest",
  forward_report: "newest",
  forward_sent: "newest",
  forward_video_target: "newest",
  forward_video: "newest",
  forward_upload: "newest",
  game_session: sessionsRule,
  game_session_sender: sessionsRule,
  game_session_part: sessionsRule,
  game_session_gone: "newest",
  event_block: "derived",
  issue_size: "derived",
  sqlite_sequence: "derived",
  issue_text: "derived",
  clip_text: "derived",
};
