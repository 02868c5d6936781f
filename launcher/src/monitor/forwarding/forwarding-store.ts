// SQL of forwarding: the targets, whose addresses and keys are in the secret store, and the queue of each. A message is
// deleted when the server confirmed it.
import {
  type ForwardKind,
  type ForwardTarget,
  type KitEvent,
  type Message,
  type SentRequest,
  sentRequestCharsMax,
  sentRequestsMax,
} from "@kit/contract";
import { destinationState, destinationStatements, waitColumns } from "../../outbox/index.ts";
import {
  concatSql,
  isoTime,
  isoTimeOrNull,
  type Row,
  type Statement,
  sql,
  textOrNull,
  toMessageColumn,
} from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { agreedUpTo, decisionsColumn, decisionsOf } from "./decision-store.ts";
import { type Dropped, type QueuedReport, queuedReportOf, type TargetMarks } from "./report.ts";
import { videoColumns, videosOf } from "./video-store.ts";

export type VisibleTargetAddress = { readonly host: string; readonly project: string | null };
type NewTargetRow = VisibleTargetAddress & {
  readonly id: string;
  readonly kind: ForwardKind;
  readonly game: string | null;
  /** Names the credentials in the target's secret. */
  readonly access: string;
};

export const {
  remove: deleteTarget,
  setEnabled: updateTargetEnabled,
  restart: restartTarget,
  recordError: recordTargetError,
  delay: delayTarget,
} = destinationStatements("forward_target");

/** Inserts a stopped target that is switched off. It starts once its credentials are stored. */
export const insertTarget = (
  { id, kind, game, host, project, access }: NewTargetRow,
  atMs: number,
  stopped: Message,
): Statement => sql`
  INSERT INTO forward_target (id, kind, game, host, project, access, enabled, created_ms, stopped)
  VALUES (${id}, ${kind}, ${game}, ${host}, ${project}, ${access}, 0, ${atMs}, ${toMessageColumn(stopped)})`;
/** `access` names the credentials that are used from now on. */
export const updateTargetAccess = (
  id: string,
  access: string,
  { host, project }: VisibleTargetAddress,
): Statement => sql`
  UPDATE forward_target SET access = ${access}, host = ${host}, project = ${project} WHERE id = ${id}`;
export const updateTargetEnvironment = (id: string, environment: string | null): Statement => sql`
  UPDATE forward_target SET environment = ${environment} WHERE id = ${id}`;
export const updateTargetInstallation = (id: string, installation: string | null): Statement => sql`
  UPDATE forward_target SET installation = ${installation} WHERE id = ${id}`;
export const updateTargetVideos = (id: string, videos: boolean): Statement => sql`
  UPDATE forward_target SET videos = ${videos ? 1 : 0} WHERE id = ${id}`;
export const updateTargetEarlierEvents = (id: string, sent: boolean): Statement => sql`
  UPDATE forward_target SET earlier_events = ${Number(sent)} WHERE id = ${id}`;
export const updateTargetConsent = (id: string, consent: ForwardTarget["consent"]): Statement => sql`
  UPDATE forward_target SET consent = ${consent && JSON.stringify(consent)} WHERE id = ${id}`;
export const updateTargetBucket = (id: string, bucket: ForwardTarget["bucket"]): Statement => sql`
  UPDATE forward_target SET bucket = ${bucket && JSON.stringify(bucket)} WHERE id = ${id}`;
export const updateTargetGame = (id: string, game: string | null): Statement => sql`
  UPDATE forward_target SET game = ${game} WHERE id = ${id}`;

function targetOf(row: Row, nowMs: number): ForwardTarget {
  return {
    id: String(row.id),
    kind: row.kind as ForwardKind,
    game: textOrNull(row.game),
    host: String(row.host),
    project: textOrNull(row.project),
    environment: textOrNull(row.environment),
    installation: textOrNull(row.installation),
    videos: row.videos === 1,
    bucket: JSON.parse(textOrNull(row.bucket) ?? "null"),
    earlierEvents: row.earlierEvents === 1,
    consent: JSON.parse(textOrNull(row.consent) ?? "null"),
    decisions: decisionsOf(row.decisions),
    createdAt: isoTime(row.createdMs),
    delivered: Number(row.delivered),
    lastDeliveredAt: isoTimeOrNull(row.deliveredMs),
    waiting: Number(row.waiting),
    waitingBytes: Number(row.waitingBytes),
    dropped: Number(row.dropped),
    videoQueue: videosOf(row, nowMs),
    ...destinationState(row, nowMs),
  };
}

