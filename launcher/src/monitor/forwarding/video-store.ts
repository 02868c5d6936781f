// SQL of the videos that targets get: which errors were confirmed and may get a clip, which videos wait, and what came of them. Also of
// the multipart uploads that are begun: each is continued after a restart, or aborted once its video does not wait any more.

import { type ForwardVideos, forwardedVideosPerDayMax, type Message } from "@kit/contract";
import { destinationState, destinationStatements } from "../../outbox/index.ts";
import {
  concatSql,
  fromMessageColumn,
  isoTimeOrNull,
  numberOrNull,
  type Row,
  type Statement,
  sql,
  toMessageColumn,
} from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { type QueuedReport, queuedReportOf } from "./report.ts";

const dayMs = 86_400_000;
/** Confirmed errors of one target that may still get a clip. Beyond it, the oldest are forgotten. */
const candidatesMax = 200;
/** Videos of one target whose outcome is remembered. */
const rememberedMax = 1_000;
/** The first and the second video of an issue in a build are sent at once, further ones a day after the last one. */
const atOnceMax = 2;

export const { restart: restartVideos, delay: delayVideos } = destinationStatements("forward_video_target");

/** A confirmed error that may still get a clip. */
export type VideoCandidate = {
  readonly target: string;
  readonly seq: number;
  readonly event: string;
  readonly confirmedMs: number;
};

export type WaitingVideo = {
  readonly seq: number;
  /** The id of the report in the journal and at the server. */
  readonly event: string;
  /** Whether the server refused it as too large before, so that it was encoded again. */
  readonly refitted: boolean;
  /** How often most of it was sent in vain. */
  readonly tries: number;
  readonly failingMs: number | null;
  /** Nothing is sent before this time, because of the limits for a day. */
  readonly dueMs: number;
};

/** Creates the state of a target's videos, unless there is one, and forgets which size the server refused. */
export const startVideos = (id: string): Statement[] => [
  sql`
    INSERT INTO forward_video_target (id, target_seq) SELECT id, seq FROM forward_target WHERE id = ${id}
    ON CONFLICT (id) DO UPDATE SET bytes_max = NULL`,
  restartVideos(id),
];

const targetSeq = (target: string) => sql`(SELECT seq FROM forward_target WHERE id = ${target})`;

/** Notes that the server confirmed these messages, if the target gets videos. Must run before they are deleted. */
export const noteConfirmed = (target: string, seqs: readonly number[], nowMs: number): Statement[] => [
  sql`
    INSERT OR IGNORE INTO forward_video (target_seq, event, issue, build, confirmed_ms, state, report)
    SELECT t.seq, r.event, r.issue, r.build, ${nowMs}, 'confirmed',
      json_object('source', r.source, 'stripped', r.stripped, 'total', r.total, 'sinceMs', r.since_ms, 'lastMs', r.last_ms,
        'number', r.number, 'atMs', r.at_ms, 'issue', r.issue, 'game', r.game, 'build', r.build, 'dialect', r.dialect,
        'version', r.version, 'key', r.key, 'body', r.body)
    FROM forward_report AS r JOIN forward_target AS t ON t.seq = r.target_seq
    WHERE t.id = ${target} AND t.enabled AND t.videos AND r.source = r.event
      AND r.seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`,
  concatSql(
    sql`DELETE FROM forward_video WHERE seq IN (SELECT seq FROM forward_video WHERE state = 'confirmed' AND target_seq = `,
    targetSeq(target),
    sql` ORDER BY seq DESC LIMIT -1 OFFSET ${candidatesMax})`,
  ),
];

/**
 * Lets a video wait for its turn. Of the waiting videos of one issue and build, the newest stays, and the oldest if none was sent yet.
 * One that is being sent is never deleted.
 */
export const queueVideo = ({ seq }: VideoCandidate): Statement[] => [
  sql`UPDATE forward_video SET state = 'waiting' WHERE seq = ${seq} AND state = 'confirmed'`,
  sql`
    DELETE FROM forward_video WHERE seq IN (
      SELECT one.seq FROM forward_video AS own JOIN forward_video AS one
        ON one.target_seq = own.target_seq AND one.issue = own.issue AND one.build = own.build AND one.state = 'waiting' AND NOT one.sending
      WHERE own.seq = ${seq}
        AND EXISTS (SELECT 1 FROM forward_video AS o WHERE o.target_seq = one.target_seq AND o.issue = one.issue
          AND o.build = one.build AND o.seq < one.seq AND o.state IN ('waiting', 'sent'))
        AND EXISTS (SELECT 1 FROM forward_video AS o WHERE o.target_seq = one.target_seq AND o.issue = one.issue
          AND o.build = one.build AND o.seq > one.seq AND o.state = 'waiting'))`,
];

