// Sends clips of errors to the targets for which a person allowed it. Each clip follows its report, and no report waits for a clip.
import { createSerialQueue, sleepUntilWoken } from "../../async.ts";
import { createOutbox, readDestinationWaitMs } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Bucket } from "./bucket.ts";
import { createVideoQueue, type ErrorClip, type FitClip } from "./video-queue.ts";
import type { VideoSender } from "./video-sender.ts";
import {
  abandonUploadsOf,
  createUploadStore,
  createVideoStore,
  dropVideo,
  forgetCandidate,
  queueVideo,
  type VideoCandidate,
} from "./video-store.ts";
import { abortUploads } from "./video-upload.ts";

/** A confirmed error without a clip is forgotten after this time. The clip of an error is planned within seconds. */
const candidateMs = 15 * 60_000;
/** Uploads that could not be aborted are tried again after this time, and at the next start. */
const abortAgainMs = 600_000;
/** How long a change of a target waits for its uploads to be aborted, so that it takes effect within a second. */
const abortWithinMs = 500;
/** The same, before the keys that could abort them later go. */
const lastChanceMs = 5_000;
/** Changes of clips are looked at together, this long after the first. */
const lookAfterMs = 250;

const uploadsLeft = (count: number) =>
  `${count} unfinished ${count === 1 ? "upload stays" : "uploads stay"} in the bucket, because the store did not abort it in time. Let the store delete unfinished uploads.`;

export type VideosDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly now: () => number;
  /** Returns the clip of an error. */
  readonly clipOf: (event: string) => Promise<ErrorClip>;
  readonly fit: FitClip;
  /** Resolves to undefined if the target has no stored credentials. */
  readonly createSender: (target: string) => Promise<VideoSender | undefined>;
  /** Connects to the bucket of a target. Resolves to undefined if it has none. */
  readonly openBucket: (target: string) => Promise<Bucket | undefined>;
  readonly onFailure: (error: unknown) => void;
};

export type Videos = {
  /** Starts sending to a target, unless it runs. */
  start(target: string): void;
  /** Aborts a running upload and sends no more to a target. */
  remove(target: string): Promise<void>;
  /** To be called when reports were confirmed, or clips have changed. Cheap. */
  onChanged(): void;
  /** Aborts the uploads whose video does not wait any more. Cheap if there is none. */
  abortAbandoned(): void;
  /** The same for one target. Resolves when they are aborted, or within a second; then they are tried again later. */
  abortAbandonedOf(target: string): Promise<void>;
  /** Stops sending to a target, and tries for a few seconds to abort its uploads; logs what is left. To be called before its bucket changes. */
  stopUploads(target: string): Promise<void>;
  stop(): Promise<void>;
};

export function createVideos({ storage, now, clipOf, fit, createSender, openBucket, onFailure }: VideosDeps): Videos {
  const write = (...statements: Statement[]) => storage.write(...statements);
  const store = createVideoStore(storage);
  const outbox = createOutbox({ table: "forward_video_target", storage, write, now, onFailure });
  const senders = new Map<string, VideoSender>();
  /** The video of each target that is being prepared or sent. */
  const running = new Map<string, number>();
  const started = new Set<string>();
  const serialize = createSerialQueue();
  let timer: NodeJS.Timeout | undefined;
  let abortTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const uploads = createUploadStore(storage);
  const stopping = new AbortController();

  const settleCandidate = async (candidate: VideoCandidate) => {
    const clip = await clipOf(candidate.event);
    if (clip.state === "saved" && clip.kind === "clip") return write(...queueVideo(candidate));
    const isOver = clip.state === "saved" || now() - candidate.confirmedMs > candidateMs;
    if (clip.state !== "pending" && isOver) await write(forgetCandidate(candidate));
  };
  /** Queues the clips that were saved, and drops those that were deleted, also while one is sent. */
  const look = async () => {
    for (const candidate of await store.candidates()) await settleCandidate(candidate);
    for (const { target, seq, event } of await store.waiting()) {
      const clip = await clipOf(event);
      if (clip.state !== "none") continue;
      const drop = () => write(...dropVideo(target, seq, clip.reason, now()));
      await (running.get(target) === seq ? outbox.runBetween(target, drop) : drop());
    }
    outbox.wake();
    await abortAbandonedOf(undefined, stopping.signal);
  };
  /** Aborts the uploads of a target, or of all, whose video does not wait any more. */
  const abortAbandonedOf = async (only: string | undefined, signal: AbortSignal) => {
    const abandoned = await uploads.abandoned(only);
    for (const [target, some] of Map.groupBy(abandoned, (each) => each.target)) {
      // The keys of one target may be unreadable; those of the others are not.
      const bucket = await openBucket(target).catch((error: unknown) => {
        onFailure(error);
        return null;
      });
      if (bucket === null) continue;
      const isDone = await abortUploads(some, bucket, write, signal).finally(() => bucket?.close());
      if (!isDone && !isStopped) abortTimer ??= setTimeout(abortLater, abortAgainMs).unref();
    }
  };
  const abortLater = () => {
    clearTimeout(abortTimer);
    abortTimer = undefined;
    if (!isStopped) void serialize(() => abortAbandonedOf(undefined, stopping.signal)).catch(onFailure);
  };
  const abortSoon = async (id: string, withinMs = abortWithinMs) => {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(withinMs)]);
    // The uploads of others may be first, at a store that does not answer.
    const aborted = serialize(() => abortAbandonedOf(id, signal)).catch(onFailure);
    await Promise.race([aborted, sleepUntilWoken(null, signal)]);
  };
  const remove = async (id: string) => {
    started.delete(id);
    await outbox.remove(id);
    senders.get(id)?.close();
    senders.delete(id);
  };
  const onChanged = () => {
    if (isStopped || started.size === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      void serialize(look).catch(onFailure);
    }, lookAfterMs).unref();
  };

  return {
    start(id) {
      if (isStopped || started.has(id)) return;
      started.add(id);
      const createSenderOfTarget = async () => {
        const sender = await createSender(id);
        if (sender !== undefined) senders.set(id, sender);
        return sender;
      };
      const queue = createVideoQueue(id, {
        store,
        write,
        now,
        clipOf,
        fit,
        createSender: createSenderOfTarget,
        targetWaitMs: () => readDestinationWaitMs(storage, "forward_target", id, now()),
        onRunning(seq) {
          if (seq !== undefined) return void running.set(id, seq);
          running.delete(id);
          onChanged();
        },
      });
      outbox.start(id, queue);
      onChanged();
    },
    remove,
    onChanged,
    abortAbandoned: abortLater,
    abortAbandonedOf: (id) => abortSoon(id),
    async stopUploads(id) {
      await remove(id);
      await write(abandonUploadsOf(id));
      await abortSoon(id, lastChanceMs);
      const { length: left } = await uploads.abandoned(id);
      if (left > 0) onFailure(new Error(uploadsLeft(left)));
    },
    async stop() {
      isStopped = true;
      stopping.abort();
      clearTimeout(abortTimer);
      clearTimeout(timer);
      await Promise.all([outbox.stop(), serialize(async () => undefined)]);
      for (const sender of senders.values()) sender.close();
    },
  };
}
