// Stores the recording rules that differ from the default.
import type { RecordingAction, RecordingRule } from "@kit/contract";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

const ms = (seconds: number) => Math.round(seconds * 1_000);
const seconds = (ms: unknown) => Number(ms) / 1_000;

export function saveRecordingRule(rule: RecordingRule): Statement {
  const preMs = ms(rule.preSeconds);
  const postMs = ms(rule.postSeconds);
  const gapMs = ms(rule.mergeGapSeconds);
  const longestMs = ms(rule.longestSeconds);
  const cooldownMs = ms(rule.cooldownSeconds);
  return sql`
    INSERT INTO recording_rule (event_id, action, pre_ms, post_ms, merge_gap_ms, longest_ms, cooldown_ms, priority)
    VALUES (${rule.eventId}, ${rule.action}, ${preMs}, ${postMs}, ${gapMs}, ${longestMs}, ${cooldownMs}, ${rule.priority})
    ON CONFLICT (event_id) DO UPDATE SET action = excluded.action, pre_ms = excluded.pre_ms, post_ms = excluded.post_ms,
      merge_gap_ms = excluded.merge_gap_ms, longest_ms = excluded.longest_ms, cooldown_ms = excluded.cooldown_ms,
      priority = excluded.priority`;
}

export const deleteRecordingRule = (eventId: string): Statement =>
  sql`DELETE FROM recording_rule WHERE event_id = ${eventId}`;

export async function loadRecordingRules(storage: Pick<Storage, "read">): Promise<RecordingRule[]> {
  const rows = await storage.read(sql`
    SELECT event_id AS eventId, action, pre_ms AS preMs, post_ms AS postMs, merge_gap_ms AS mergeGapMs,
      longest_ms AS longestMs, cooldown_ms AS cooldownMs, priority
    FROM recording_rule ORDER BY event_id`);
  return rows.map((row) => ({
    eventId: String(row.eventId),
    action: row.action as RecordingAction,
    preSeconds: seconds(row.preMs),
    postSeconds: seconds(row.postMs),
    mergeGapSeconds: seconds(row.mergeGapMs),
    longestSeconds: seconds(row.longestMs),
    cooldownSeconds: seconds(row.cooldownMs),
    priority: Number(row.priority),
    changed: true,
  }));
}

/** A recording trigger with its position in the journal. */
export type PastTrigger = {
  readonly seq: number;
  /** Id of the event. */
  readonly id: string;
  readonly eventId: string;
  readonly atMs: number;
  readonly receivedMs: number;
  /** True if a switch was off, so that the trigger was ignored. */
  readonly ignored: boolean;
};

/**
 * How many events Kit searches for those with an event id. The journal has no index of event ids, because an index would slow
 * ingest.
 */
const searchedMax = 100_000;

const pastOf = (row: Row): PastTrigger => ({
  seq: Number(row.seq),
  id: String(row.id),
  eventId: String(row.eventId),
  atMs: Number(row.atMs),
  receivedMs: Number(row.receivedMs),
  ignored: row.status === "ignored",
});

export type PastTriggerStore = ReturnType<typeof createPastTriggerStore>;

export const createPastTriggerStore = (storage: Pick<Storage, "read">) => ({
  /** Returns the newest triggers of an event id, newest first. */
  async newest(eventId: string, limit: number): Promise<PastTrigger[]> {
    const rows = await storage.read(sql`
      SELECT seq, id, event_id AS eventId, acts_on_ms AS atMs, received_at_ms AS receivedMs, status FROM event
      WHERE seq > (SELECT max(seq) FROM event) - ${searchedMax} AND kind = 'recording' AND event_id = ${eventId}
      ORDER BY seq DESC LIMIT ${limit}`);
    return rows.map(pastOf);
  },
  /** Returns the accepted triggers of other event ids in a stretch of the journal, newest first. */
  async others(eventId: string, fromSeq: number, toSeq: number, limit: number): Promise<PastTrigger[]> {
    const rows = await storage.read(sql`
      SELECT seq, id, event_id AS eventId, acts_on_ms AS atMs, received_at_ms AS receivedMs, status FROM event
      WHERE seq BETWEEN ${fromSeq} AND ${toSeq} AND kind = 'recording' AND event_id != ${eventId} AND status = 'accepted'
      ORDER BY seq DESC LIMIT ${limit}`);
    return rows.map(pastOf);
  },
});
