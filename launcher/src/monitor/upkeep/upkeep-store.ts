// SQL of the upkeep of counts and mutes. Each statement does a bounded part of the work, so that new reports never wait long.
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { createIssueEvictionStore } from "./issue-eviction-store.ts";
import { createSampleStore } from "./sample-eviction-store.ts";

/** The roll-ups: counts of `from` spans become counts of `to` spans, which last `toMs`. */
const rollUps = [
  { from: "minute", to: "hour", toMs: 3_600_000 },
  { from: "hour", to: "day", toMs: 86_400_000 },
] as const;
export type RollUp = (typeof rollUps)[number];
export const [minutesToHours, hoursToDays] = rollUps;

const countsAtOnce = 250;
const unmutedAtOnce = 50;

const lastWholeSpanEnd = ({ toMs }: RollUp, beforeMs: number) => Math.floor(beforeMs / toMs) * toMs;

/** Rolls up some counts of spans that ended before `beforeMs`, oldest first. The total does not change. */
export function rollUpCounts(span: RollUp, beforeMs: number): Statement[] {
  const { from, to, toMs } = span;
  const endMs = lastWholeSpanEnd(span, beforeMs);
  return [
    sql`
      INSERT INTO issue_count (fingerprint_seq, at_ms, span, n)
      SELECT fingerprint_seq, at_ms - at_ms % ${toMs} AS began, ${to}, sum(n) FROM (
        SELECT fingerprint_seq, at_ms, n FROM issue_count INDEXED BY issue_count_by_age
        WHERE span = ${from} AND at_ms < ${endMs} ORDER BY at_ms, fingerprint_seq LIMIT ${countsAtOnce})
      WHERE true GROUP BY fingerprint_seq, began
      ON CONFLICT (fingerprint_seq, at_ms, span) DO UPDATE SET n = n + excluded.n`,
    sql`
      DELETE FROM issue_count WHERE span = ${from} AND (fingerprint_seq, at_ms) IN (
        SELECT fingerprint_seq, at_ms FROM issue_count INDEXED BY issue_count_by_age
        WHERE span = ${from} AND at_ms < ${endMs} ORDER BY at_ms, fingerprint_seq LIMIT ${countsAtOnce})`,
  ];
}

/** Reopens issues whose mute has expired, up to a maximum per call. */
export const unmuteDueIssues = (nowMs: number): Statement => sql`
  UPDATE issue SET state = 'open', state_since_ms = muted_until_ms WHERE seq IN (
    SELECT seq FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs} LIMIT ${unmutedAtOnce})`;

export type UpkeepStore = ReturnType<typeof createUpkeepStore>;

export const createUpkeepStore = (storage: Storage) => ({
  samples: createSampleStore(storage),
  issues: createIssueEvictionStore(storage),
  async hasCountsBefore(span: RollUp, beforeMs: number): Promise<boolean> {
    const rows = await storage.read(sql`
      SELECT 1 FROM issue_count INDEXED BY issue_count_by_age
      WHERE span = ${span.from} AND at_ms < ${lastWholeSpanEnd(span, beforeMs)} LIMIT 1`);
    return rows.length > 0;
  },
  async hasDueMutes(nowMs: number): Promise<boolean> {
    const rows = await storage.read(sql`
      SELECT 1 FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs} LIMIT 1`);
    return rows.length > 0;
  },
});
