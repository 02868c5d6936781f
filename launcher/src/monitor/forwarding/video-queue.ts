// Tells the outbox how to send the videos of one target: which is due, a copy that fits, and what its server's answer means.
import { rm } from "node:fs/promises";
import type { Message } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { attemptOnce, type Destination, type OutboxItem, type SendAnswer } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import { delayTarget } from "./forwarding-store.ts";
import { noAnswerMessage, verdictForAnswer } from "./server-connection.ts";
import { targetCredentialsMissing } from "./target-queue.ts";
import { stalledMs, type VideoAnswer, type VideoSender } from "./video-sender.ts";
import {
  countDroppedVideo,
  dropVideo,
  limitVideos,
  markRefitted,
  markSending,
  recordFailedVideo,
  recordRefusedVideo,
  recordSentVideo,
  type VideoStore,
  type WaitingVideo,
} from "./video-store.ts";

/** The clip that shows an error. */
export type ErrorClip =
  /** It may still be made, or grow. */
  | { readonly state: "pending" }
  | { readonly state: "none"; readonly reason: Message }
  | (ClipFile & { readonly state: "saved"; readonly id: string });
type ClipFile = {
  readonly path: string;
  readonly kind: "clip" | "screenshot";
  readonly bytes: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
};

/** Makes a copy that fits, without title and chapters. If that is impossible, rejects with an error named CannotFit that says why. */
export type FitClip = (
  clip: ClipFile,
  limits: { readonly bytesMax: number },
  options: {
    /** Equal for the same file and limits, so that an existing copy is used again. */
    readonly name: string;
    readonly plain: true;
    readonly onProgress: (share: number) => void;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly path: string; readonly bytes: number }>;

export type VideoQueueDeps = {
  readonly store: VideoStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly clipOf: (event: string) => Promise<ErrorClip>;
  readonly fit: FitClip;
  /** Resolves to undefined if the target has no stored credentials. */
  readonly createSender: () => Promise<VideoSender | undefined>;
  /** Returns how long the target wants no request, or null if it is stopped. */
  readonly targetWaitMs: () => Promise<number | null>;
  /** Called with the video that is prepared or sent, and with undefined at the end. */
  readonly onRunning: (seq: number | undefined) => void;
};

type VideoItem = OutboxItem & { readonly video: WaitingVideo };
/** `wasSent`: the server saw the video. `dropped`: its size, of which the server is told. */
type Details = { readonly wasSent?: boolean; readonly dropped?: number };

const dayMs = 86_400_000;
const lookAgainMs = 60_000;
/** When a server refuses a video as too large, the next copy gets this share of its size. */
const smallerShare = 0.25;
/** A smaller video is too poor to be useful. */
const usefulBytesMin = 100_000;
/** Kit gives up a video after this many tries, once they have failed for `patienceMs`. */
const triesMax = 5;
const patienceMs = 3_600_000;
/** Kit gives up a video of which it cannot make a copy after this many tries. */
const fitTriesMax = 3;

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1);

