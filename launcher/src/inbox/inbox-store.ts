// The journal in SQL: events, receipts, and the cursors of the slices.
import type { EventKind, IgnoreReason, KitEvent, MessageOrText, ReceiptEntry, ReceiptState } from "@kit/contract";
import { concatSql, fromMessageColumn, type Row, type Statement, sql, toMessageColumn } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type NewEvent = {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** The declared members as JSON text, which preserves every string exactly. */
  readonly payload: string;
  readonly actsOnMs: number;
  readonly receivedAtMs: number;
  readonly status: "accepted" | "ignored";
  readonly reason: IgnoreReason | null;
  readonly notes: readonly MessageOrText[];
  readonly origin: string | null;
  readonly client: string | null;
  /** The run of a program or page that sent the event; absent or null if unknown. */
  readonly sender?: number | null;
};

/** An event with its position in the journal. `event` is parsed on access, because not every reader needs it. */
export type JournalEntry = {
  readonly seq: number;
  readonly status: KitEvent["status"];
  /** The run of a program or page that sent the event, or null if unknown. */
  readonly sender: number | null;
  readonly event: KitEvent;
};
/** A page of events; `isComplete` is false if more follow. */
type EntryPage = { readonly entries: readonly JournalEntry[]; readonly isComplete: boolean };
/**
 * A page of the newest events. The list goes on before the position `next`, even if this page is empty; `next` is null at the
 * end of the list.
 */
type NewestPage = { readonly entries: readonly JournalEntry[]; readonly next: number | null };
type ReceiptUpdate = { readonly seq: number; readonly id: string; readonly entry: ReceiptEntry };

/** Selects triggers by event id and reports by sender. With `unsorted`, it selects the reports of all senders except `senders`. */
type GameFilter = {
  readonly eventIds: readonly string[];
  readonly senders: readonly number[];
  readonly unsorted: boolean;
};
/** Selects events by kind and game; null selects all. */
export type EventSelection = {
  readonly kind: EventKind | null;
  readonly game: GameFilter | null;
};

/** Number of events in a block, as in the triggers of `event_block` (inbox.sql). */
const blockEvents = 512;
/** Maximum blocks that are searched at a time. */
const blocksMax = 32;
/** Positions from `from` to `to`, without `to`. */
type Range = readonly [from: number, to: number];

/** Joins adjacent blocks into one range, because a range is read only until the page is full. `blocks`: newest first. */
function rangesOf(blocks: readonly number[], beforeSeq: number): Range[] {
  const ranges: Range[] = [];
  for (const block of blocks) {
    const from = block * blockEvents;
    const last = ranges.at(-1);
    if (last?.[0] === from + blockEvents) ranges[ranges.length - 1] = [from, last[1]];
    else ranges.push([from, Math.min(from + blockEvents, beforeSeq)]);
  }
  return ranges;
}

export type InboxStore = ReturnType<typeof createInboxStore>;

export function insertEvent(event: NewEvent): Statement {
  const notes = event.notes.length > 0 ? JSON.stringify(event.notes) : null;
  return sql`
    INSERT INTO event (seq, id, kind, event_id, payload, acts_on_ms, received_at_ms, status, reason, notes, origin, client,
      sender, checksum)
    VALUES (max((SELECT seq FROM event_floor), coalesce((SELECT max(seq) FROM event), 0)) + 1, ${event.id}, ${event.kind}, ${event.eventId}, ${event.payload}, ${event.actsOnMs}, ${event.receivedAtMs},
      ${event.status}, ${event.reason}, ${notes}, ${event.origin}, ${event.client}, ${event.sender ?? null}, checksum(${event.payload}))`;
}

/** Sets the sender of a stored event whose sender was found late. */
export const updateEventSender = (id: string, sender: number): Statement =>
  sql`UPDATE event SET sender = ${sender} WHERE id = ${id}`;

/** Adds a state to the receipts of many events. Skips events that are already in this state. */
export function insertReceiptState(
  events: readonly { readonly seq: number }[],
  state: ReceiptState,
  by: string,
  atMs: number,
  reason: MessageOrText | null = null,
): Statement {
  const positions = JSON.stringify(events.map(({ seq }) => seq));
  return sql`
    INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT value, ${state}, ${atMs}, ${by}, ${toMessageColumn(reason)} FROM json_each(${positions})
    WHERE ${state} IS NOT (SELECT state FROM receipt WHERE event_seq = value ORDER BY seq DESC LIMIT 1)`;
}

