// Reads how many events each id had, and when the last one was. The database counts them in the commit that stores an event.
import type { EventIdRule } from "@kit/contract";
import { isoTime, type Row, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { ruleKey, type UncountedEventIdRule } from "./rule-view.ts";

type RuleCount = Pick<EventIdRule, "lastSeenAt" | "count">;

/** The counts of an id that a person or a file named and no game has sent. */
const neverSeen: RuleCount = { lastSeenAt: null, count: 0 };

const countFromRow = ({ events, lastSeenMs }: Row): RuleCount => ({
  lastSeenAt: lastSeenMs === null ? null : isoTime(Number(lastSeenMs)),
  count: Number(events),
});

export function createRuleCountStore(storage: Pick<Storage, "read">) {
  return {
    /** Reads one row for each id, so that it stays fast however long the journal is. */
    async addCounts(rules: readonly UncountedEventIdRule[]): Promise<EventIdRule[]> {
      const rows = await storage.read(sql`
        SELECT kind, event_id AS eventId, events, last_seen_ms AS lastSeenMs FROM rule WHERE events > 0`);
      const counts = new Map(rows.map((row) => [`${row.kind} ${row.eventId}`, countFromRow(row)]));
      return rules.map((rule) => ({ ...rule, ...(counts.get(ruleKey(rule.kind, rule.eventId)) ?? neverSeen) }));
    },
    async addCount(rule: UncountedEventIdRule): Promise<EventIdRule> {
      const [row] = await storage.read(sql`
        SELECT events, last_seen_ms AS lastSeenMs FROM rule WHERE kind = ${rule.kind} AND event_id = ${rule.eventId}`);
      return { ...rule, ...(row === undefined ? neverSeen : countFromRow(row)) };
    },
  };
}
