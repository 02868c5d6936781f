// Builds the payload of a webhook: one JSON document with the footage in it. In a form, the file would not be signed, and a
// link would need a server. The cost: a third more bytes, and a size limit.
import { createReadStream } from "node:fs";
import type { OutgoingPost, PostMedia } from "../network.ts";

/** Maximum size of a file. In base64, it keeps the body below 11 MiB. */
export const mediaBytesMax = 8 * 1024 * 1024;

export type WebhookPayload = {
  /** `kit.test` marks a test message. */
  readonly type: "post.created" | "kit.test";
  /** When the event happened, in ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly post: string;
    readonly event: string;
    readonly eventId: string;
    readonly game: string | null;
    readonly at: string;
    readonly text: string;
    readonly contentWarning: string;
    readonly visibility: OutgoingPost["visibility"];
    readonly altText: string;
    /** In the body, this object has one more member: `base64`, with the whole file. */
    readonly media: Omit<PostMedia, "path"> | null;
  };
};

export function createWebhookPayload({
  source,
  text,
  contentWarning,
  visibility,
  altText,
  media,
}: OutgoingPost): WebhookPayload {
  const at = new Date(source.atMs).toISOString();
  const { post, event, eventId, game } = source;
  const described = media && {
    kind: media.kind,
    mime: media.mime,
    bytes: media.bytes,
    seconds: media.seconds,
    width: media.width,
    height: media.height,
  };
  return {
    type: "post.created",
    timestamp: at,
    data: { post, event, eventId, game, at, text, contentWarning, visibility, altText, media: described },
  };
}

/** The size of a piece is a multiple of three, because base64 encodes three bytes together. */
const pieceBytes = 192 * 1024;

/** Encodes the document in pieces, so that a video does not block the thread for long. Rejects if the file cannot be read. */
export async function encodeWebhookBody(payload: WebhookPayload, path: string | undefined): Promise<Buffer[]> {
  const text = JSON.stringify(payload);
  if (path === undefined || payload.data.media === null) return [Buffer.from(text)];
  // `media` is the last member, so the text ends with the three braces of media, data and the document.
  const pieces = [Buffer.from(`${text.slice(0, -"}}}".length)},"base64":"`)];
  let rest = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mediaBytesMax) throw new Error("The file has grown since it was prepared.");
    const whole = Buffer.concat([rest, chunk]);
    const even = whole.length - (whole.length % 3);
    pieces.push(Buffer.from(whole.toString("base64", 0, even)));
    rest = whole.subarray(even);
  }
  pieces.push(Buffer.from(`${rest.toString("base64")}"}}}`));
  return pieces;
}
