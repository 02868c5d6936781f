// Copies the readable rows of a damaged database into the restored one, in one transaction, and reports the result to the user.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { removePatientlySync } from "../../renames.ts";
import { openConnection } from "../connection.ts";
import type { DataDir } from "../data-dir.ts";
import { migrateDatabase } from "../schema.ts";
import { createRowMerge, hasIntactEvent, isIntactEvent, isSameHistory, renumberEvent } from "./merge.ts";
import { newestKnownSeq, raiseSequences, readCursors, reconcileRows, removeOrphans } from "./reconcile.ts";
import { parseTableRow, readTableShape, type ScanResult, scanTable, selectNumber } from "./scan.ts";
import { salvageRules } from "./tables.ts";
import { createEmptyDatabase, openWorkingCopy } from "./working-copy.ts";

/** Thrown when the time for salvaging a table is over. */
class TimeLimitReached extends Error {}

type TableCopy = ScanResult & {
  /** Number of copied rows that the restored database did not have. */
  readonly added: number;
  /** Number of rows whose values are invalid for the table. */
  readonly refused: number;
  /** Whether the time limit ended the copying of this table. */
  readonly isOver: boolean;
};

/** Copies one table. If all of it was readable, deletes the target's other rows, which must have been deleted since the backup. */
function copyTable(
  source: DatabaseSync,
  target: DatabaseSync,
  table: string,
  checkTime: () => void,
): TableCopy | undefined {
  const shape = readTableShape(source, table);
  if (shape === undefined) return undefined;
  const merge = createRowMerge(target, shape);
  const isAdded = salvageRules[table] === "added";
  const after = isAdded ? selectNumber(target, `SELECT max(seq) AS n FROM "${table}"`) : undefined;
  let refused = 0;
  const renumberable: (readonly unknown[])[] = [];
  const isRow = (read: readonly unknown[]) =>
    parseTableRow(shape.columns, read) !== undefined && (table !== "event" || isIntactEvent(shape, read));
  const copyRow = (read: readonly unknown[], isGood: boolean) => {
    if (isGood && merge.mergeRow(read)) return;
    refused += 1;
    if (table === "event" && isIntactEvent(shape, read)) renumberable.push(read);
  };
  try {
    const done = scanTable({ source, shape, take: copyRow, isRow, checkTime, ...(after !== undefined && { after }) });
    const isWhole = done.isWhole && refused === 0;
    for (const read of renumberable) if (merge.mergeRow(renumberEvent(target, shape, read, after ?? 0n))) refused -= 1;
    if (isWhole && !isAdded) merge.removeOthers();
    return { gaps: done.gaps, isWhole, refused, isOver: false, added: merge.added() };
  } catch (error) {
    if (!(error instanceof TimeLimitReached)) throw error;
    return { gaps: [], isWhole: false, refused, isOver: true, added: merge.added() };
  }
}

/** Time limit, because the launcher's start waits for the salvage. Rows that are not read in time stay in the quarantined file. */
const withinMs = 8_000;

/** Numbers of copied rows that the restored database did not have. */
type Counts = {
  readonly events: number;
  readonly clips: number;
  readonly issues: number;
  readonly posts: number;
};

type SalvageResult = {
  readonly added: Counts;
  readonly lost: {
    readonly events: number;
    /** More events may be lost, because the end of the journal is unknown or was not read. */
    readonly isAtLeast: boolean;
    /** The time limit was reached. */
    readonly isTimeOver: boolean;
    /** Tables with missing rows, except `event`. */
    readonly tables: readonly string[];
  };
};

type SalvageOptions = {
  readonly dir: DataDir;
  /** Folder of the quarantined database. */
  readonly from: string;
  /** The restored backup, if there was one. */
  readonly backup: string | undefined;
  readonly migrations: string;
  /** Nothing is read of the quarantined database. */
  readonly isUnreadable?: boolean;
  readonly withinMs?: number;
};

const newestEvent = "SELECT max(seq) AS n FROM event";
const wipedUpTo = "SELECT seq AS n FROM event_floor";

type Copy = (table: string) => TableCopy | undefined;

/** Copies all tables of a slice, or none if a table that must be complete is not. */
function copySlice(target: DatabaseSync, slice: string, copy: Copy): Map<string, TableCopy> | undefined {
  const copied = new Map<string, TableCopy>();
  target.exec("SAVEPOINT slice");
  for (const [table, rule] of Object.entries(salvageRules)) {
    if (typeof rule !== "object" || rule.slice !== slice) continue;
    const one = copy(table);
    if (one !== undefined) copied.set(table, one);
    if (rule.as === "detail" || one?.isWhole === true) continue;
    target.exec("ROLLBACK TO slice; RELEASE slice");
    return undefined;
  }
  target.exec("RELEASE slice");
  return copied;
}