export function createVideoQueue(id: string, needs: VideoQueueDeps): Destination<VideoItem, VideoSender, Details> {
  const { store, write, now, clipOf, fit } = needs;
  let sender: VideoSender | undefined;
  /** Whether the last failure counts as a try: no copy could be made, or more than half of it was sent without a final answer. */
  let countsAsTry = false;

  /** Decides what an answer means. Undefined: the same video is sent again, smaller. */
  const outcomeOf = async (
    { answer, bytes, videosNotBeforeMs, reportsNotBeforeMs }: VideoAnswer,
    { seq, refitted }: WaitingVideo,
    wasRefitted: boolean,
  ): Promise<SendAnswer | undefined> => {
    if (reportsNotBeforeMs !== null) await write(delayTarget(id, reportsNotBeforeMs, "rate-limit"));
    const { status } = answer;
    if (status === 413) {
      const bytesMax = Math.floor(bytes * smallerShare);
      if (bytesMax >= usefulBytesMin) await write(limitVideos(id, bytesMax));
      if (!refitted && !wasRefitted && bytesMax >= usefulBytesMin) {
        await write(markRefitted(seq));
        return undefined;
      }
      return { outcome: "refused", says: message("video.too_large", { size: megabytes(bytes) }) };
    }
    if (status === 400 || status === 422) return { outcome: "refused", says: message("video.refused", { status }) };
    const verdict = verdictForAnswer(answer);
    if (verdict.outcome === "sent") return { outcome: "sent", restUntilMs: videosNotBeforeMs };
    return { ...verdict, notBeforeMs: videosNotBeforeMs };
  };

  const attempt = async (
    video: WaitingVideo,
    clip: ClipFile & { id: string },
    to: VideoSender,
    stopSignal: AbortSignal,
  ) => {
    const bytesMax = (await store.bytesMax(id)) ?? to.bytesMax;
    const wasRefitted = clip.bytes > bytesMax;
    let sentBytes = 0;
    let isAgain = false;
    let copy: { readonly path: string; readonly bytes: number } | undefined;
    let cannotFit: Message | undefined;
    const result = await attemptOnce({
      async send(_, signal) {
        const name = `error-${id}-${clip.id}-${bytesMax}`;
        const options = { name, plain: true, onProgress: () => undefined, signal } as const;
        copy = await fit(clip, { bytesMax }, options).catch((error: unknown) => {
          if (error instanceof Error && error.name === "CannotFit") cannotFit = reasonOf(error);
          throw error;
        });
        const onSent = (bytes: number) => {
          sentBytes = bytes;
        };
        const sent = await to.send({ video, path: copy.path, signal, onSent });
        if ("outcome" in sent) return sent;
        const outcome = await outcomeOf(sent, video, wasRefitted);
        isAgain = outcome === undefined;
        return outcome ?? { outcome: "later", says: message("video.too_large", { size: "" }), notBeforeMs: null };
      },
      now,
      stopSignal,
      explain: (error) => (copy !== undefined ? noAnswerMessage(error, stalledMs) : reasonOf(error)),
    });
    const settle = () => {
      if (result.outcome === "halted" || isAgain) return 0;
      const dropped = to.countsDropped ? (copy ?? clip).bytes : 0;
      if (cannotFit !== undefined) return { outcome: "refused", says: cannotFit, details: { dropped } } as const;
      if (result.outcome === "refused") return { ...result, details: { wasSent: true, dropped } };
      if (result.outcome !== "later") return result;
      if (copy === undefined && video.tries + 1 >= fitTriesMax)
        return { outcome: "refused", says: result.says, details: { dropped } } as const;
      countsAsTry = copy === undefined || sentBytes > copy.bytes / 2;
      const failingMs = video.failingMs ?? now();
      if (!countsAsTry || video.tries + 1 < triesMax || now() - failingMs < patienceMs) return result;
      const says = message("video.given_up", { problem: result.says });
      return { outcome: "refused", says, details: { wasSent: true, dropped } } as const;
    };
    const settled = settle();
    // Only a repeat needs the copy again.
    const isRepeated = settled !== 0 && settled.outcome === "later";
    if (copy !== undefined && copy.path !== clip.path && !isRepeated) await rm(copy.path, { force: true });
    return settled;
  };

  return {
    says: { missing: targetCredentialsMissing, unreadable: (problem) => message("target.key_not_read", { problem }) },
    // A repeat names the same report. If the tracker also got the first upload, it shows the video twice.
    idempotentForMs: Number.POSITIVE_INFINITY,
    async next() {
      const video = await store.next(id, now());
      return video && { video, committedMs: null, failingMs: video.failingMs };
    },
    async open() {
      sender ??= await needs.createSender();
      return sender;
    },
    async attempt({ video }, to, stopSignal) {
      const dueInMs = video.dueMs - now();
      if (dueInMs > 0) return Math.min(dueInMs, dayMs);
      const targetWaitMs = await needs.targetWaitMs();
      if (targetWaitMs !== 0) return targetWaitMs ?? lookAgainMs;
      const clip = await clipOf(video.event);
      if (clip.state === "pending") return lookAgainMs;
      if (clip.state === "none") return { outcome: "refused", says: clip.reason };
      await write(markSending(video.seq));
      if (!(await store.isSending(video.seq))) return 0;
      needs.onRunning(video.seq);
      return attempt(video, clip, to, stopSignal).finally(() => needs.onRunning(undefined));
    },
    async record({ video: { seq } }, settled, destination) {
      if (settled.outcome === "sent") return write(...recordSentVideo(id, seq, now()), ...destination);
      if (settled.outcome === "later")
        return write(recordFailedVideo(seq, settled.failingMs, countsAsTry), ...destination);
      if (settled.outcome === "stopped") return write(...destination);
      const end = settled.details?.wasSent === true ? recordRefusedVideo : dropVideo;
      const { dropped = 0 } = settled.details ?? {};
      return write(...end(id, seq, settled.says, now()), countDroppedVideo(id, dropped), ...destination);
    },
  };
}