/** Like `insertReceiptState`, but skips an event only if the reason is also equal. */
export function insertReceiptStateOrReason(
  events: readonly { readonly seq: number }[],
  state: ReceiptState,
  by: string,
  atMs: number,
  reason: MessageOrText | null = null,
): Statement {
  const positions = JSON.stringify(events.map(({ seq }) => seq));
  return sql`
    INSERT INTO receipt (event_seq, state, at_ms, by, reason)
    SELECT value, ${state}, ${atMs}, ${by}, ${toMessageColumn(reason)} FROM json_each(${positions})
    WHERE NOT EXISTS (
      SELECT 1 FROM (SELECT state, reason FROM receipt WHERE event_seq = value ORDER BY seq DESC LIMIT 1)
      WHERE state = ${state} AND reason IS ${toMessageColumn(reason)})`;
}

export function saveSliceCursor(slice: string, seq: number): Statement {
  return sql`
    INSERT INTO hand_over (slice, seq) VALUES (${slice}, ${seq})
    ON CONFLICT (slice) DO UPDATE SET seq = excluded.seq`;
}

/** Deletes the events up to and including `seq`, with their receipts. */
export function deleteOldestEvents(seq: number): Statement[] {
  return [
    sql`DELETE FROM receipt WHERE event_seq <= ${seq}`,
    sql`DELETE FROM event WHERE seq <= ${seq}`,
    sql`DELETE FROM event_block WHERE block < ${Math.floor((seq + 1) / blockEvents)}`,
  ];
}

/** Limits of the search for preceding events. */
const precedingRowsMax = 1_000;
const precedingMs = 600_000;

const toIso = (ms: unknown) => new Date(Number(ms)).toISOString();

/** Finds the game of an event. The journal never stores it, so a correction also applies to past events. */
export type GameOf = (kind: EventKind, eventId: string | null, sender: number | null) => string | null;

export const createInboxStore = (storage: Storage, gameOf: GameOf) => ({
  ...createEventQueries(storage, gameOf),
  ...createReceiptQueries(storage),
  ...createPositionQueries(storage),
});

/** A condition that holds for the newest `limit` selected events of each range. */
const inRanges = (ranges: readonly Range[], { kind, game }: EventSelection, limit: number): Statement => sql`
  seq IN (
    SELECT found.seq FROM json_each(${JSON.stringify(ranges)}) AS range CROSS JOIN event AS found ON found.seq IN (
      SELECT seq FROM event
      WHERE seq >= range.value ->> 0 AND seq < range.value ->> 1 AND (${kind} IS NULL OR kind = ${kind})
        AND (${game === null ? 1 : 0} OR event_id IN (SELECT value FROM json_each(${JSON.stringify(game?.eventIds ?? [])}))
          OR (event_id IS NULL AND ${game?.unsorted ? 0 : 1} =
            (coalesce(sender, -1) IN (SELECT value FROM json_each(${JSON.stringify(game?.senders ?? [])})))))
      ORDER BY seq DESC LIMIT ${limit}))`;