export type TargetStore = ReturnType<typeof createTargetStore>;

export const createTargetStore = (storage: Pick<Storage, "read">, now: () => number) => ({
  /** Lists the requests to a target that are kept, newest first. */
  async sentRequests(target: string): Promise<SentRequest[]> {
    const rows = await storage.read(sql`
      SELECT sent_ms AS sentMs, messages, reports, accepted, body, chars FROM forward_sent
      WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target}) ORDER BY seq DESC`);
    return rows.map(({ sentMs, accepted, ...row }) => ({
      sentAt: isoTime(sentMs),
      ...(row as Pick<SentRequest, "messages" | "reports" | "body" | "chars">),
      accepted: accepted === 1,
    }));
  },
  /** Reads which of its stored credentials a target uses. */
  async accessOf(target: string): Promise<string | undefined> {
    const [row] = await storage.read(sql`SELECT access FROM forward_target WHERE id = ${target}`);
    return row && String(row.access);
  },
  /** Lists all targets, oldest first. */
  async all(): Promise<ForwardTarget[]> {
    const rows = await storage.read(
      concatSql(
        sql`
      SELECT id, kind, game, host, project, environment, installation, videos, bucket, earlier_events AS earlierEvents, consent,
        enabled, created_ms AS createdMs, delivered, delivered_ms AS deliveredMs, dropped,
        fault, fault_ms AS faultMs, stopped,`,
        waitColumns,
        sql`,
        (SELECT coalesce(sum(reports), 0) FROM forward_report WHERE target_seq = t.seq)
          + (SELECT coalesce(sum(untold), 0) FROM forward_count WHERE target_seq = t.seq AND untold > 0) AS waiting,
        (SELECT coalesce(sum(bytes), 0) FROM forward_report WHERE target_seq = t.seq) AS waitingBytes,`,
        videoColumns,
        sql`,`,
        decisionsColumn,
        sql`
      FROM forward_target AS t ORDER BY seq`,
      ),
    );
    return rows.map((row) => targetOf(row, now()));
  },
});

const deleteReports = (seqs: readonly number[]) => sql`
  DELETE FROM forward_report WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;

const reportsOf = (seqs: readonly number[]) => sql`(
  SELECT coalesce(sum(reports), 0) FROM forward_report WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)})))`;
/** Adds the reports of these messages, except for `rejected`, to the column `delivered`. Must run before the deletion. */
const addDelivered = (target: string, seqs: readonly number[], atMs: number, rejected: number) =>
  concatSql(
    sql`UPDATE forward_target SET delivered = delivered + max(0, `,
    reportsOf(seqs),
    sql` - ${rejected}), dropped = dropped + ${rejected}, dropped_untold = dropped_untold + ${rejected},
      delivered_ms = ${atMs} WHERE id = ${target}`,
  );

/** Removes the messages from the queue and counts their reports as delivered, except for `rejected` of them. */
export const recordForwardedReports = (
  target: string,
  seqs: readonly number[],
  atMs: number,
  rejected = 0,
): Statement[] => [addDelivered(target, seqs, atMs, rejected), deleteReports(seqs)];
/** Removes the messages and counts their reports as dropped. */
export const dropReports = (target: string, seqs: readonly number[]): Statement[] => {
  const reports = reportsOf(seqs);
  return [
    concatSql(
      sql`UPDATE forward_target SET dropped = dropped + `,
      reports,
      sql`, dropped_untold = dropped_untold + `,
      reports,
      sql` WHERE id = ${target}`,
    ),
    deleteReports(seqs),
  ];
};
type LeftRequest = Omit<SentRequest, "sentAt" | "chars"> & { readonly games: readonly (string | null)[] };
/** Keeps a request that left this computer, and forgets the oldest ones. */
export const recordSentRequest = (
  target: string,
  { body, games, messages, reports, accepted }: LeftRequest,
  atMs: number,
): Statement[] => [
  sql`
  INSERT INTO forward_sent (target_seq, sent_ms, games, messages, reports, accepted, body, chars)
  SELECT seq, ${atMs}, ${JSON.stringify(games)}, ${messages}, ${reports}, ${Number(accepted)},
    ${body.slice(0, sentRequestCharsMax).toWellFormed()}, ${body.length} FROM forward_target WHERE id = ${target}`,
  sql`
  DELETE FROM forward_sent WHERE seq IN (
    SELECT seq FROM forward_sent WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})
    ORDER BY seq DESC LIMIT -1 OFFSET ${sentRequestsMax})`,
];
/** The target was told of this. */
export const recordReportedDrops = (target: string, { reports, videoBytes }: Dropped): Statement[] => [
  sql`UPDATE forward_target SET dropped_untold = max(0, dropped_untold - ${reports}) WHERE id = ${target}`,
  sql`UPDATE forward_video_target SET dropped_untold = max(0, dropped_untold - ${videoBytes}) WHERE id = ${target}`,
];
export const countReportRefusals = (seqs: readonly number[]): Statement => sql`
  UPDATE forward_report SET refused = refused + 1 WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;

