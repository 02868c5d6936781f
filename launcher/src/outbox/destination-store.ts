// SQL of the state that accounts and forwarding targets have in common: whether their queue may send, and what failed last.
import type { Message } from "@kit/contract";
import {
  concatSql,
  fromMessageColumn,
  isoTimeOrNull,
  type Row,
  type SqlValue,
  sql,
  toMessageColumn,
} from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type DestinationTable = "account" | "forward_target" | "forward_video_target";

/** The longest wait that is stored. A server that asks for a longer one is asked again after it. */
export const longestWaitMs = 86_400_000;

/** A wait longer than any that is stored began while the clock was ahead. It does not count. */
function remainingWaitMs(untilMs: unknown, nowMs: number): number {
  const waitMs = Math.max(0, Number(untilMs ?? 0) - nowMs);
  return waitMs > longestWaitMs ? 0 : waitMs;
}

export function destinationStatements(table: DestinationTable) {
  const set =
    (id: string) =>
    (strings: TemplateStringsArray, ...values: SqlValue[]) =>
      concatSql({ text: `UPDATE ${table} SET `, values: [] }, sql(strings, ...values), sql` WHERE id = ${id}`);
  return {
    remove: (id: string) => concatSql({ text: `DELETE FROM ${table}`, values: [] }, sql` WHERE id = ${id}`),
    setEnabled: (id: string, enabled: boolean) => set(id)`enabled = ${enabled ? 1 : 0}`,
    /** Clears a stop and a delay after failures, but keeps a delay that the server asked for. */
    restart: (id: string) => set(id)`
      stopped = NULL, wait_until_ms = iif(wait_because = 'failure', NULL, wait_until_ms),
      wait_because = iif(wait_because = 'failure', NULL, wait_because)`,
    stop: (id: string, why: Message, atMs: number) => set(id)`
      stopped = ${toMessageColumn(why)}, fault = ${toMessageColumn(why)}, fault_ms = ${atMs}, wait_until_ms = NULL, wait_because = NULL`,
    recordError: (id: string, why: Message, atMs: number) => set(id)`
      fault = ${toMessageColumn(why)}, fault_ms = ${atMs}`,
    delay: (id: string, untilMs: number, because: "rate-limit" | "failure", nowMs: number) => set(id)`
      wait_until_ms = ${Math.min(untilMs, nowMs + longestWaitMs)}, wait_because = ${because}`,
    /** Clears the last failure. Until `restUntilMs`, nothing is sent, because the server wants no request before then. */
    recordSent: (id: string, restUntilMs: number | null, nowMs: number) => set(id)`
      fault = NULL, fault_ms = NULL, wait_until_ms = ${restUntilMs && Math.min(restUntilMs, nowMs + longestWaitMs)},
      wait_because = iif(${restUntilMs} IS NULL, NULL, 'rate-limit')`,
  };
}

/** Returns the common members of a row that is shown to people. */
export function destinationState(row: Row, nowMs: number) {
  const isWaiting = remainingWaitMs(row.waitUntilMs, nowMs) > 0;
  return {
    enabled: row.enabled === 1,
    lastError: fromMessageColumn(row.fault),
    lastErrorAt: isoTimeOrNull(row.faultMs),
    stopped: fromMessageColumn(row.stopped),
    waitsUntil: isWaiting ? isoTimeOrNull(row.waitUntilMs) : null,
    waitsBecause: isWaiting ? (row.waitBecause as "rate-limit" | "failure") : null,
  };
}

/** Returns in how many ms Kit may send to a destination (0: now), or null if it is gone, off or stopped. */
export async function readDestinationWaitMs(
  storage: Pick<Storage, "read">,
  table: DestinationTable,
  id: string,
  nowMs: number,
): Promise<number | null> {
  const select = { text: `SELECT wait_until_ms AS untilMs FROM ${table}`, values: [] };
  const [row] = await storage.read(concatSql(select, sql` WHERE id = ${id} AND enabled AND stopped IS NULL`));
  return row === undefined ? null : remainingWaitMs(row.untilMs, nowMs);
}
