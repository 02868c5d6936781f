// The senders of events in SQL.
import type { EventKind } from "@kit/contract";
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type TriggerId = readonly [kind: EventKind, eventId: string];
export type StoredSender = {
  readonly id: number;
  readonly program: string;
  readonly run: string;
  /** The game a person named when they started it with `kit run`; null: it follows from its ids. */
  readonly game: string | null;
  readonly eventIds: readonly TriggerId[];
};

export const saveSender = ({ id, program, run, game }: Omit<StoredSender, "eventIds">): Statement =>
  sql`INSERT INTO sender (id, program, run, game) VALUES (${id}, ${program}, ${run}, ${game}) ON CONFLICT (id) DO NOTHING`;

/** What `kit run` says of it counts from then on. */
export const nameSender = ({ id, program, run, game }: Omit<StoredSender, "eventIds">): Statement => sql`
  INSERT INTO sender (id, program, run, game) VALUES (${id}, ${program}, ${run}, ${game})
  ON CONFLICT (id) DO UPDATE SET program = excluded.program, game = coalesce(excluded.game, game)`;

/** Nothing where the sender was forgotten meanwhile: the event it comes with must be kept all the same. */
export const saveEventId = (id: number, [kind, eventId]: TriggerId): Statement => sql`
  INSERT INTO sender_event_id (sender_id, kind, event_id) SELECT id, ${kind}, ${eventId} FROM sender WHERE id = ${id}
  ON CONFLICT DO NOTHING`;

export const forgetSender = (id: number): Statement => sql`DELETE FROM sender WHERE id = ${id}`;

/** The newest `max`, oldest first. */
export async function loadSenders(storage: Storage, max: number): Promise<StoredSender[]> {
  const [rows, ids] = await Promise.all([
    storage.read(sql`SELECT id, program, run, game FROM sender ORDER BY id DESC LIMIT ${max}`),
    storage.read(sql`SELECT sender_id AS id, kind, event_id AS eventId FROM sender_event_id`),
  ]);
  const idsOf = Map.groupBy(ids, ({ id }) => id);
  return rows.toReversed().map(({ id, program, run, game }) => ({
    id: Number(id),
    program: String(program),
    run: String(run),
    game: game === null || game === undefined ? null : String(game),
    eventIds: (idsOf.get(id ?? null) ?? []).map((row) => [row.kind as EventKind, String(row.eventId)]),
  }));
}