/** What is left of a message's text when its details are removed. */
const strippedTextCharsMax = 500;
/** Ends a longer text after a word, because what removes secrets does not know half of one. */
const shortText = sql`iif(length(body ->> 0) <= ${strippedTextCharsMax}, body ->> 0,
  rtrim(substr(body ->> 0, 1, ${strippedTextCharsMax}), replace(substr(body ->> 0, 1, ${strippedTextCharsMax}), ' ', '')))`;
const strip = concatSql(
  sql`UPDATE forward_report SET stripped = 1, body = json_array(`,
  shortText,
  sql`, ''), bytes = octet_length(json_array(`,
  shortText,
  sql`, ''))`,
);
/** Removes stack and earlier events from messages. Their counts and ids stay. */
export const stripReports = (seqs: readonly number[]): Statement =>
  concatSql(strip, sql` WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`);
/** Shrinks a queue to a limit of bytes by removing details: of repeats first, and of them from the oldest first. */
export const shrinkReportQueue = (target: string, bytesMax: number): Statement =>
  concatSql(
    strip,
    sql`
    WHERE stripped = 0 AND seq IN (
      SELECT seq FROM (
        SELECT seq, sum(bytes) OVER (ORDER BY stripped DESC, news = 'more', seq DESC) AS held FROM forward_report
        WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target}))
      WHERE held > ${bytesMax})`,
  );

export type ReportQueueStore = ReturnType<typeof createReportQueueStore>;

export const createReportQueueStore = (storage: Pick<Storage, "read" | "readPage">) => ({
  /** Reads the oldest queued reports: at most `limit`, and no more than fit into one page. */
  async next(target: string, limit: number): Promise<QueuedReport[]> {
    const { rows } = await storage.readPage(sql`
      SELECT seq, event, source, news AS novelty, refused AS refusals, stripped, reports, total, series,
        series_told AS seriesTold, series_since_ms AS seriesSinceMs, series_start_ms AS seriesStartMs, since_ms AS sinceMs, last_ms AS lastMs, number, at_ms AS atMs, issue, game, build, dialect, version, key, body FROM forward_report
      WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target}) ORDER BY seq LIMIT ${limit}`);
    return rows.map(queuedReportOf);
  },
  async queuedBytes(target: string): Promise<number> {
    const [row] = await storage.read(sql`
      SELECT coalesce(sum(bytes), 0) AS bytes FROM forward_report
      WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})`);
    return Number(row?.bytes);
  },
  /** Reads what a target gets with every report. */
  async marks(target: string): Promise<TargetMarks & { readonly earlierEvents: boolean }> {
    const [row] = await storage.read(sql`
      SELECT environment, installation, earlier_events AS earlierEvents FROM forward_target WHERE id = ${target}`);
    return {
      environment: textOrNull(row?.environment),
      installation: textOrNull(row?.installation),
      earlierEvents: row?.earlierEvents === 1,
    };
  },
  /** Leaves out events that were acknowledged before a person let this target have reports of the game. */
  async leaveOutUnagreed(target: string, game: string | null, events: readonly KitEvent[]): Promise<KitEvent[]> {
    const rows = await storage.read(
      concatSql(
        sql`
      SELECT e.id AS id FROM forward_target AS t, (SELECT ${game} AS game) AS i,
        json_each(${JSON.stringify(events.map(({ id }) => id))}) AS w JOIN event AS e ON e.id = w.value
      WHERE t.id = ${target} AND e.seq <= `,
        agreedUpTo,
      ),
    );
    const unagreed = new Set(rows.map(({ id }) => id));
    return events.filter(({ id }) => !unagreed.has(id));
  },
  /** Reads what was dropped that the target was not told of. */
  async dropsUntold(target: string): Promise<Dropped> {
    const [row] = await storage.read(sql`
      SELECT t.dropped_untold AS reports, v.dropped_untold AS videoBytes
      FROM forward_target AS t LEFT JOIN forward_video_target AS v ON v.id = t.id WHERE t.id = ${target}`);
    return { reports: Number(row?.reports ?? 0), videoBytes: Number(row?.videoBytes ?? 0) };
  },
});
