// Reads past recording triggers from the journal: their times and event ids.
import { type Row, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** A recording trigger with its position in the journal. */
export type PastTrigger = {
  readonly seq: number;
  /** Id of the event. */
  readonly id: string;
  readonly eventId: string;
  readonly atMs: number;
  readonly receivedMs: number;
  /** The trigger was ignored because a switch was off. */
  readonly ignored: boolean;
};

/** Events searched for an event id. The journal has no index on it, because an index would slow down ingest. */
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
  /** The newest triggers of an event id, newest first. */
  async newest(eventId: string, limit: number): Promise<PastTrigger[]> {
    const rows = await storage.read(sql`
      SELECT seq, id, event_id AS eventId, acts_on_ms AS atMs, received_at_ms AS receivedMs, status FROM event
      WHERE seq > (SELECT max(seq) FROM event) - ${searchedMax} AND kind = 'recording' AND event_id = ${eventId}
      ORDER BY seq DESC LIMIT ${limit}`);
    return rows.map(pastOf);
  },
  /** Accepted triggers of other event ids in a range of the journal, newest first. */
  async others(eventId: string, fromSeq: number, toSeq: number, limit: number): Promise<PastTrigger[]> {
    const rows = await storage.read(sql`
      SELECT seq, id, event_id AS eventId, acts_on_ms AS atMs, received_at_ms AS receivedMs, status FROM event
      WHERE seq BETWEEN ${fromSeq} AND ${toSeq} AND kind = 'recording' AND event_id != ${eventId} AND status = 'accepted'
      ORDER BY seq DESC LIMIT ${limit}`);
    return rows.map(pastOf);
  },
});
