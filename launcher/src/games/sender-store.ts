// Stores the senders of events in SQL.
import type { EventKind } from "@kit/contract";
import { type Statement, sql, textOrNull } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type TriggerId = readonly [kind: EventKind, eventId: string];
export type StoredSender = {
  readonly id: number;
  readonly program: string;
  readonly run: string;
  /** The game that a person named with `kit run`; null if the event ids decide. */
  readonly game: string | null;
  /** The build that a person named with `kit run`. */
  readonly build: string | null;
  readonly eventIds: readonly TriggerId[];
};

export const saveSender = ({ id, program, run, game }: Omit<StoredSender, "eventIds" | "build">): Statement =>
  sql`INSERT INTO sender (id, program, run, game) VALUES (${id}, ${program}, ${run}, ${game}) ON CONFLICT (id) DO NOTHING`;

/** Inserts a sender, or updates the program and the game of a stored one to those that `kit run` reported. */
export const saveKitRunSender = ({ id, program, run, game, build }: Omit<StoredSender, "eventIds">): Statement => sql`
  INSERT INTO sender (id, program, run, game, build) VALUES (${id}, ${program}, ${run}, ${game}, ${build})
  ON CONFLICT (id) DO UPDATE SET program = excluded.program, game = coalesce(excluded.game, game),
    build = coalesce(excluded.build, build)`;

/** Does nothing if the sender was deleted meanwhile: an error would prevent the commit, which also stores the event. */
export const saveSenderEventId = (id: number, [kind, eventId]: TriggerId): Statement => sql`
  INSERT INTO sender_event_id (sender_id, kind, event_id) SELECT id, ${kind}, ${eventId} FROM sender WHERE id = ${id}
  ON CONFLICT DO NOTHING`;

export const deleteSender = (id: number): Statement => sql`DELETE FROM sender WHERE id = ${id}`;

/** Returns the newest `max` senders, oldest first. */
export async function loadSenders(storage: Pick<Storage, "read">, max: number): Promise<StoredSender[]> {
  const [rows, ids] = await Promise.all([
    storage.read(sql`SELECT id, program, run, game, build FROM sender ORDER BY id DESC LIMIT ${max}`),
    storage.read(sql`SELECT sender_id AS id, kind, event_id AS eventId FROM sender_event_id`),
  ]);
  const idsOf = Map.groupBy(ids, ({ id }) => id);
  return rows.toReversed().map(({ id, program, run, game, build }) => ({
    id: Number(id),
    program: String(program),
    run: String(run),
    game: textOrNull(game),
    build: textOrNull(build),
    eventIds: (idsOf.get(id ?? null) ?? []).map((row) => [row.kind as EventKind, String(row.eventId)]),
  }));
}