function copyAll(source: DatabaseSync | undefined, target: DatabaseSync, checkTime: CheckTime) {
  const copied = new Map<string, TableCopy>();
  const unread = new Set<string>();
  const copy: Copy = (table) => source && copyTable(source, target, table, checkTime(table));
  for (const [table, rule] of Object.entries(salvageRules)) {
    if (typeof rule === "object" || rule === "derived" || rule === "cursors") continue;
    const one = copy(table);
    if (one !== undefined) copied.set(table, one);
    if (one?.isWhole === true) continue;
    unread.add(table);
    if (rule === "ifWhole") target.exec(`DELETE FROM "${table}"`);
  }
  const cursors = readCursors(source, target);
  const handedOver = new Map<string, number>();
  for (const slice of ["monitor", "sessions"]) {
    const cursor = cursors.get(slice);
    const own = cursor === undefined ? undefined : copySlice(target, slice, copy);
    if (cursor === undefined || own === undefined) {
      unread.add(slice);
      continue;
    }
    handedOver.set(slice, cursor);
    for (const [table, one] of own) {
      copied.set(table, one);
      if (!one.isWhole) unread.add(table);
    }
  }
  if (source !== undefined) raiseSequences(source, target);
  reconcileRows(target, { cursors, handedOver, unread });
  return { copied, unread, cursors };
}

/**
 * Counts lost events: the numbers after the backup's newest event that no event has. A wipe leaves such numbers too, so after a wipe
 * only unreadable rows count.
 */
function countLost(
  events: TableCopy | undefined,
  missing: number,
  isWiped: boolean,
): { events: number; isAtLeast: boolean } {
  if (events === undefined) return { events: missing, isAtLeast: true };
  const isOpen = events.isOver || events.gaps.some(({ to }) => to === undefined);
  if (!isWiped) return { events: missing, isAtLeast: isOpen };
  if (events.isWhole) return { events: 0, isAtLeast: false };
  const unread = events.gaps.map(({ from, to }) => Number((to ?? from) - from) + 1);
  return { events: unread.reduce((sum, rows) => sum + rows, events.refused), isAtLeast: true };
}

type CheckTime = (table: string) => () => void;

/** The salvage of a large table stops when this share of the time limit has passed, to leave time for the other tables. */
const timeShares: Readonly<Record<string, number>> = { event: 0.6, receipt: 0.8 };

function createClock(ms: number): CheckTime {
  const sinceMs = performance.now();
  return (table) => {
    const untilMs = sinceMs + ms * (timeShares[table] ?? 1);
    return () => {
      if (performance.now() > untilMs) throw new TimeLimitReached();
    };
  };
}

/** Runs the salvage. If it fails, the restored database is unchanged. */
export async function salvageDatabase(options: SalvageOptions): Promise<SalvageResult> {
  const { dir, from, backup, migrations } = options;
  const checkTime = createClock(options.withinMs ?? withinMs);
  const folder = join(dir.path, "salvage");
  const target = openConnection(dir.database, "write");
  let source: DatabaseSync | undefined;
  try {
    await migrateDatabase(target, migrations, async () => undefined);
    const donors = [() => backup, () => createEmptyDatabase(join(dir.path, "salvage-fresh"), migrations)];
    source = options.isUnreadable ? undefined : await openWorkingCopy(from, folder, donors, hasIntactEvent);
    if (source !== undefined && !isSameHistory(source, target)) {
      source.close();
      source = undefined;
    }
    // Foreign keys are off, because tables are copied in any order. Orphans are removed at the end.
    target.exec("PRAGMA foreign_keys = 0; BEGIN IMMEDIATE");
    const newest = selectNumber(target, newestEvent);
    const floor = selectNumber(target, wipedUpTo);
    const { copied, unread, cursors } = copyAll(source, target, checkTime);
    const there = selectNumber(target, `SELECT count(*) AS n FROM event WHERE seq > ${newest}`);
    const known = newestKnownSeq(target, cursors);
    const missing = Math.max(0, known - Number(newest + there));
    const lost = countLost(copied.get("event"), missing, selectNumber(target, wipedUpTo) !== floor);
    // No new event gets the number of a lost one, because cursors are at those numbers.
    target.prepare("UPDATE event_floor SET seq = max(seq, ?)").run(known);
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
    for (const name of ["salvage", "salvage-fresh"])
      removePatientlySync(join(dir.path, name), { recursive: true, force: true });
  }
}

const reportName = "recovered.txt";

function lostMessage({ events, isAtLeast, isTimeOver }: SalvageResult["lost"]): Message {
  if (isTimeOver) return message("storage.recovery_too_long", { events });
  if (isAtLeast) return message("storage.lost_at_least", { events });
  return events === 0 ? message("storage.lost_none") : message("storage.lost", { events });
}

export function salvageReport({ added, lost }: SalvageResult): Message {
  const { events, clips, issues, posts } = added;
  const recovered = message("storage.recovered", { events, clips, issues, posts });
  const report = message("join.sentences", { first: recovered, second: lostMessage(lost) });
  if (lost.tables.length === 0) return report;
  return message("join.sentences", { first: report, second: message("storage.some_from_backup") });
}

/** Writes the report and returns its path. */
export function writeSalvageReport(place: string, report: Message): string {
  const path = join(place, reportName);
  writeFileSync(path, `${report.text}\n`, { mode: 0o600 });
  return path;
}

/** The report on the most recently quarantined database. */
export function newestSalvageReport(quarantine: string): { readonly name: string; readonly says: string } | undefined {
  if (!existsSync(quarantine)) return undefined;
  const name = readdirSync(quarantine)
    .sort()
    .findLast((one) => existsSync(join(quarantine, one, reportName)));
  if (name === undefined) return undefined;
  return { name, says: readFileSync(join(quarantine, name, reportName), "utf8").trim() };
}
