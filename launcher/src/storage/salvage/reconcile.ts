// Makes the copied rows consistent: cursors of the slices, references between rows, and posts that must not be sent twice.

import type { DatabaseSync } from "node:sqlite";
import { message } from "@kit/contract/messages";
import { type Statement, sql, toMessageColumn } from "../sql.ts";
import { parseTableRow, readTableShape, scanTable, selectNumber } from "./scan.ts";
import { uncertainPosts, uncertainTriggers } from "./uncertain-posts.ts";

type Cursors = ReadonlyMap<string, number>;
const slices = ["recording", "monitor", "social", "sessions"];

/** Reads the cursors of the slices from the damaged file. Ignores a cursor beyond the newest known event. */
export function readCursors(source: DatabaseSync | undefined, target: DatabaseSync): Cursors {
  const cursors = new Map<string, number>();
  const newest = newestKnownSeq(target, cursors);
  const shape = source && readTableShape(source, "hand_over");
  if (source === undefined || shape === undefined) return cursors;
  let isDoubtful = false;
  const take = (read: readonly unknown[]) => {
    const [slice, seq] = parseTableRow(shape.columns, read) ?? [];
    if (typeof slice === "string" && typeof seq === "bigint" && seq > 0n && seq <= newest)
      cursors.set(slice, Number(seq));
    else isDoubtful = true;
  };
  const isRow = (read: readonly unknown[]) => parseTableRow(shape.columns, read) !== undefined;
  const { isWhole } = scanTable({ source, shape, take, isRow, checkTime: () => undefined });
  // A slice without a row has not received any event yet.
  if (isWhole && !isDoubtful) for (const slice of slices) if (!cursors.has(slice)) cursors.set(slice, 0);
  return cursors;
}

/** No launcher receives this many events, so a larger number in a damaged file is damage. */
const seqMax = 2 ** 50;

/** The highest known event number, even if that event is lost. */
export function newestKnownSeq(target: DatabaseSync, cursors: Cursors): number {
  const known = selectNumber(
    target,
    `SELECT max((SELECT coalesce(max(seq), 0) FROM event), (SELECT coalesce(max(event_seq), 0) FROM receipt WHERE event_seq < ${seqMax}),
      (SELECT seq FROM event_floor)) AS n`,
  );
  return Math.max(Number(known), ...cursors.values());
}

/** Raises the AUTOINCREMENT sequences, so that numbers of lost rows are not reused. */
export function raiseSequences(source: DatabaseSync, target: DatabaseSync): void {
  try {
    const raise = target.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?");
    for (const { name, seq } of source.prepare("SELECT name, seq FROM sqlite_sequence").all())
      if (typeof seq === "number") raise.run(seq, String(name));
  } catch {
    // SQLite protects the numbers of existing rows by itself.
  }
}

/** Deletes rows that refer to lost rows, and receipts of lost events. */
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

export type ReconcileOptions = {
  /** Cursors of the damaged file. */
  readonly cursors: Cursors;
  /** Cursors of the slices whose rows were copied. These slices continue at these cursors. */
  readonly handedOver: Cursors;
  /** Tables of which not all rows were readable. */
  readonly unread: ReadonlySet<string>;
};

/**
 * Sets the cursors. Monitor and sessions continue at the cursor of the file that their rows came from, and get later events
 * again. Recording and social store rows by event id, so they continue after the newest event that reached them: old moments have
 * no footage any more, and no post may be made twice.
 */
export function reconcileRows(target: DatabaseSync, options: ReconcileOptions): void {
  const { cursors, handedOver, unread } = options;
  const setCursor = target.prepare(
    "INSERT INTO hand_over (slice, seq) VALUES (?, ?) ON CONFLICT (slice) DO UPDATE SET seq = excluded.seq",
  );
  for (const [slice, cursor] of handedOver) if (cursor > 0) setCursor.run(slice, cursor);
  for (const slice of ["recording", "social"]) {
    const reached = selectNumber(target, `SELECT max(event_seq) AS n FROM receipt WHERE by = '${slice}'`);
    const before = selectNumber(target, `SELECT max(seq) AS n FROM hand_over WHERE slice = '${slice}'`);
    const cursor = Math.max(Number(reached), Number(before), cursors.get(slice) ?? 0);
    if (cursor > 0) setCursor.run(slice, cursor);
  }
  const run = (statements: readonly Statement[]) => {
    for (const { text, values } of statements) target.prepare(text).run(...values);
  };
  const nowMs = Date.now();
  if (!cursors.has("social")) run(uncertainTriggers(nowMs));
  if (unread.has("post") || unread.has("delivery")) run(uncertainPosts());
  for (const [table, switchOff] of Object.entries(switchesOff)) if (unread.has(table)) run([switchOff(nowMs)]);
}

/** By table: switches off what a person may have switched off since the backup. Used if not all rows of the table were readable. */
const switchesOff: Readonly<Record<string, (nowMs: number) => Statement>> = {
  forward_target: (nowMs) => sql`
    UPDATE forward_target SET enabled = 0, installation = NULL, videos = 0, earlier_events = 0,
      fault = ${toMessageColumn(message("target.restored"))}, fault_ms = ${nowMs} WHERE enabled`,
  account: (nowMs) => sql`
    UPDATE account SET enabled = 0, fault = ${toMessageColumn(message("account.restored"))}, fault_ms = ${nowMs} WHERE enabled`,
  post_rule: () => sql`UPDATE post_rule SET approval = 'ask'`,
  recorder_setting: () => sql`DELETE FROM recorder_setting WHERE name = 'microphone'`,
};