/** Keeps a waiting video while it is sent. It may have been deleted before: `isSending` tells. */
export const markSending = (seq: number): Statement => sql`
  UPDATE forward_video SET sending = 1 WHERE seq = ${seq} AND state = 'waiting'`;

export const forgetCandidate = ({ seq }: VideoCandidate): Statement => sql`
  DELETE FROM forward_video WHERE seq = ${seq} AND state = 'confirmed'`;

const addUnsent = (target: string, count: Statement, says: Message, nowMs: number) =>
  concatSql(
    sql`UPDATE forward_video_target SET unsent = unsent + `,
    count,
    sql`, reason = iif(`,
    count,
    sql` > 0, ${toMessageColumn(says)}, reason), reason_ms = iif(`,
    count,
    sql` > 0, ${nowMs}, reason_ms) WHERE id = ${target}`,
  );

/** Removes all videos of a target that wait, and counts them as not sent. */
export const dropWaitingVideos = (target: string, says: Message, nowMs: number): Statement[] => [
  addUnsent(
    target,
    concatSql(
      sql`(SELECT count(*) FROM forward_video WHERE state = 'waiting' AND target_seq = `,
      targetSeq(target),
      sql`)`,
    ),
    says,
    nowMs,
  ),
  concatSql(
    sql`DELETE FROM forward_video WHERE state IN ('confirmed', 'waiting') AND target_seq = `,
    targetSeq(target),
  ),
];

const isWaiting = (seq: number) => sql`(SELECT count(*) FROM forward_video WHERE seq = ${seq} AND state = 'waiting')`;

/** Removes one video, of which nothing was sent, and counts it as not sent. */
export const dropVideo = (target: string, seq: number, says: Message, nowMs: number): Statement[] => [
  addUnsent(target, isWaiting(seq), says, nowMs),
  sql`DELETE FROM forward_video WHERE seq = ${seq} AND state = 'waiting'`,
];

/** Remembers that the server refused a video, which counts as not sent. */
export const recordRefusedVideo = (target: string, seq: number, says: Message, nowMs: number): Statement[] => [
  addUnsent(target, isWaiting(seq), says, nowMs),
  sql`UPDATE forward_video SET state = 'refused', report = NULL, done_ms = ${nowMs} WHERE seq = ${seq}`,
  forgetOldVideos(target),
];

export const recordSentVideo = (target: string, seq: number, nowMs: number): Statement[] => [
  sql`UPDATE forward_video SET state = 'sent', report = NULL, done_ms = ${nowMs} WHERE seq = ${seq}`,
  sql`UPDATE forward_video_target SET sent = sent + 1, sent_ms = ${nowMs} WHERE id = ${target}`,
  forgetOldVideos(target),
];

const forgetOldVideos = (target: string) =>
  concatSql(
    sql`DELETE FROM forward_video WHERE seq IN (SELECT seq FROM forward_video WHERE done_ms IS NOT NULL AND target_seq = `,
    targetSeq(target),
    sql` ORDER BY done_ms DESC LIMIT -1 OFFSET ${rememberedMax})`,
  );

/** `countsAsTry`: no copy could be made, or most of it was sent without a final answer. */
export const recordFailedVideo = (seq: number, failingMs: number, countsAsTry: boolean): Statement => sql`
  UPDATE forward_video SET sending = 0, failing_ms = ${failingMs}, tries = tries + ${Number(countsAsTry)} WHERE seq = ${seq}`;

/** The server is told of the size of a video that was dropped. */
export const countDroppedVideo = (target: string, bytes: number): Statement => sql`
  UPDATE forward_video_target SET dropped_untold = dropped_untold + ${bytes} WHERE id = ${target}`;

/** Stores the size that further videos of the target must fit, because the server refused a larger one. */
export const limitVideos = (target: string, bytesMax: number): Statement => sql`
  UPDATE forward_video_target SET bytes_max = ${bytesMax} WHERE id = ${target}`;
