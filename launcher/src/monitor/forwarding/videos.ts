// Sends clips of errors to the targets for which a person allowed it. Each clip follows its report, and no report waits for a clip.
import { createSerialQueue } from "../../async.ts";
import { createOutbox, readDestinationWaitMs } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { createVideoQueue, type ErrorClip, type FitClip } from "./video-queue.ts";
import type { VideoSender } from "./video-sender.ts";
import { createVideoStore, dropVideo, forgetCandidate, queueVideo, type VideoCandidate } from "./video-store.ts";

/** A confirmed error without a clip is forgotten after this time. The clip of an error is planned within seconds. */
const candidateMs = 15 * 60_000;
/** Changes of clips are looked at together, this long after the first. */
const lookAfterMs = 250;

export type VideosDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly now: () => number;
  /** Returns the clip of an error. */
  readonly clipOf: (event: string) => Promise<ErrorClip>;
  readonly fit: FitClip;
  /** Resolves to undefined if the target has no stored credentials. */
  readonly createSender: (target: string) => Promise<VideoSender | undefined>;
  readonly onFailure: (error: unknown) => void;
};

export type Videos = {
  /** Starts sending to a target, unless it runs. */
  start(target: string): void;
  /** Aborts a running upload and sends no more to a target. */
  remove(target: string): Promise<void>;
  /** To be called when reports were confirmed, or clips have changed. Cheap. */
  onChanged(): void;
  stop(): Promise<void>;
};

export function createVideos({ storage, now, clipOf, fit, createSender, onFailure }: VideosDeps): Videos {
  const write = (...statements: Statement[]) => storage.write(...statements);
  const store = createVideoStore(storage);
  const outbox = createOutbox({ table: "forward_video_target", storage, write, now, onFailure });
  const senders = new Map<string, VideoSender>();
  /** The video of each target that is being prepared or sent. */
  const running = new Map<string, number>();
  const started = new Set<string>();
  const serialize = createSerialQueue();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

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
        onRunning: (seq) => (seq === undefined ? running.delete(id) : running.set(id, seq)),
      });
      outbox.start(id, queue);
      onChanged();
    },
    async remove(id) {
      started.delete(id);
      await outbox.remove(id);
      senders.get(id)?.close();
      senders.delete(id);
    },
    onChanged,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all([outbox.stop(), serialize(async () => undefined)]);
      for (const sender of senders.values()) sender.close();
    },
  };
}
