// The journal in SQL: events, receipts, and how far each slice has come.
import type { EventKind, IgnoreReason, KitEvent, ReceiptEntry, ReceiptState } from "@kit/contract";
import { type Row, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type NewEvent = {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** The declared members as JSON text: the one form in which any string comes back as it was sent. */
  readonly payload: string;
  readonly actsOnMs: number;
  readonly receivedAtMs: number;
  readonly status: "accepted" | "ignored";
  readonly reason: IgnoreReason | null;
  readonly notes: readonly string[];
  readonly origin: string | null;
  readonly client: string | null;
  /** Which run of a program or a page sent it, where that is known; left out: it is not. */
  readonly sender?: number | null;
};

/** An event at its place in the journal. The event itself is made when it is asked for: not everybody does. */
export type Entry = {
  readonly seq: number;
  readonly status: KitEvent["status"];
  /** Which run of a program or a page sent it, where that is known. */
  readonly sender: number | null;
  readonly event: KitEvent;
};
/** Events that could be read at once; `whole` is false when more follow. */
export type EntryPage = { readonly entries: readonly Entry[]; readonly whole: boolean };
export type StatedReceipt = { readonly seq: number; readonly id: string; readonly entry: ReceiptEntry };

/** What is filed under a game: by its id, or by its sender where it has none. Unsorted: `senders` are all that have a game. */
type Filed = {
  readonly eventIds: readonly string[];
  readonly senders: readonly number[];
  readonly unsorted: boolean;
};
/** Which events a reader wants; null takes all. */
export type Wanted = {
  readonly kind: EventKind | null;
  readonly game: Filed | null;
};

export type InboxStore = ReturnType<typeof createInboxStore>;

export function insertEvent(event: NewEvent): Statement {
  const notes = event.notes.length > 0 ? JSON.stringify(event.notes) : null;
  return sql`
    INSERT INTO event (seq, id, kind, event_id, payload, acts_on_ms, received_at_ms, status, reason, notes, origin, client,
      sender, checksum)
    VALUES (max((SELECT seq FROM event_floor), coalesce((SELECT max(seq) FROM event), 0)) + 1, ${event.id}, ${event.kind}, ${event.eventId}, ${event.payload}, ${event.actsOnMs}, ${event.receivedAtMs},
      ${event.status}, ${event.reason}, ${notes}, ${event.origin}, ${event.client}, ${event.sender ?? null}, checksum(${event.payload}))`;
}

/** Who sent an event, where that was found out too late to be stored with it. */
export const senderFound = (id: string, sender: number): Statement =>
  sql`UPDATE event SET sender = ${sender} WHERE id = ${id}`;

/** One state for many events, in one statement. One that an event is in already it does not reach again. */
export function stateReached(
  events: readonly { readonly seq: number }[],
  state: ReceiptState,
  by: string,
  atMs: number,
  reason: string | null = null,
): Statement {
  const places = JSON.stringify(events.map(({ seq }) => seq));
  return sql`
    INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT value, ${state}, ${atMs}, ${by}, ${reason} FROM json_each(${places})
    WHERE ${state} IS NOT (SELECT state FROM receipt WHERE event_seq = value ORDER BY seq DESC LIMIT 1)`;
}

/** As stateReached, for a state that is reached again for another reason: it is said again. */
export function stateSaid(
  events: readonly { readonly seq: number }[],
  state: ReceiptState,
  by: string,
  atMs: number,
  reason: string | null = null,
): Statement {
  const places = JSON.stringify(events.map(({ seq }) => seq));
  return sql`
    INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT value, ${state}, ${atMs}, ${by}, ${reason} FROM json_each(${places})
    WHERE NOT EXISTS (
      SELECT 1 FROM (SELECT state, reason FROM receipt WHERE event_seq = value ORDER BY seq DESC LIMIT 1)
      WHERE state = ${state} AND reason IS ${reason})`;
}

export function handedOverUpTo(slice: string, seq: number): Statement {
  return sql`
    INSERT INTO hand_over (slice, seq) VALUES (${slice}, ${seq})
    ON CONFLICT (slice) DO UPDATE SET seq = excluded.seq`;
}

/** Forgets the journal's beginning, up to and with `seq`, and the receipts of what was there. */
export function removeOldest(seq: number): Statement[] {
  return [sql`DELETE FROM receipt WHERE event_seq <= ${seq}`, sql`DELETE FROM event WHERE seq <= ${seq}`];
}

/** How far back what came before an event is looked for. */
const beforeRowsMax = 1_000;
const beforeMs = 600_000;

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();

/** `gameOf` files an event: the journal itself never says to which game it belongs, so a correction re-files all. */
export function createInboxStore(
  storage: Storage,
  gameOf: (kind: EventKind, eventId: string | null, sender: number | null) => string | null,
) {
  const eventOf = (row: Row): KitEvent => {
    const kind = row.kind as EventKind;
    const eventId = row.eventId as string | null;
    return {
      id: String(row.id),
      kind,
      game: gameOf(kind, eventId, row.sender as number | null),
      eventId,
      payload: JSON.parse(String(row.payload)),
      receivedAt: isoOf(row.receivedAtMs),
      actsOn: isoOf(row.actsOnMs),
      status: row.status as KitEvent["status"],
      ...(row.reason === null ? {} : { reason: row.reason as IgnoreReason }),
      state: (row.state ?? row.status) as ReceiptState,
      notes: row.notes === null ? [] : JSON.parse(String(row.notes)),
      origin: row.origin as string | null,
      client: row.client as string | null,
      intact: row.intact === 1,
    };
  };
  const entryOf = (row: Row): Entry => ({
    seq: Number(row.seq),
    status: row.status as KitEvent["status"],
    sender: row.sender as number | null,
    get event() {
      return eventOf(row);
    },
  });

  return {
    /** Events before `beforeSeq`, newest first. */
    async newest(wanted: Wanted, beforeSeq: number, limit: number): Promise<EntryPage> {
      const { rows, whole } = await storage.readPage(sql`
        SELECT seq, id, kind, event_id AS eventId, payload, acts_on_ms AS actsOnMs, received_at_ms AS receivedAtMs,
          status, reason, notes, origin, client, sender, checksum(payload) = checksum AS intact,
          (SELECT state FROM receipt WHERE event_seq = event.seq ORDER BY receipt.seq DESC LIMIT 1) AS state
        FROM event
        WHERE seq < ${beforeSeq} AND (${wanted.kind} IS NULL OR kind = ${wanted.kind})
          AND (${wanted.game === null ? 1 : 0} OR event_id IN (SELECT value FROM json_each(${JSON.stringify(wanted.game?.eventIds ?? [])}))
            OR (event_id IS NULL AND ${wanted.game?.unsorted ? 0 : 1} =
              (coalesce(sender, -1) IN (SELECT value FROM json_each(${JSON.stringify(wanted.game?.senders ?? [])})))))
        ORDER BY seq DESC LIMIT ${limit}`);
      return { entries: rows.map(entryOf), whole };
    },
    /** Events after `afterSeq`, oldest first. */
    async after(afterSeq: number, kind: EventKind | null, limit: number): Promise<EntryPage> {
      const { rows, whole } = await storage.readPage(sql`
        SELECT seq, id, kind, event_id AS eventId, payload, acts_on_ms AS actsOnMs, received_at_ms AS receivedAtMs,
          status, reason, notes, origin, client, sender, checksum(payload) = checksum AS intact, NULL AS state
        FROM event WHERE seq > ${afterSeq} AND (${kind} IS NULL OR kind = ${kind})
        ORDER BY seq LIMIT ${limit}`);
      return { entries: rows.map(entryOf), whole: whole && rows.length < limit };
    },
    async find(id: string): Promise<Entry | undefined> {
      const [row] = await storage.read(sql`
        SELECT seq, id, kind, event_id AS eventId, payload, acts_on_ms AS actsOnMs, received_at_ms AS receivedAtMs,
          status, reason, notes, origin, client, sender, checksum(payload) = checksum AS intact,
          (SELECT state FROM receipt WHERE event_seq = event.seq ORDER BY receipt.seq DESC LIMIT 1) AS state
        FROM event WHERE id = ${id}`);
      return row && entryOf(row);
    },
    /**
     * What the same sender sent before an event, newest first; of a flood only its end is looked through. Where it is not
     * known which run that is: what came shortly before from the same origin and client.
     */
    async sentBefore(id: string): Promise<KitEvent[]> {
      const { rows } = await storage.readPage(sql`
        SELECT e.seq AS seq, e.id AS id, e.kind AS kind, e.event_id AS eventId, e.payload AS payload,
          e.acts_on_ms AS actsOnMs, e.received_at_ms AS receivedAtMs, e.status AS status, e.reason AS reason,
          e.notes AS notes, e.origin AS origin, e.client AS client, e.sender AS sender, checksum(e.payload) = e.checksum AS intact, NULL AS state
        FROM event AS this JOIN event AS e ON e.seq < this.seq AND e.seq >= this.seq - ${beforeRowsMax}
        WHERE this.id = ${id} AND e.sender IS this.sender AND (this.sender IS NOT NULL OR (
          e.origin IS this.origin AND e.client IS this.client AND e.received_at_ms > this.received_at_ms - ${beforeMs}))
        ORDER BY e.seq DESC`);
      return rows.map(eventOf);
    },
    async statesOf(seq: number): Promise<ReceiptEntry[]> {
      const rows = await storage.read(sql`
        SELECT state, at_ms AS atMs, by, reason FROM receipt WHERE event_seq = ${seq} ORDER BY seq`);
      return rows.map(receiptEntryOf);
    },
    async statesAfter(afterSeq: number, limit: number): Promise<StatedReceipt[]> {
      const rows = await storage.read(sql`
        SELECT receipt.seq AS seq, event.id AS id, state, at_ms AS atMs, by, receipt.reason AS reason
        FROM receipt JOIN event ON event.seq = receipt.event_seq
        WHERE receipt.seq > ${afterSeq} ORDER BY receipt.seq LIMIT ${limit}`);
      return rows.map((row) => ({ seq: Number(row.seq), id: String(row.id), entry: receiptEntryOf(row) }));
    },
    /** The newest places of the journal and of the receipts. */
    async ends(): Promise<{ event: number; receipt: number }> {
      const [row] = await storage.read(sql`
        SELECT max((SELECT seq FROM event_floor), (SELECT coalesce(max(seq), 0) FROM event)) AS event,
          (SELECT coalesce(max(seq), 0) FROM receipt) AS receipt`);
      return { event: Number(row?.event), receipt: Number(row?.receipt) };
    },
    /** Bytes of the database file in use. */
    async bytes(): Promise<number> {
      const [row] = await storage.read(sql`
        SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`);
      return Number(row?.bytes);
    },
    /** The oldest events that may go, at most `limit`: none is behind one that was not handed over yet. */
    async removable(limit: number): Promise<{ seq: number; events: number }> {
      const rows = await storage.read(sql`
        SELECT seq, status = 'ignored' OR EXISTS (SELECT 1 FROM receipt WHERE event_seq = event.seq) AS done
        FROM event ORDER BY seq LIMIT ${limit}`);
      const waiting = rows.findIndex(({ done }) => done === 0);
      const free = waiting < 0 ? rows : rows.slice(0, waiting);
      return { seq: Number(free.at(-1)?.seq ?? 0), events: free.length };
    },
    async handedOver(): Promise<Map<string, number>> {
      const rows = await storage.read(sql`SELECT slice, seq FROM hand_over`);
      return new Map(rows.map((row) => [String(row.slice), Number(row.seq)]));
    },
  };
}

function receiptEntryOf(row: Row): ReceiptEntry {
  const entry = { state: row.state as ReceiptState, at: isoOf(row.atMs), by: String(row.by) };
  return row.reason === null ? entry : { ...entry, reason: String(row.reason) };
}