function createEventQueries(storage: Storage, gameOf: GameOf) {
  const parseEvent = (row: Row): KitEvent => {
    const kind = row.kind as EventKind;
    const eventId = row.eventId as string | null;
    return {
      id: String(row.id),
      kind,
      game: gameOf(kind, eventId, row.sender as number | null),
      eventId,
      payload: JSON.parse(String(row.payload)),
      receivedAt: toIso(row.receivedAtMs),
      actsOn: toIso(row.actsOnMs),
      status: row.status as KitEvent["status"],
      ...(row.reason === null ? {} : { reason: row.reason as IgnoreReason }),
      state: (row.state ?? row.status) as ReceiptState,
      notes: row.notes === null ? [] : JSON.parse(String(row.notes)),
      origin: row.origin as string | null,
      client: row.client as string | null,
      intact: row.intact === 1,
    };
  };
  const parseEntry = (row: Row): JournalEntry => ({
    seq: Number(row.seq),
    status: row.status as KitEvent["status"],
    sender: row.sender as number | null,
    get event() {
      return parseEvent(row);
    },
  });

  /** Returns the newest blocks that contain a selected event, newest first. */
  const blocksWith = async ({ kind, game }: EventSelection, beforeSeq: number): Promise<number[]> => {
    const rows = await storage.read(sql`
      SELECT DISTINCT block FROM event_block
      WHERE block <= ${Math.floor((beforeSeq - 1) / blockEvents)} AND (${kind} IS NULL OR kind = ${kind})
        AND (${game === null ? 1 : 0} OR key IN (SELECT value FROM json_each(${JSON.stringify(game?.eventIds ?? [])}))
          OR (typeof(key) = 'integer' AND ${game?.unsorted ? 0 : 1} =
            (key IN (SELECT value FROM json_each(${JSON.stringify(game?.senders ?? [])})))))
      ORDER BY block DESC LIMIT ${blocksMax}`);
    return rows.map(({ block }) => Number(block));
  };

  return {
    /** Returns events before `beforeSeq`, newest first. With a filter, reads only blocks that have such events. */
    async listNewest(wanted: EventSelection, beforeSeq: number, limit: number): Promise<NewestPage> {
      const blocks = wanted.kind === null && wanted.game === null ? null : await blocksWith(wanted, beforeSeq);
      if (blocks?.length === 0) return { entries: [], next: null };
      const { rows, whole } = await storage.readPage(
        concatSql(
          sql`
            SELECT seq, id, kind, event_id AS eventId, payload, acts_on_ms AS actsOnMs, received_at_ms AS receivedAtMs,
              status, reason, notes, origin, client, sender, checksum(payload) = checksum AS intact,
              (SELECT state FROM receipt WHERE event_seq = event.seq ORDER BY receipt.seq DESC LIMIT 1) AS state
            FROM event WHERE `,
          blocks === null ? sql`seq < ${beforeSeq}` : inRanges(rangesOf(blocks, beforeSeq), wanted, limit),
          sql` ORDER BY seq DESC LIMIT ${limit}`,
        ),
      );
      const oldest = blocks?.length === blocksMax ? (blocks.at(-1) ?? 0) * blockEvents : null;
      const isCut = !whole || rows.length === limit;
      return { entries: rows.map(parseEntry), next: isCut ? Number(rows.at(-1)?.seq) : oldest };
    },
    /** Returns events after `afterSeq`, oldest first. */
    async listAfter(afterSeq: number, kind: EventKind | null, limit: number): Promise<EntryPage> {
      const { rows, whole } = await storage.readPage(sql`
        SELECT seq, id, kind, event_id AS eventId, payload, acts_on_ms AS actsOnMs, received_at_ms AS receivedAtMs,
          status, reason, notes, origin, client, sender, checksum(payload) = checksum AS intact, NULL AS state
        FROM event WHERE seq > ${afterSeq} AND (${kind} IS NULL OR kind = ${kind})
        ORDER BY seq LIMIT ${limit}`);
      return { entries: rows.map(parseEntry), isComplete: whole && rows.length < limit };
    },
    async find(id: string): Promise<JournalEntry | undefined> {
      const [row] = await storage.read(sql`
        SELECT seq, id, kind, event_id AS eventId, payload, acts_on_ms AS actsOnMs, received_at_ms AS receivedAtMs,
          status, reason, notes, origin, client, sender, checksum(payload) = checksum AS intact,
          (SELECT state FROM receipt WHERE event_seq = event.seq ORDER BY receipt.seq DESC LIMIT 1) AS state
        FROM event WHERE id = ${id}`);
      return row && parseEntry(row);
    },
    /**
     * Returns what the same sender sent before an event, newest first, within a bounded number of rows. If the sender is
     * unknown, returns events of the same origin and client from shortly before.
     */
    async listPreceding(id: string): Promise<KitEvent[]> {
      const { rows } = await storage.readPage(sql`
        SELECT e.seq AS seq, e.id AS id, e.kind AS kind, e.event_id AS eventId, e.payload AS payload,
          e.acts_on_ms AS actsOnMs, e.received_at_ms AS receivedAtMs, e.status AS status, e.reason AS reason,
          e.notes AS notes, e.origin AS origin, e.client AS client, e.sender AS sender, checksum(e.payload) = e.checksum AS intact, NULL AS state
        FROM event AS this JOIN event AS e ON e.seq < this.seq AND e.seq >= this.seq - ${precedingRowsMax}
        WHERE this.id = ${id} AND e.sender IS this.sender AND (this.sender IS NOT NULL OR (
          e.origin IS this.origin AND e.client IS this.client AND e.received_at_ms > this.received_at_ms - ${precedingMs}))
        ORDER BY e.seq DESC`);
      return rows.map(parseEvent);
    },
  };
}

