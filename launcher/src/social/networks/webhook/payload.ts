// What a webhook gets: one JSON document, with the footage in it. A form with a file would arrive beside what is signed; a
// link would need a server that Kit has not. The price is a third more bytes and a limit that receivers can live with.
import { createReadStream } from "node:fs";
import type { Media, Outgoing } from "../network.ts";

/** Of a file, before base64: the whole body stays below 11 MiB. */
export const mediaBytesMax = 8 * 1024 * 1024;

export type Payload = {
  /** `kit.test`: somebody asks whether it arrives; nothing happened. */
  readonly type: "post.created" | "kit.test";
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly post: string;
    readonly event: string;
    readonly eventId: string;
    readonly game: string | null;
    readonly at: string;
    readonly text: string;
    readonly contentWarning: string;
    readonly visibility: Outgoing["visibility"];
    readonly altText: string;
    /** With `base64`, the whole file. */
    readonly media: Omit<Media, "path"> | null;
  };
};

export function payloadOf({ about, text, contentWarning, visibility, altText, media }: Outgoing): Payload {
  const at = new Date(about.atMs).toISOString();
  const { post, event, eventId, game } = about;
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

/** Without a loss at the seams: base64 takes three bytes at a time. */
const pieceBytes = 192 * 1024;

/** The document in pieces, so that a video never holds up the thread for long. Rejects when the file cannot be read. */
export async function bodyOf(payload: Payload, path: string | undefined): Promise<Buffer[]> {
  const text = JSON.stringify(payload);
  if (path === undefined || payload.data.media === null) return [Buffer.from(text)];
  // `media` stands last: its end is `}`, that of `data` and of the whole.
  const pieces = [Buffer.from(`${text.slice(0, -"}}}".length)},"base64":"`)];
  let rest = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mediaBytesMax) throw new Error("The file is larger than it was.");
    const whole = Buffer.concat([rest, chunk]);
    const even = whole.length - (whole.length % 3);
    pieces.push(Buffer.from(whole.toString("base64", 0, even)));
    rest = whole.subarray(even);
  }
  pieces.push(Buffer.from(`${rest.toString("base64")}"}}}`));
  return pieces;
}
