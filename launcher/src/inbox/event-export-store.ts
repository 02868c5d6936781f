// Counts and wipes a game's events in SQL. The caller passes the function that finds an event's game.
import type { EventKind } from "@kit/contract";
import { type Row, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { GameOf } from "./inbox-store.ts";

type Group = {
  readonly kind: EventKind;
  readonly eventId: string | null;
  readonly sender: number | null;
  readonly events: number;
};

const groupOf = (row: Row): Group => ({
  kind: row.kind as EventKind,
  eventId: row.eventId === null ? null : String(row.eventId),
  sender: row.sender === null ? null : Number(row.sender),
  events: Number(row.events),
});
const groupKey = ({ kind, eventId, sender }: Group) => JSON.stringify([kind, eventId, sender]);
/** Stands for an unknown sender. */
const unknownSender = -1;

/**
 * Counts events in groups that always belong to the same game: triggers by event id, reports by sender. The journal is
 * append-only, so unless its beginning was deleted, only events since the last count are read.
 */
function createEventCounter(storage: Pick<Storage, "read">) {
  let known = { first: 0, last: 0, groups: new Map<string, Group>() };
  return async (): Promise<Iterable<Group>> => {
    const [row] = await storage.read(
      sql`SELECT (SELECT min(seq) FROM event) AS first, (SELECT max(seq) FROM event) AS last`,
    );
    const first = Number(row?.first);
    const last = Number(row?.last);
    const before = known.first === first ? known : { last: 0, groups: new Map<string, Group>() };
    const rows = await storage.read(sql`
      SELECT kind, event_id AS eventId, iif(event_id IS NULL, sender, NULL) AS sender, count(*) AS events
      FROM event WHERE seq > ${before.last} AND seq <= ${last} GROUP BY 1, 2, 3`);
    const groups = new Map(before.groups);
    for (const group of rows.map(groupOf)) {
      const key = groupKey(group);
      groups.set(key, { ...group, events: group.events + (groups.get(key)?.events ?? 0) });
    }
    known = { first, last, groups };
    return groups.values();
  };
}

export function createEventExportStore(storage: Pick<Storage, "read">, gameOf: GameOf) {
  const countEvents = createEventCounter(storage);
  const groups = async () =>
    [...(await countEvents())].map((group) => ({ ...group, game: gameOf(group.kind, group.eventId, group.sender) }));
  return {
    async count(): Promise<Map<string | null, { events: number }>> {
      const counts = new Map<string | null, { events: number }>();
      for (const { game, events } of await groups())
        counts.set(game, { events: events + (counts.get(game)?.events ?? 0) });
      return counts;
    },
    /**
     * Returns statements that delete the game's events and receipts. `senders` are deleted with the game, so events of theirs
     * that belong to other games lose their sender.
     */
    async wipeStatements(game: string | null, senders: readonly number[]): Promise<Statement[]> {
      const filed = (await groups()).filter((group) => group.game === game);
      const ids = JSON.stringify(filed.flatMap(({ kind, eventId }) => (eventId === null ? [] : [[kind, eventId]])));
      const by = JSON.stringify(
        filed.flatMap(({ eventId, sender }) => (eventId === null ? [sender ?? unknownSender] : [])),
      );
      return [
        sql`UPDATE event_floor SET seq = max(seq, (SELECT coalesce(max(seq), 0) FROM event))`,
        sql`
          DELETE FROM receipt WHERE event_seq IN (
            SELECT seq FROM event WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${ids}))
              OR (event_id IS NULL AND coalesce(sender, ${unknownSender}) IN (SELECT value FROM json_each(${by}))))`,
        sql`
          DELETE FROM event WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${ids}))
            OR (event_id IS NULL AND coalesce(sender, ${unknownSender}) IN (SELECT value FROM json_each(${by})))`,
        sql`
          DELETE FROM event_block WHERE (kind, key) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${ids}))
            OR key IN (SELECT value FROM json_each(${by}))`,
        ...(senders.length === 0
          ? []
          : [
              sql`UPDATE event SET sender = NULL WHERE sender IN (SELECT value FROM json_each(${JSON.stringify(senders)}))`,
            ]),
      ];
    },
  };
}
