// The targets in SQL: what is shown of them. Their addresses and keys are elsewhere.
import type { ForwardKind, ForwardTarget } from "@kit/contract";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

type Wait = { readonly untilMs: number; readonly because: "rate-limit" | "failure" };
export type Shown = { readonly host: string; readonly project: string | null };
type New = Shown & { readonly id: string; readonly kind: ForwardKind; readonly game: string | null };

/** In no state yet to be sent to: its address follows. */
export const added = ({ id, kind, game, host, project }: New, atMs: number, stopped: string): Statement => sql`
  INSERT INTO forward_target (id, kind, game, host, project, created_ms, stopped)
  VALUES (${id}, ${kind}, ${game}, ${host}, ${project}, ${atMs}, ${stopped})`;
export const removed = (id: string): Statement => sql`DELETE FROM forward_target WHERE id = ${id}`;
export const led = (id: string, { host, project }: Shown): Statement => sql`
  UPDATE forward_target SET host = ${host}, project = ${project} WHERE id = ${id}`;
export const filed = (id: string, game: string | null): Statement => sql`
  UPDATE forward_target SET game = ${game} WHERE id = ${id}`;
export const switched = (id: string, enabled: boolean): Statement => sql`
  UPDATE forward_target SET enabled = ${enabled ? 1 : 0} WHERE id = ${id}`;
/** What a server asked for is kept to, whoever starts it again. */
export const startedAgain = (id: string): Statement => sql`
  UPDATE forward_target SET stopped = NULL, wait_until_ms = iif(wait_because = 'failure', NULL, wait_until_ms),
    wait_because = iif(wait_because = 'failure', NULL, wait_because)
  WHERE id = ${id}`;
export const stoppedFor = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE forward_target SET stopped = ${why}, fault = ${why}, fault_ms = ${atMs}, wait_until_ms = NULL, wait_because = NULL
  WHERE id = ${id}`;
export const failed = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE forward_target SET fault = ${why}, fault_ms = ${atMs} WHERE id = ${id}`;
export const waits = (id: string, { untilMs, because }: Wait): Statement => sql`
  UPDATE forward_target SET wait_until_ms = ${untilMs}, wait_because = ${because} WHERE id = ${id}`;

const isoOf = (ms: Row[string] | undefined) => (ms == null ? null : new Date(Number(ms)).toISOString());
const textOf = (value: Row[string] | undefined) => (value == null ? null : String(value));

function targetOf(row: Row, nowMs: number): ForwardTarget {
  const isWaiting = Number(row.waitUntilMs ?? 0) > nowMs;
  return {
    id: String(row.id),
    kind: row.kind as ForwardKind,
    game: textOf(row.game),
    host: String(row.host),
    project: textOf(row.project),
    enabled: row.enabled === 1,
    createdAt: String(isoOf(row.createdMs)),
    delivered: Number(row.delivered),
    lastDeliveredAt: isoOf(row.deliveredMs),
    waiting: Number(row.waiting),
    waitingBytes: Number(row.waitingBytes),
    dropped: Number(row.dropped),
    lastError: textOf(row.fault),
    lastErrorAt: isoOf(row.faultMs),
    stopped: textOf(row.stopped),
    waitsUntil: isWaiting ? isoOf(row.waitUntilMs) : null,
    waitsBecause: isWaiting ? (row.waitBecause as Wait["because"]) : null,
  };
}

export type TargetStore = ReturnType<typeof createTargetStore>;

export const createTargetStore = (storage: Pick<Storage, "read">, now: () => number) => ({
  /** The oldest first. */
  async all(): Promise<ForwardTarget[]> {
    const rows = await storage.read(sql`
      SELECT id, kind, game, host, project, enabled, created_ms AS createdMs, delivered, delivered_ms AS deliveredMs, dropped,
        fault, fault_ms AS faultMs, stopped, wait_until_ms AS waitUntilMs, wait_because AS waitBecause,
        (SELECT count(*) FROM forward_report WHERE target_seq = t.seq) AS waiting,
        (SELECT coalesce(sum(bytes), 0) FROM forward_report WHERE target_seq = t.seq) AS waitingBytes
      FROM forward_target AS t ORDER BY seq`);
    return rows.map((row) => targetOf(row, now()));
  },
});
