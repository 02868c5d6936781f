// Stores the recording rules that differ from the default.
import type { RecordingAction, RecordingRule } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

const ms = (seconds: number) => Math.round(seconds * 1_000);
const seconds = (ms: unknown) => Number(ms) / 1_000;

export function saveRule(rule: RecordingRule): Statement {
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

export const deleteRule = (eventId: string): Statement => sql`DELETE FROM recording_rule WHERE event_id = ${eventId}`;

export async function loadRules(storage: Pick<Storage, "read">): Promise<RecordingRule[]> {
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
