// SQL of the state that accounts and forwarding targets have in common: whether their queue may send, and what failed last.
import type { Message } from "@kit/contract";
import { namedWaitMaxMs } from "../outbound/response.ts";
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

/** A wait longer than any that a server can cause began while the clock was ahead. It does not count. */
function remainingWaitMs(untilMs: unknown, nowMs: number): number {
  const waitMs = Math.max(0, Number(untilMs ?? 0) - nowMs);
  return waitMs > namedWaitMaxMs ? 0 : waitMs;
}

/** The columns for `destinationState`. Earlier versions stored waits that are too large to be read. */
export const waitColumns = sql`
  min(wait_until_ms, ${Number.MAX_SAFE_INTEGER}) AS waitUntilMs, wait_because AS waitBecause`;

export function destinationStatements(table: DestinationTable) {
  const update = { text: `UPDATE ${table} SET `, values: [] };
  const from = { text: ` FROM ${table}`, values: [] };
  const set =
    (id: string) =>
    (strings: TemplateStringsArray, ...values: SqlValue[]) =>
      concatSql(update, sql(strings, ...values), sql` WHERE id = ${id}`);
  const delay = (id: string, untilMs: number, because: "rate-limit" | "failure") => set(id)`
    wait_until_ms = ${untilMs}, wait_because = ${because}`;
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
    delay,
    /** Like `delay` after an attempt. Shortens no limit of the host that another destination met meanwhile. */
    delayAfter: (id: string, untilMs: number, because: "rate-limit" | "failure", nowMs: number) =>
      concatSql(
        delay(id, untilMs, because),
        sql` AND (coalesce(wait_because, 'failure') = 'failure'
          OR wait_until_ms NOT BETWEEN ${untilMs} AND ${nowMs + namedWaitMaxMs})`,
      ),
    /** Stores that the server wants no request before then, from any destination at the same host. Shortens no longer wait. */
    delayHost: (id: string, untilMs: number, nowMs: number) =>
      concatSql(
        update,
        sql`wait_until_ms = ${untilMs}, wait_because = 'rate-limit' WHERE host = (SELECT host`,
        from,
        sql` WHERE id = ${id})
          AND (wait_until_ms IS NULL OR wait_until_ms NOT BETWEEN ${untilMs} AND ${nowMs + namedWaitMaxMs})`,
      ),
    /**
     * Clears the last failure. Until `restUntilMs`, nothing is sent, because the server wants no request before then. Shortens no
     * limit of the host that another destination met meanwhile.
     */
    recordSent: (id: string, restUntilMs: number | null, nowMs: number) => set(id)`
      fault = NULL, fault_ms = NULL, (wait_until_ms, wait_because) = (
        SELECT untilMs, iif(untilMs IS NULL, NULL, 'rate-limit') FROM (
          SELECT iif(wait_because = 'rate-limit' AND wait_until_ms BETWEEN ${Math.max(restUntilMs ?? 0, nowMs + 1)}
            AND ${nowMs + namedWaitMaxMs}, wait_until_ms, ${restUntilMs}) AS untilMs))`,
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
  const from = { text: ` FROM ${table}`, values: [] };
  const [row] = await storage.read(
    concatSql(sql`SELECT `, waitColumns, from, sql` WHERE id = ${id} AND enabled AND stopped IS NULL`),
  );
  return row === undefined ? null : remainingWaitMs(row.waitUntilMs, nowMs);
}
