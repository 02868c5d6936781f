// What becomes of each table when a damaged database is salvaged: every table of the schema stands here, a test compares.

/**
 * `added`: rows are only ever added, so those after the backup's newest are copied.
 * `newest`: a row of the damaged file takes the place of the backup's; where all of it was read, what is not in it was deleted.
 * `ifWhole`: taken as it is in the damaged file, or emptied: what the backup says of it would now be done by mistake.
 * `derived`: triggers and SQLite keep it.
 * `place`: how far each slice has come; see settle.ts.
 * Otherwise the slice whose place in the journal was committed with the rows. Its sums are of the events up to that place, so
 * both are taken of the damaged file, or both stay as the backup has them, and the slice is handed the events since then again:
 * anything else would count events twice or not at all. `sum`: all of it must have been read; `detail`: what was read of it.
 */
export type Take =
  | "added"
  | "newest"
  | "ifWhole"
  | "derived"
  | "place"
  | { readonly slice: "monitor" | "sessions"; readonly as: "sum" | "detail" };

const ofMonitor = (as: "sum" | "detail") => ({ slice: "monitor", as }) as const;
const ofSessions = { slice: "sessions", as: "sum" } as const;

/** In the order in which they are copied: `rule` counts events by a trigger, and its own rows say it better. */
export const takes: Readonly<Record<string, Take>> = {
  event_floor: "newest",
  event: "added",
  receipt: "added",
  hand_over: "place",
  game: "newest",
  rule: "newest",
  service: "newest",
  origin: "newest",
  session: "newest",
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
  delivery: "newest",
  wipe: "ifWhole",
  issue: ofMonitor("sum"),
  issue_fingerprint: ofMonitor("sum"),
  issue_tally: ofMonitor("sum"),
  issue_count: ofMonitor("detail"),
  issue_sample: ofMonitor("detail"),
  issue_forgotten: ofMonitor("detail"),
  notice: ofMonitor("detail"),
  forward_target: "newest",
  forward_report: "newest",
  game_session: ofSessions,
  game_session_sender: ofSessions,
  game_session_part: ofSessions,
  game_session_gone: "newest",
  issue_size: "derived",
  sqlite_sequence: "derived",
  issue_text: "derived",
  clip_text: "derived",
};