export const markRefitted = (seq: number): Statement => sql`UPDATE forward_video SET refitted = 1 WHERE seq = ${seq}`;

/** Columns of a query on `forward_target AS t`, for `videosOf`. */
export const videoColumns = sql`
  (SELECT json_object('sent', v.sent, 'sentMs', v.sent_ms, 'unsent', v.unsent, 'reason', v.reason, 'reasonMs', v.reason_ms,
    'fault', v.fault, 'faultMs', v.fault_ms, 'stopped', v.stopped, 'waitUntilMs', v.wait_until_ms, 'waitBecause', v.wait_because,
    'waiting', (SELECT count(*) FROM forward_video WHERE target_seq = t.seq AND state = 'waiting'))
  FROM forward_video_target AS v WHERE v.id = t.id) AS videoQueue`;

/** Returns the state of a target's videos; null if they were never switched on. */
export function videosOf({ videoQueue }: Row, nowMs: number): ForwardVideos | null {
  if (videoQueue == null) return null;
  const row = JSON.parse(String(videoQueue)) as Row;
  const { enabled: _, ...state } = destinationState(row, nowMs);
  return {
    sent: Number(row.sent),
    lastSentAt: isoTimeOrNull(row.sentMs),
    waiting: Number(row.waiting),
    unsent: Number(row.unsent),
    unsentBecause: fromMessageColumn(row.reason),
    unsentAt: isoTimeOrNull(row.reasonMs),
    ...state,
  };
}

export type VideoStore = ReturnType<typeof createVideoStore>;

export const createVideoStore = (storage: Pick<Storage, "read">) => ({
  /** Returns the confirmed errors without a clip, of all targets, oldest first. */
  async candidates(): Promise<VideoCandidate[]> {
    const rows = await storage.read(sql`
      SELECT t.id AS target, v.seq AS seq, event, confirmed_ms AS confirmedMs FROM forward_video AS v
      JOIN forward_target AS t ON t.seq = v.target_seq WHERE v.state = 'confirmed' ORDER BY v.seq`);
    return rows as unknown as VideoCandidate[];
  },
  async waiting(): Promise<{ target: string; seq: number; event: string }[]> {
    const rows = await storage.read(sql`
      SELECT t.id AS target, v.seq AS seq, event FROM forward_video AS v
      JOIN forward_target AS t ON t.seq = v.target_seq WHERE v.state = 'waiting' ORDER BY v.seq`);
    return rows as unknown as { target: string; seq: number; event: string }[];
  },
  /** Returns the video that is due first. Times in the future, before a clock was set back, do not count. */
  async next(target: string, nowMs: number): Promise<WaitingVideo | undefined> {
    const [row] = await storage.read(sql`
      WITH t AS MATERIALIZED (SELECT seq FROM forward_target WHERE id = ${target}),
      day AS MATERIALIZED (SELECT done_ms FROM forward_video WHERE target_seq = (SELECT seq FROM t) AND done_ms <= ${nowMs}
        ORDER BY done_ms DESC LIMIT 1 OFFSET ${forwardedVideosPerDayMax - 1})
      SELECT seq, event, refitted, tries, failing_ms AS failingMs,
        max(coalesce((SELECT done_ms FROM day), 0),
          iif(sentOfKind >= ${atOnceMax}, coalesce(lastOfKindMs, 0), 0)) + ${dayMs} AS dueMs
      FROM (SELECT v.*,
          (SELECT count(*) FROM forward_video AS s WHERE s.target_seq = v.target_seq AND s.state = 'sent'
            AND s.issue = v.issue AND s.build = v.build) AS sentOfKind,
          (SELECT max(done_ms) FROM forward_video AS s WHERE s.target_seq = v.target_seq AND s.state = 'sent'
            AND s.issue = v.issue AND s.build = v.build AND done_ms <= ${nowMs}) AS lastOfKindMs
        FROM forward_video AS v WHERE v.target_seq = (SELECT seq FROM t) AND v.state = 'waiting')
      ORDER BY dueMs, seq LIMIT 1`);
    if (row === undefined) return undefined;
    return { ...row, refitted: row.refitted === 1 } as unknown as WaitingVideo;
  },
  /** Returns the report of a waiting video, as a message that stands for no report. `event` is the id of the message. */
  async reportOf(seq: number, event: string): Promise<QueuedReport | undefined> {
    const [row] = await storage.read(sql`SELECT report FROM forward_video WHERE seq = ${seq} AND report IS NOT NULL`);
    const message = { seq, event, novelty: "video", refusals: 0, reports: 0 };
    return row && queuedReportOf({ ...JSON.parse(String(row.report)), ...message });
  },
  async isSending(seq: number): Promise<boolean> {
    const rows = await storage.read(
      sql`SELECT 1 FROM forward_video WHERE seq = ${seq} AND sending AND state = 'waiting'`,
    );
    return rows.length > 0;
  },
  /** Returns the size that videos of the target must fit; null if the server refused none. */
  async bytesMax(target: string): Promise<number | null> {
    const [row] = await storage.read(sql`SELECT bytes_max AS bytesMax FROM forward_video_target WHERE id = ${target}`);
    return numberOrNull(row?.bytesMax);
  },
});

