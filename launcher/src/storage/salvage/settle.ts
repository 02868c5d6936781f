// What has to fit together once the rows are copied: how far each slice has come, what rows refer to, what is never done twice.
import type { DatabaseSync } from "node:sqlite";
import { scan } from "./scan.ts";
import { numberOf, shapeOf, valuesOf } from "./shape.ts";

type Places = ReadonlyMap<string, number>;
const slices = ["recording", "monitor", "social", "sessions"];

/** How far each slice had come, where the damaged file says so. A place beyond all that is known is none. */
export function readPlaces(source: DatabaseSync | undefined, target: DatabaseSync): Places {
  const places = new Map<string, number>();
  const newest = lastKnownEvent(target, places);
  const shape = source && shapeOf(source, "hand_over");
  if (source === undefined || shape === undefined) return places;
  let isDoubtful = false;
  const take = (read: readonly unknown[]) => {
    const [slice, seq] = valuesOf(shape.columns, read) ?? [];
    if (typeof slice === "string" && typeof seq === "bigint" && seq > 0n && seq <= newest)
      places.set(slice, Number(seq));
    else isDoubtful = true;
  };
  const isRow = (read: readonly unknown[]) => valuesOf(shape.columns, read) !== undefined;
  const { isWhole } = scan({ source, shape, take, isRow, checkTime: () => undefined });
  // A slice that is not there has not been handed anything yet.
  if (isWhole && !isDoubtful) for (const slice of slices) if (!places.has(slice)) places.set(slice, 0);
  return places;
}

/** The newest event that is known of, there or not. */
export function lastKnownEvent(target: DatabaseSync, places: Places): number {
  const known = numberOf(
    target,
    `SELECT max((SELECT coalesce(max(seq), 0) FROM event), (SELECT coalesce(max(event_seq), 0) FROM receipt),
      (SELECT seq FROM event_floor)) AS n`,
  );
  return Math.max(Number(known), ...places.values());
}

/** A number that was given once is not given again, though its row is gone. */
export function keepNumbers(source: DatabaseSync, target: DatabaseSync): void {
  try {
    const raise = target.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?");
    for (const { name, seq } of source.prepare("SELECT name, seq FROM sqlite_sequence").all())
      if (typeof seq === "number") raise.run(seq, String(name));
  } catch {
    // The numbers of the rows that are there are kept by SQLite.
  }
}

/** Rows whose own row could not be read; and what receipts say of events that are lost. */
export function removeOrphans(target: DatabaseSync): void {
  const references = target
    .prepare(
      `SELECT t.name AS child, f."from" AS refers, f."table" AS parent, f."to" AS named
       FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS f WHERE t.schema = 'main'`,
    )
    .all();
  let removed = 1n;
  while (removed > 0n) {
    removed = 0n;
    for (const { child, refers, parent, named } of references)
      removed += BigInt(
        target.prepare(`DELETE FROM "${child}" WHERE "${refers}" NOT IN (SELECT "${named}" FROM "${parent}")`).run()
          .changes,
      );
  }
  target.exec("DELETE FROM receipt WHERE event_seq NOT IN (SELECT seq FROM event)");
}

export type Settling = {
  /** As the damaged file says. */
  readonly places: Places;
  /** Of the slices whose rows were taken of it: they go on from there. */
  readonly handedOver: Places;
  /** All posts and deliveries were read. */
  readonly isPostsWhole: boolean;
};

export const notKnown = "the database was damaged: whether it was posted is not known";

/**
 * Monitor and sessions go on where their rows were taken from, which is where the backup was when those were not whole: events
 * since then are handed to them again. Moments and posts are kept row by row, by event id, so those slices go on after the
 * newest event that reached them: a moment has no footage any more, and no post is made twice.
 */
export function settle(target: DatabaseSync, { places, handedOver, isPostsWhole }: Settling): void {
  const move = target.prepare(
    "INSERT INTO hand_over (slice, seq) VALUES (?, ?) ON CONFLICT (slice) DO UPDATE SET seq = excluded.seq",
  );
  for (const [slice, place] of handedOver) if (place > 0) move.run(slice, place);
  for (const slice of ["recording", "social"]) {
    const reached = numberOf(target, `SELECT max(event_seq) AS n FROM receipt WHERE by = '${slice}'`);
    const before = numberOf(target, `SELECT max(seq) AS n FROM hand_over WHERE slice = '${slice}'`);
    const place = Math.max(Number(reached), Number(before), places.get(slice) ?? 0);
    if (place > 0) move.run(slice, place);
  }
  if (!places.has("social")) leaveUnposted(target);
  if (!isPostsWhole) doubtPosts(target);
}

/** How far social came is not known: what may have been posted is not posted again. */
function leaveUnposted(target: DatabaseSync): void {
  const now = Date.now();
  target
    .prepare(
      `INSERT INTO receipt (event_seq, state, at_ms, by, reason)
       SELECT seq, 'failed', ?, 'social', ? FROM event
       WHERE kind = 'social' AND status = 'accepted' AND NOT EXISTS (SELECT 1 FROM receipt WHERE event_seq = event.seq)
         AND seq > coalesce((SELECT seq FROM hand_over WHERE slice = 'social'), 0)`,
    )
    .run(now, notKnown);
  target.exec(`
    INSERT INTO hand_over (slice, seq) SELECT 'social', max(seq) FROM event WHERE kind = 'social' HAVING max(seq) IS NOT NULL
    ON CONFLICT (slice) DO UPDATE SET seq = max(seq, excluded.seq)`);
}

/** The backup's word on a post is an old one: what was to be sent then may have been sent since. A person decides. */
function doubtPosts(target: DatabaseSync): void {
  const doubt = target.prepare(`
    UPDATE delivery SET state = 'maybe', says = ? WHERE state IN ('waiting', 'preparing', 'sending')
      AND post_seq IN (SELECT seq FROM post WHERE state IN ('approved', 'sending', 'sent'))`);
  doubt.run(notKnown);
  target.exec(`
    UPDATE post SET state = CASE
      WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND state = 'maybe') THEN 'unsure'
      WHEN EXISTS (SELECT 1 FROM delivery WHERE post_seq = post.seq AND state = 'sent') THEN 'sent'
      ELSE 'failed' END
    WHERE state IN ('approved', 'sending', 'sent')`);
}