function createReceiptQueries(storage: Storage) {
  return {
    async listStates(seq: number): Promise<ReceiptEntry[]> {
      const rows = await storage.read(sql`
        SELECT state, at_ms AS atMs, by, reason FROM receipt WHERE event_seq = ${seq} ORDER BY seq`);
      return rows.map(parseReceiptEntry);
    },
    async listReceiptUpdates(afterSeq: number, limit: number): Promise<ReceiptUpdate[]> {
      const rows = await storage.read(sql`
        SELECT receipt.seq AS seq, event.id AS id, state, at_ms AS atMs, by, receipt.reason AS reason
        FROM receipt JOIN event ON event.seq = receipt.event_seq
        WHERE receipt.seq > ${afterSeq} ORDER BY receipt.seq LIMIT ${limit}`);
      return rows.map((row) => ({ seq: Number(row.seq), id: String(row.id), entry: parseReceiptEntry(row) }));
    },
  };
}

function createPositionQueries(storage: Storage) {
  return {
    /** Returns the newest positions of the journal and of the receipts. */
    async latestPositions(): Promise<{ event: number; receipt: number }> {
      const [row] = await storage.read(sql`
        SELECT max((SELECT seq FROM event_floor), (SELECT coalesce(max(seq), 0) FROM event)) AS event,
          (SELECT coalesce(max(seq), 0) FROM receipt) AS receipt`);
      return { event: Number(row?.event), receipt: Number(row?.receipt) };
    },
    /** Returns the bytes of the database file that are in use. */
    async usedBytes(): Promise<number> {
      const [row] = await storage.read(sql`
        SELECT (page_count - freelist_count) * page_size AS bytes
        FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`);
      return Number(row?.bytes);
    },
    /** Returns the oldest events that may be deleted, at most `limit`: all events before the first undispatched one. */
    async findRemovable(limit: number): Promise<{ seq: number; events: number }> {
      const rows = await storage.read(sql`
        SELECT seq, status = 'ignored' OR EXISTS (SELECT 1 FROM receipt WHERE event_seq = event.seq) AS done
        FROM event ORDER BY seq LIMIT ${limit}`);
      const firstWaiting = rows.findIndex(({ done }) => done === 0);
      const removable = firstWaiting < 0 ? rows : rows.slice(0, firstWaiting);
      return { seq: Number(removable.at(-1)?.seq ?? 0), events: removable.length };
    },
    async loadCursors(): Promise<Map<string, number>> {
      const rows = await storage.read(sql`SELECT slice, seq FROM hand_over`);
      return new Map(rows.map((row) => [String(row.slice), Number(row.seq)]));
    },
  };
}

function parseReceiptEntry(row: Row): ReceiptEntry {
  const entry = { state: row.state as ReceiptState, at: toIso(row.atMs), by: String(row.by) };
  const reason = fromMessageColumn(row.reason);
  return reason === null ? entry : { ...entry, reason };
}

const exportPageMax = 500;

/** Yields events, newest first, without those that arrive meanwhile. `game`: null selects unsorted events, undefined all. */
export async function* exportEvents(journal: InboxStore, game: string | null | undefined) {
  const everything = { kind: null, game: null };
  let before: number | null = (await journal.latestPositions()).event + 1;
  while (before !== null) {
    const page: Awaited<ReturnType<InboxStore["listNewest"]>> = await journal.listNewest(
      everything,
      before,
      exportPageMax,
    );
    for (const { event } of page.entries) if (game === undefined || event.game === game) yield event;
    before = page.next;
  }
}