/** An upload that is not complete. */
export type BegunUpload = {
  readonly key: string;
  /** What the store calls the upload. */
  readonly uploadId: string;
  readonly partBytes: number;
  /** The ETags of the parts that the store has, in order. */
  readonly etags: readonly string[];
};
export type AbandonedUpload = {
  readonly seq: number;
  readonly target: string;
  readonly key: string;
  readonly uploadId: string;
};

/** After this many failures in a row, Kit leaves an upload to the store. */
const abortTriesMax = 20;

export const beginUpload = (video: number, { key, uploadId, partBytes }: BegunUpload): Statement => sql`
  INSERT INTO forward_upload (target_seq, video_seq, key, upload_id, part_bytes)
  SELECT target_seq, seq, ${key}, ${uploadId}, ${partBytes} FROM forward_video WHERE seq = ${video}`;
export const recordParts = (uploadId: string, etags: readonly string[]): Statement => sql`
  UPDATE forward_upload SET etags = ${JSON.stringify(etags)} WHERE upload_id = ${uploadId}`;
export const forgetUpload = (uploadId: string): Statement =>
  sql`DELETE FROM forward_upload WHERE upload_id = ${uploadId}`;
/** Lets uploads of a video be aborted, except for that of `key`. */
export const abandonUploads = (video: number, key: string): Statement => sql`
  UPDATE forward_upload SET video_seq = NULL WHERE video_seq = ${video} AND key <> ${key}`;
/** Lets all uploads of a target be aborted. */
export const abandonUploadsOf = (target: string): Statement => sql`
  UPDATE forward_upload SET video_seq = NULL WHERE target_seq = (SELECT seq FROM forward_target WHERE id = ${target})`;
export const recordAbortFailed = ({ seq }: AbandonedUpload): Statement[] => [
  sql`UPDATE forward_upload SET failures = failures + 1 WHERE seq = ${seq}`,
  sql`DELETE FROM forward_upload WHERE failures >= ${abortTriesMax}`,
];

export type UploadStore = ReturnType<typeof createUploadStore>;

export const createUploadStore = (storage: Pick<Storage, "read">) => ({
  async begun(video: number, key: string): Promise<BegunUpload | undefined> {
    const [row] = await storage.read(sql`
      SELECT key, upload_id AS uploadId, part_bytes AS partBytes, etags FROM forward_upload
      WHERE video_seq = ${video} AND key = ${key} ORDER BY seq DESC LIMIT 1`);
    return row && ({ ...row, etags: JSON.parse(String(row.etags)) } as Row as unknown as BegunUpload);
  },
  /** Lists uploads whose video does not wait any more, of one target or of all. */
  async abandoned(target?: string): Promise<AbandonedUpload[]> {
    const all = sql`
      SELECT u.seq AS seq, t.id AS target, u.key AS key, u.upload_id AS uploadId
      FROM forward_upload AS u JOIN forward_target AS t ON t.seq = u.target_seq
      LEFT JOIN forward_video AS v ON v.seq = u.video_seq WHERE (v.state IS NULL OR v.state <> 'waiting')`;
    const one = target === undefined ? sql`` : sql` AND t.id = ${target}`;
    return (await storage.read(concatSql(all, one))) as unknown as AbandonedUpload[];
  },
});
