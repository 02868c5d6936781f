// Triggers that already came, in SQL: times and ids out of the journal, nothing else.
import { type Row, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** A trigger of recording at its place in the journal. */
export type Past = {
  readonly seq: number;
  /** The event's own id. */
  readonly id: string;
  readonly eventId: string;
  readonly atMs: number;
  readonly receivedMs: number;
  /** A switch was off when it came. */
  readonly ignored: boolean;
};

/** So far back in the journal an id is looked for: it has no index, since each would slow down taking events in. */
const backMax = 100_000;

const pastOf = (row: Row): Past => ({
  seq: Number(row.seq),
  id: String(row.id),
  eventId: String(row.eventId),
  atMs: Number(row.atMs),
  receivedMs: Number(row.receivedMs),
  ignored: row.status === "ignored",
});

export type PastStore = ReturnType<typeof createPastStore>;

export const createPastStore = (storage: Pick<Storage, "read">) => ({
  /** The newest of an id, newest first. */
  async newest(eventId: string, limit: number): Promise<Past[]> {
    const rows = await storage.read(sql`
      SELECT seq, id, event_id AS eventId, acts_on_ms AS atMs, received_at_ms AS receivedMs, status FROM event
      WHERE seq > (SELECT max(seq) FROM event) - ${backMax} AND kind = 'recording' AND event_id = ${eventId}
      ORDER BY seq DESC LIMIT ${limit}`);
    return rows.map(pastOf);
  },
  /** Those of other ids that were not ignored, around a stretch of the journal, newest first. */
  async others(eventId: string, fromSeq: number, toSeq: number, limit: number): Promise<Past[]> {
    const rows = await storage.read(sql`
      SELECT seq, id, event_id AS eventId, acts_on_ms AS atMs, received_at_ms AS receivedMs, status FROM event
      WHERE seq BETWEEN ${fromSeq} AND ${toSeq} AND kind = 'recording' AND event_id != ${eventId} AND status = 'accepted'
      ORDER BY seq DESC LIMIT ${limit}`);
    return rows.map(pastOf);
  },
});
