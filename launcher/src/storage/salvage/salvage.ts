// Copies what can still be read of a damaged database into the one that was restored, in one transaction.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openConnection } from "../connection.ts";
import type { DataDir } from "../data-dir.ts";
import { migrate } from "../migrate.ts";
import { type Copied, copyTable, TimeOver } from "./copy-table.ts";
import { hasEvents, isSameHistory } from "./journal.ts";
import { keepNumbers, lastKnownEvent, readPlaces, removeOrphans, settle } from "./settle.ts";
import { numberOf } from "./shape.ts";
import { takes } from "./tables.ts";
import { makeFresh, openWorkingCopy } from "./working-copy.ts";

/** A start must not take long; what was not read by then stays in the file that was set aside. */
const withinMs = 8_000;

/** How many of each the restored database did not have. */
type Counts = {
  readonly events: number;
  readonly clips: number;
  readonly issues: number;
  readonly posts: number;
};

export type Salvaged = {
  readonly added: Counts;
  readonly lost: {
    readonly events: number;
    /** There may be more: it is not known how far the journal went, or not all was looked at. */
    readonly isAtLeast: boolean;
    /** The time was over before all was looked at. */
    readonly isTimeOver: boolean;
    /** Tables of which rows are missing, besides events. */
    readonly tables: readonly string[];
  };
};

export type SalvageNeeds = {
  readonly dir: DataDir;
  /** The folder it was set aside in. */
  readonly from: string;
  /** The backup that was restored, if there was one. */
  readonly backup: string | undefined;
  readonly migrations: string;
  readonly withinMs?: number;
};

const newestEvent = "SELECT max(seq) AS n FROM event";
const wipedUpTo = "SELECT seq AS n FROM event_floor";

type Copy = (table: string) => Copied | undefined;

/** All tables of a slice, or, where one of its sums is not whole, none. */
function copySlice(target: DatabaseSync, slice: string, copy: Copy): Map<string, Copied> | undefined {
  const copied = new Map<string, Copied>();
  target.exec("SAVEPOINT slice");
  for (const [table, take] of Object.entries(takes)) {
    if (typeof take !== "object" || take.slice !== slice) continue;
    const one = copy(table);
    if (one !== undefined) copied.set(table, one);
    if (take.as === "detail" || one?.isWhole === true) continue;
    target.exec("ROLLBACK TO slice; RELEASE slice");
    return undefined;
  }
  target.exec("RELEASE slice");
  return copied;
}

function copyAll(source: DatabaseSync | undefined, target: DatabaseSync, checkTime: CheckTime) {
  const copied = new Map<string, Copied>();
  const unread = new Set<string>();
  const copy: Copy = (table) => source && copyTable(source, target, table, checkTime(table));
  for (const [table, take] of Object.entries(takes)) {
    if (typeof take === "object" || take === "derived" || take === "place") continue;
    const one = copy(table);
    if (one !== undefined) copied.set(table, one);
    if (one?.isWhole === true) continue;
    unread.add(table);
    if (take === "ifWhole") target.exec(`DELETE FROM "${table}"`);
  }
  const places = readPlaces(source, target);
  const handedOver = new Map<string, number>();
  for (const slice of ["monitor", "sessions"]) {
    const place = places.get(slice);
    const own = place === undefined ? undefined : copySlice(target, slice, copy);
    if (place === undefined || own === undefined) {
      unread.add(slice);
      continue;
    }
    handedOver.set(slice, place);
    for (const [table, one] of own) {
      copied.set(table, one);
      if (!one.isWhole) unread.add(table);
    }
  }
  if (source !== undefined) keepNumbers(source, target);
  settle(target, { places, handedOver, isPostsWhole: !unread.has("post") && !unread.has("delivery") });
  return { copied, unread, places };
}

/**
 * Events that are known to have been there, and are not: numbers since the backup's newest that no event has. Where something
 * was wiped since, numbers are missing for that, too, and only those that met damage count.
 */
function lostOf(events: Copied | undefined, missing: number, isWiped: boolean): { events: number; isAtLeast: boolean } {
  if (events === undefined) return { events: missing, isAtLeast: true };
  const isOpen = events.isOver || events.gaps.some(({ to }) => to === undefined);
  if (!isWiped) return { events: missing, isAtLeast: isOpen };
  if (events.isWhole) return { events: 0, isAtLeast: false };
  const unread = events.gaps.map(({ from, to }) => Number((to ?? from) - from) + 1);
  return { events: unread.reduce((sum, rows) => sum + rows, events.refused), isAtLeast: true };
}

type CheckTime = (table: string) => () => void;

/** Events and their receipts are many: they leave time for the rest. */
const shares: Readonly<Record<string, number>> = { event: 0.6, receipt: 0.8 };

function createClock(ms: number): CheckTime {
  const sinceMs = performance.now();
  return (table) => {
    const untilMs = sinceMs + ms * (shares[table] ?? 1);
    return () => {
      if (performance.now() > untilMs) throw new TimeOver();
    };
  };
}

/** Leaves the restored database as it was where it fails. */
export async function salvage(needs: SalvageNeeds): Promise<Salvaged> {
  const { dir, from, backup, migrations } = needs;
  const checkTime = createClock(needs.withinMs ?? withinMs);
  const folder = join(dir.path, "salvage");
  const target = openConnection(dir.database, "write");
  let source: DatabaseSync | undefined;
  try {
    await migrate(target, migrations, async () => undefined);
    const donors = [() => backup, () => makeFresh(join(dir.path, "salvage-fresh"), migrations)];
    source = await openWorkingCopy(from, folder, donors, hasEvents);
    if (source !== undefined && !isSameHistory(source, target)) {
      source.close();
      source = undefined;
    }
    // Rows come in the order of the tables, not of their references; what refers to nothing is removed at the end.
    target.exec("PRAGMA foreign_keys = 0; BEGIN IMMEDIATE");
    const newest = numberOf(target, newestEvent);
    const floor = numberOf(target, wipedUpTo);
    const { copied, unread, places } = copyAll(source, target, checkTime);
    const there = numberOf(target, `SELECT count(*) AS n FROM event WHERE seq > ${newest}`);
    const missing = Math.max(0, lastKnownEvent(target, places) - Number(newest + there));
    const lost = lostOf(copied.get("event"), missing, numberOf(target, wipedUpTo) !== floor);
    removeOrphans(target);
    target.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    const added = (table: string) => copied.get(table)?.added ?? 0;
    const counts = { events: added("event"), clips: added("clip"), issues: added("issue"), posts: added("post") };
    unread.delete("event");
    const isTimeOver = [...copied.values()].some(({ isOver }) => isOver);
    return { added: counts, lost: { ...lost, isTimeOver, tables: [...unread] } };
  } finally {
    source?.close();
    target.close();
    for (const name of ["salvage", "salvage-fresh"]) rmSync(join(dir.path, name), { recursive: true, force: true });
  }
}
