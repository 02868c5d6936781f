// SQL of forwarding targets. Their addresses and keys are in the secret store.

import type { ForwardKind, ForwardTarget, Message } from "@kit/contract";
import { destinationState, destinationStatements } from "../../outbox/index.ts";
import { toMessageColumn } from "../../storage/message-column.ts";
import { isoTime, isoTimeOrNull, textOrNull } from "../../storage/row.ts";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type PublicTargetAddress = { readonly host: string; readonly project: string | null };
type NewTargetRow = PublicTargetAddress & {
  readonly id: string;
  readonly kind: ForwardKind;
  readonly game: string | null;
};

export const {
  remove: deleteTarget,
  setEnabled: updateTargetEnabled,
  restart: restartTarget,
  recordError: recordTargetError,
  delay: delayTarget,
} = destinationStatements("forward_target");

/** Inserts a stopped target. It starts once its credentials are stored. */
export const insertTarget = (
  { id, kind, game, host, project }: NewTargetRow,
  atMs: number,
  stopped: Message,
): Statement => sql`
  INSERT INTO forward_target (id, kind, game, host, project, created_ms, stopped)
  VALUES (${id}, ${kind}, ${game}, ${host}, ${project}, ${atMs}, ${toMessageColumn(stopped)})`;
export const updateTargetHost = (id: string, { host, project }: PublicTargetAddress): Statement => sql`
  UPDATE forward_target SET host = ${host}, project = ${project} WHERE id = ${id}`;
export const updateTargetGame = (id: string, game: string | null): Statement => sql`
  UPDATE forward_target SET game = ${game} WHERE id = ${id}`;

function targetOf(row: Row, nowMs: number): ForwardTarget {
  return {
    id: String(row.id),
    kind: row.kind as ForwardKind,
    game: textOrNull(row.game),
    host: String(row.host),
    project: textOrNull(row.project),
    createdAt: isoTime(row.createdMs),
    delivered: Number(row.delivered),
    lastDeliveredAt: isoTimeOrNull(row.deliveredMs),
    waiting: Number(row.waiting),
    waitingBytes: Number(row.waitingBytes),
    dropped: Number(row.dropped),
    ...destinationState(row, nowMs),
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
