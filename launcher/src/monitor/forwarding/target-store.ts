// SQL of forwarding targets. Their addresses and keys are in the secret store.
import type { ForwardKind, ForwardTarget } from "@kit/contract";
import { isoTime, isoTimeOrNull, textOrNull } from "../../storage/row.ts";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

type Delay = { readonly untilMs: number; readonly because: "rate-limit" | "failure" };
export type PublicAddress = { readonly host: string; readonly project: string | null };
type NewTargetRow = PublicAddress & { readonly id: string; readonly kind: ForwardKind; readonly game: string | null };

/** Inserts a target in the stopped state. It starts when its credentials are stored. */
export const insertTarget = (
  { id, kind, game, host, project }: NewTargetRow,
  atMs: number,
  stopped: string,
): Statement => sql`
  INSERT INTO forward_target (id, kind, game, host, project, created_ms, stopped)
  VALUES (${id}, ${kind}, ${game}, ${host}, ${project}, ${atMs}, ${stopped})`;
export const deleteTarget = (id: string): Statement => sql`DELETE FROM forward_target WHERE id = ${id}`;
export const updateTargetHost = (id: string, { host, project }: PublicAddress): Statement => sql`
  UPDATE forward_target SET host = ${host}, project = ${project} WHERE id = ${id}`;
export const updateTargetGame = (id: string, game: string | null): Statement => sql`
  UPDATE forward_target SET game = ${game} WHERE id = ${id}`;
export const updateTargetEnabled = (id: string, enabled: boolean): Statement => sql`
  UPDATE forward_target SET enabled = ${enabled ? 1 : 0} WHERE id = ${id}`;
/** Clears a stop and a delay after failures, but keeps a delay that the server asked for. */
export const restartTarget = (id: string): Statement => sql`
  UPDATE forward_target SET stopped = NULL, wait_until_ms = iif(wait_because = 'failure', NULL, wait_until_ms),
    wait_because = iif(wait_because = 'failure', NULL, wait_because)
  WHERE id = ${id}`;
export const stopTarget = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE forward_target SET stopped = ${why}, fault = ${why}, fault_ms = ${atMs}, wait_until_ms = NULL, wait_because = NULL
  WHERE id = ${id}`;
export const recordTargetError = (id: string, why: string, atMs: number): Statement => sql`
  UPDATE forward_target SET fault = ${why}, fault_ms = ${atMs} WHERE id = ${id}`;
export const delayTarget = (id: string, { untilMs, because }: Delay): Statement => sql`
  UPDATE forward_target SET wait_until_ms = ${untilMs}, wait_because = ${because} WHERE id = ${id}`;

function targetOf(row: Row, nowMs: number): ForwardTarget {
  const isWaiting = Number(row.waitUntilMs ?? 0) > nowMs;
  return {
    id: String(row.id),
    kind: row.kind as ForwardKind,
    game: textOrNull(row.game),
    host: String(row.host),
    project: textOrNull(row.project),
    enabled: row.enabled === 1,
    createdAt: isoTime(row.createdMs),
    delivered: Number(row.delivered),
    lastDeliveredAt: isoTimeOrNull(row.deliveredMs),
    waiting: Number(row.waiting),
    waitingBytes: Number(row.waitingBytes),
    dropped: Number(row.dropped),
    lastError: textOrNull(row.fault),
    lastErrorAt: isoTimeOrNull(row.faultMs),
    stopped: textOrNull(row.stopped),
    waitsUntil: isWaiting ? isoTimeOrNull(row.waitUntilMs) : null,
    waitsBecause: isWaiting ? (row.waitBecause as Delay["because"]) : null,
  };
}

export type TargetStore = ReturnType<typeof createTargetStore>;

export const createTargetStore = (storage: Pick<Storage, "read">, now: () => number) => ({
  /** Lists all targets, oldest first. */
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
