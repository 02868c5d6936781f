// Sends the clip of an error to a server that speaks Sentry's protocol: one envelope with an attachment to an event that the server
// has. The file is read while it is sent.
import { open } from "node:fs/promises";
import type { SendAnswer } from "../../outbox/index.ts";
import type { TargetCredentials } from "./report.ts";
import { parseDsn, readSentryRateLimits, sentryHeaders } from "./sentry.ts";
import { connectToServer, type HttpAnswer } from "./server-connection.ts";
import type { WaitingVideo } from "./video-store.ts";

/**
 * Maximum size of a request to Sentry: "20MB for a compressed envelope request", develop.sentry.dev, *Envelopes*, *Size Limits*. A video
 * hardly gets smaller by compression.
 */
const envelopeBytesMax = 20_000_000;
/** Room for the headers of the envelope and of its item. */
const envelopeHeadBytesMax = 1_000;
const videoBytesMax = envelopeBytesMax - envelopeHeadBytesMax;
/** The upload ends if the server takes nothing for this long, or does not answer. */
export const stalledMs = 30_000;

export type OutgoingVideo = {
  readonly video: Pick<WaitingVideo, "seq" | "event" | "failingMs">;
  readonly path: string;
  readonly signal: AbortSignal;
  /** Called with the bytes that were passed to a server that is connected. */
  readonly onSent: (bytes: number) => void;
};

export type VideoAnswer = {
  readonly answer: HttpAnswer;
  readonly bytes: number;
  /** Until when the server takes no videos, and no reports; null if it named no time. */
  readonly videosNotBeforeMs: number | null;
  readonly reportsNotBeforeMs: number | null;
};

export type VideoSender = {
  /** The largest file that it takes. */
  readonly bytesMax: number;
  /** Whether the server counts videos that are dropped, because they are attachments. */
  readonly countsDropped: boolean;
  /** Returns the server's answer, or what it means. Rejects if no answer arrives. */
  send(video: OutgoingVideo): Promise<VideoAnswer | SendAnswer>;
  close(): void;
};

/** Throws KitError for an invalid DSN. The connection is not that of the reports, so that they never wait for a video. */
export async function createVideoSender(
  { address, withoutTls = false, certificate }: TargetCredentials,
  now: () => number,
): Promise<VideoSender> {
  const { url, key } = await parseDsn(address, withoutTls);
  const connection = await connectToServer({ url, withoutTls, certificate, withinMs: stalledMs, now });
  return {
    bytesMax: videoBytesMax,
    countsDropped: true,
    close: connection.close,
    async send({ video: { event }, path, signal, onSent }) {
      await using file = await open(path);
      const { size: bytes } = await file.stat();
      const sentAt = new Date(now() + (await connection.clockAheadMs(signal))).toISOString();
      const head = Buffer.from(
        [
          JSON.stringify({ event_id: event.replaceAll("-", "").toLowerCase(), sent_at: sentAt }),
          JSON.stringify({ type: "attachment", length: bytes, filename: "error.mp4", content_type: "video/mp4" }),
          "",
        ].join("\n"),
      );
      async function* body() {
        yield head;
        if (bytes > 0) yield* file.createReadStream({ start: 0, end: bytes - 1, autoClose: false });
        yield Buffer.from("\n");
      }
      const answer = await connection.stream({
        url,
        headers: sentryHeaders(key),
        body,
        bytes: head.length + bytes + 1,
        signal,
        onSent,
      });
      const limits = await readSentryRateLimits(answer, now());
      const isLimitNamed = (answer.headers["x-sentry-rate-limits"] ?? answer.headers["retry-after"]) !== undefined;
      return {
        answer: { ...answer, text: answer.text.replaceAll(key, "<key>") },
        bytes,
        videosNotBeforeMs: limits("attachment"),
        reportsNotBeforeMs: isLimitNamed ? limits("error") : null,
      };
    },
  };
}
