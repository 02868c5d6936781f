// The events of a session in SQL, in the order in which they came.
import type { EventKind, ReceiptState } from "@kit/contract";
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** A report's first line is among its first characters. */
const messageCharsMax = 400;

export type SessionEvent = {
  readonly seq: number;
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** Of a report: how its message begins. */
  readonly message: string | null;
  readonly atMs: number;
  readonly state: ReceiptState;
};

/** Of sessions whose events lie scattered among another game's only so many stretches are looked at. */
const stretchesMax = 2_000;

/** Places of the journal, the last one included. */
export type Stretch = readonly [first: number, last: number];

export type TimelineStore = ReturnType<typeof createTimelineStore>;

export function createTimelineStore(storage: Pick<Storage, "read">) {
  return {
    /** Behind a place of the journal. Only stretches of the session are read, whatever others sent meanwhile. */
    async events(session: string, afterSeq: number, limit: number): Promise<SessionEvent[]> {
      const rows = await storage.read(sql`
        SELECT e.seq AS seq, e.id AS id, e.kind AS kind, e.event_id AS eventId, e.acts_on_ms AS atMs,
          iif(e.kind = 'monitor', substr(e.payload ->> 'message', 1, ${messageCharsMax}), NULL) AS message,
          coalesce((SELECT state FROM receipt WHERE event_seq = e.seq ORDER BY receipt.seq DESC LIMIT 1), e.status) AS state
        FROM game_session AS s
        CROSS JOIN game_session_part AS p ON p.session_seq = s.seq AND p.last_seq > ${afterSeq}
        CROSS JOIN event AS e ON e.seq BETWEEN p.first_seq AND p.last_seq AND e.seq > ${afterSeq}
        WHERE s.id = ${session} ORDER BY p.first_seq, e.seq LIMIT ${limit}`);
      return rows.map((row) => ({ ...row, seq: Number(row.seq), atMs: Number(row.atMs) }) as SessionEvent);
    },
    /** A session and those of its game before it, `max` at most: the stretches of each. */
    async upTo(session: string, max: number): Promise<Stretch[][]> {
      const rows = await storage.read(sql`
        SELECT s.seq AS session, first_seq AS first, last_seq AS last
        FROM (SELECT seq FROM game_session
          WHERE game = (SELECT game FROM game_session WHERE id = ${session})
            AND seq <= (SELECT seq FROM game_session WHERE id = ${session})
          ORDER BY seq DESC LIMIT ${max}) AS s
        LEFT JOIN game_session_part AS p ON p.session_seq = s.seq ORDER BY s.seq DESC LIMIT ${stretchesMax}`);
      const ofSessions = Map.groupBy(rows, ({ session: seq }) => seq);
      return [...ofSessions.values()].map((parts) =>
        parts.flatMap(({ first, last }): Stretch[] => (first === null ? [] : [[Number(first), Number(last)]])),
      );
    },
    /** How many of its events the journal still has. */
    async kept(session: string): Promise<number> {
      const [row] = await storage.read(sql`
        SELECT coalesce(sum(max(0, p.last_seq - max(p.first_seq, (SELECT coalesce(min(seq), 0) FROM event)) + 1)), 0) AS events
        FROM game_session_part AS p JOIN game_session AS s ON s.seq = p.session_seq
        WHERE s.id = ${session} AND EXISTS (SELECT 1 FROM event)`);
      return Number(row?.events);
    },
  };
}
