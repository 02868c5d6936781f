// Reads the events of a session in SQL, in order of arrival.
import type { EventKind, ReceiptState } from "@kit/contract";
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** Only the beginning of a message is read, because a timeline shows only its first line. */
const messageCharsMax = 400;

export type SessionEvent = {
  readonly seq: number;
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** The beginning of a report's message; null for a trigger. */
  readonly message: string | null;
  readonly atMs: number;
  readonly state: ReceiptState;
};

/** How many stretches are read at most. There are many if the events of several games alternate. */
const stretchesMax = 2_000;

/** The first and the last position of a stretch of the journal, both included. */
export type JournalStretch = readonly [first: number, last: number];

export type TimelineStore = ReturnType<typeof createTimelineStore>;

export function createTimelineStore(storage: Pick<Storage, "read">) {
  return {
    /** Returns the next events of the session after a position. Reads only the stretches of the session. */
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
    /** Returns the stretches of a session and of earlier sessions of its game: `max` sessions in all, newest first. */
    async stretchesUpTo(session: string, max: number): Promise<JournalStretch[][]> {
      const rows = await storage.read(sql`
        SELECT s.seq AS session, first_seq AS first, last_seq AS last
        FROM (SELECT seq FROM game_session
          WHERE game = (SELECT game FROM game_session WHERE id = ${session})
            AND seq <= (SELECT seq FROM game_session WHERE id = ${session})
          ORDER BY seq DESC LIMIT ${max}) AS s
        LEFT JOIN game_session_part AS p ON p.session_seq = s.seq ORDER BY s.seq DESC LIMIT ${stretchesMax}`);
      const ofSessions = Map.groupBy(rows, ({ session: seq }) => seq);
      return [...ofSessions.values()].map((parts) =>
        parts.flatMap(({ first, last }): JournalStretch[] => (first === null ? [] : [[Number(first), Number(last)]])),
      );
    },
    /** Returns how many events of the session are still in the journal. */
    async countStored(session: string): Promise<number> {
      const [row] = await storage.read(sql`
        SELECT coalesce(sum(max(0, p.last_seq - max(p.first_seq, (SELECT coalesce(min(seq), 0) FROM event)) + 1)), 0) AS events
        FROM game_session_part AS p JOIN game_session AS s ON s.seq = p.session_seq
        WHERE s.id = ${session} AND EXISTS (SELECT 1 FROM event)`);
      return Number(row?.events);
    },
  };
}
