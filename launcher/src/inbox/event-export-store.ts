// The events that are kept, in SQL: how many of each game, and all of one game wiped. Filing is a rule, so it is handed over.
import type { EventKind } from "@kit/contract";
import { type Row, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type GameOf = (kind: EventKind, eventId: string | null, sender: number | null) => string | null;

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
const nameOf = ({ kind, eventId, sender }: Group) => JSON.stringify([kind, eventId, sender]);
/** Stands for a sender that is not known. */
const nobody = -1;

/**
 * Events that are filed alike, counted: triggers by their ids, reports by who sent them. The journal is only added to, at its
 * end, and shortened at its beginning: while that stays where it is, only what came since is counted.
 */
function createTally(storage: Pick<Storage, "read">) {
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
      const name = nameOf(group);
      groups.set(name, { ...group, events: group.events + (groups.get(name)?.events ?? 0) });
    }
    known = { first, last, groups };
    return groups.values();
  };
}

export function createEventExportStore(storage: Pick<Storage, "read">, gameOf: GameOf) {
  const tally = createTally(storage);
  const groups = async () =>
    [...(await tally())].map((group) => ({ ...group, game: gameOf(group.kind, group.eventId, group.sender) }));
  return {
    async count(): Promise<Map<string | null, { events: number }>> {
      const counts = new Map<string | null, { events: number }>();
      for (const { game, events } of await groups())
        counts.set(game, { events: events + (counts.get(game)?.events ?? 0) });
      return counts;
    },
    /** With their receipts. `senders`: those that are wiped with the game, whose other events have no sender from then on. */
    async wiped(game: string | null, senders: readonly number[]): Promise<Statement[]> {
      const filed = (await groups()).filter((group) => group.game === game);
      const ids = JSON.stringify(filed.flatMap(({ kind, eventId }) => (eventId === null ? [] : [[kind, eventId]])));
      const by = JSON.stringify(filed.flatMap(({ eventId, sender }) => (eventId === null ? [sender ?? nobody] : [])));
      return [
        sql`UPDATE event_floor SET seq = max(seq, (SELECT coalesce(max(seq), 0) FROM event))`,
        sql`
          DELETE FROM receipt WHERE event_seq IN (
            SELECT seq FROM event WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${ids}))
              OR (event_id IS NULL AND coalesce(sender, ${nobody}) IN (SELECT value FROM json_each(${by}))))`,
        sql`
          DELETE FROM event WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${ids}))
            OR (event_id IS NULL AND coalesce(sender, ${nobody}) IN (SELECT value FROM json_each(${by})))`,
        ...(senders.length === 0
          ? []
          : [
              sql`UPDATE event SET sender = NULL WHERE sender IN (SELECT value FROM json_each(${JSON.stringify(senders)}))`,
            ]),
      ];
    },
  };
}
