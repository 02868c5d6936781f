// SQL of forwarding: the targets, whose addresses and keys are in the secret store, and the queue of each. A report is queued
// in the transaction that stores it, and deleted when the server confirmed it.
import type { ForwardKind, ForwardTarget, Message } from "@kit/contract";
import { destinationState, destinationStatements } from "../../outbox/index.ts";
import {
  isoTime,
  isoTimeOrNull,
  type Row,
  type Statement,
  sql,
  textOrNull,
  toMessageColumn,
} from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { type QueuedReport, stackCharsMax } from "./report.ts";

export type VisibleTargetAddress = { readonly host: string; readonly project: string | null };
type NewTargetRow = VisibleTargetAddress & {
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
export const updateTargetHost = (id: string, { host, project }: VisibleTargetAddress): Statement => sql`
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

/**
 * Queues the reports of these events for each target that takes them. Skips reports that are stored only because they are the
 * newest, and reports of issues that are muted or in the trash. Must run in the transaction of the batch, after its statements.
 */
export const enqueueReports = (events: readonly string[]): Statement => sql`
  INSERT INTO forward_report (target_seq, event, news, bytes, number, at_ms, issue, game, dialect, version, key, body)
  SELECT target, event, iif(number = 1, 'new', iif(regressed, 'regressed', 'more')), octet_length(body), number, at_ms, issue,
    game, dialect, version, key, body
  FROM (
    SELECT t.seq AS target, s.event AS event, s.number AS number, s.at_ms AS at_ms, s.chosen AS chosen, i.id AS issue,
      i.game AS game, i.dialect AS dialect, f.version AS version, f.key AS key, s.seq AS place,
      json_array(s.body ->> 0, substr(s.body ->> 1, 1, ${stackCharsMax})) AS body,
      i.state = 'regressed' AND s.at_ms >= i.state_since_ms AND NOT EXISTS (
        SELECT 1 FROM issue_sample AS o
        WHERE o.fingerprint_seq = f.seq AND o.number < s.number AND o.at_ms >= i.state_since_ms) AS regressed
    FROM json_each(${JSON.stringify(events)}) AS w
    CROSS JOIN issue_sample AS s ON s.event = w.value
    JOIN issue_fingerprint AS f ON f.seq = s.fingerprint_seq
    JOIN issue AS i ON i.seq = f.issue_seq
    JOIN forward_target AS t ON t.enabled AND (t.game IS NULL OR t.game = coalesce(i.game, 'unsorted'))
    WHERE i.state <> 'muted' AND i.deleted_at_ms IS NULL)
  WHERE chosen OR regressed
  ORDER BY place
  ON CONFLICT (target_seq, event) DO NOTHING`;

const deleteReports = (seqs: readonly number[]) => sql`
  DELETE FROM forward_report WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;

/** Removes the reports from the queue and counts them as delivered, except for `rejected` of them, which count as dropped. */
export const recordForwardedReports = (
  target: string,
  seqs: readonly number[],
  atMs: number,
  rejected = 0,
): Statement[] => [
  deleteReports(seqs),
  // changes() is the number of reports that were just deleted: none if the target was removed meanwhile.
  sql`
    UPDATE forward_target SET delivered = delivered + max(0, changes() - ${rejected}), dropped = dropped + ${rejected},
      delivered_ms = ${atMs}
    WHERE id = ${target}`,
];
export const dropReports = (target: string, seqs: readonly number[]): Statement[] => [
  deleteReports(seqs),
  sql`UPDATE forward_target SET dropped = dropped + changes() WHERE id = ${target}`,
];
export const countReportRefusals = (seqs: readonly number[]): Statement => sql`
  UPDATE forward_report SET refused = refused + 1 WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;

/**
 * Shrinks a queue to its limits of rows and bytes. The first report of a new or regressed issue is dropped last, and of the
 * others the oldest first.
 */
export const shrinkReportQueue = (target: string, rowsMax: number, bytesMax: number): Statement[] => [
  sql`
    DELETE FROM forward_report WHERE seq IN (
      SELECT seq FROM (
        SELECT seq, row_number() OVER w AS place, sum(bytes) OVER w AS held FROM forward_report
        WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})
        WINDOW w AS (ORDER BY news = 'more', seq DESC))
      WHERE place > ${rowsMax} OR held > ${bytesMax})`,
  sql`UPDATE forward_target SET dropped = dropped + changes() WHERE id = ${target}`,
];

/** Only `body` needs parsing. The other columns have the right types, because the table is STRICT. */
const queuedReportOf = ({ body, ...row }: Row) => {
  const [message, stackTrace] = JSON.parse(String(body)) as [string, string];
  return { ...row, message, stackTrace } as unknown as QueuedReport;
};

export type ReportQueueStore = ReturnType<typeof createReportQueueStore>;

export const createReportQueueStore = (storage: Pick<Storage, "read" | "readPage">) => ({
  /** Reads the oldest queued reports: at most `limit`, and no more than fit into one page. */
  async next(target: string, limit: number): Promise<QueuedReport[]> {
    const { rows } = await storage.readPage(sql`
      SELECT seq, event, news AS novelty, refused AS refusals, number, at_ms AS atMs, issue, game, dialect, version, key, body FROM forward_report
      WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target}) ORDER BY seq LIMIT ${limit}`);
    return rows.map(queuedReportOf);
  },
  async queueSize(target: string): Promise<{ rows: number; bytes: number }> {
    const [row] = await storage.read(sql`
      SELECT count(*) AS held, coalesce(sum(bytes), 0) AS bytes FROM forward_report
      WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})`);
    return { rows: Number(row?.held), bytes: Number(row?.bytes) };
  },
});
