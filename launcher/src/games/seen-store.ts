// How often the events of each id came, and when last, in SQL. The database counts them itself, in the commit that keeps an event.
import type { Rule } from "@kit/contract";
import { type Row, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { isoOf, keyOf, type ShownRule } from "./shown.ts";

type Seen = Pick<Rule, "lastSeenAt" | "count">;

/** Of an id that a person or a file spoke of before any game did. */
const never: Seen = { lastSeenAt: null, count: 0 };

const seenIn = ({ events, lastSeenMs }: Row): Seen => ({
  lastSeenAt: lastSeenMs === null ? null : isoOf(Number(lastSeenMs)),
  count: Number(events),
});

export type SeenStore = ReturnType<typeof createSeenStore>;

export function createSeenStore(storage: Pick<Storage, "read">) {
  return {
    /** One row an id is read, however long the journal is. */
    async ofAll(rules: readonly ShownRule[]): Promise<Rule[]> {
      const rows = await storage.read(sql`
        SELECT kind, event_id AS eventId, events, last_seen_ms AS lastSeenMs FROM rule WHERE events > 0`);
      const seen = new Map(rows.map((row) => [`${row.kind} ${row.eventId}`, seenIn(row)]));
      return rules.map((rule) => ({ ...rule, ...(seen.get(keyOf(rule.kind, rule.eventId)) ?? never) }));
    },
    async of(rule: ShownRule): Promise<Rule> {
      const [row] = await storage.read(sql`
        SELECT events, last_seen_ms AS lastSeenMs FROM rule WHERE kind = ${rule.kind} AND event_id = ${rule.eventId}`);
      return { ...rule, ...(row === undefined ? never : seenIn(row)) };
    },
  };
}
