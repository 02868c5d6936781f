// What upkeep does of counts and mutes, in SQL: each statement a bounded part of what is due, so that none holds up what comes in.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createRoomStore } from "./upkeep-room-store.ts";
import { createSampleStore } from "./upkeep-sample-store.ts";

/** The spans that counts are kept in, each with how long it is. */
const spans = [
  { from: "minute", to: "hour", toMs: 3_600_000 },
  { from: "hour", to: "day", toMs: 86_400_000 },
] as const;
export type Span = (typeof spans)[number];
export const [minutesToHours, hoursToDays] = spans;

const countsAtOnce = 250;
const wokenAtOnce = 50;

const endOf = ({ toMs }: Span, beforeMs: number) => Math.floor(beforeMs / toMs) * toMs;

/** Adds up some of what is older, as far as whole spans go, the oldest first. The sum of all stays what it is. */
export function rolled(span: Span, beforeMs: number): Statement[] {
  const { from, to, toMs } = span;
  const endMs = endOf(span, beforeMs);
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

/** Some of those whose time is over. */
export const woken = (nowMs: number): Statement => sql`
  UPDATE issue SET state = 'open', state_since_ms = muted_until_ms WHERE seq IN (
    SELECT seq FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs} LIMIT ${wokenAtOnce})`;

export type UpkeepStore = ReturnType<typeof createUpkeepStore>;

export const createUpkeepStore = (storage: Storage) => ({
  samples: createSampleStore(storage),
  room: createRoomStore(storage),
  async isDue(span: Span, beforeMs: number): Promise<boolean> {
    const rows = await storage.read(sql`
      SELECT 1 FROM issue_count INDEXED BY issue_count_by_age
      WHERE span = ${span.from} AND at_ms < ${endOf(span, beforeMs)} LIMIT 1`);
    return rows.length > 0;
  },
  async isWaking(nowMs: number): Promise<boolean> {
    const rows = await storage.read(sql`
      SELECT 1 FROM issue INDEXED BY issue_waking WHERE state = 'muted' AND muted_until_ms <= ${nowMs} LIMIT 1`);
    return rows.length > 0;
  },
});
