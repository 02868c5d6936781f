// Sends a picture or a video to a page, in ranges, so that a player can seek.
import { basename, dirname } from "node:path";
import { KitError } from "@kit/contract";
import type { FastifyReply } from "fastify";

export type MediaFile = {
  /** Absolute; chosen by the launcher, never made of what a request says. */
  readonly path: string;
  /** e.g. video/mp4 */
  readonly type: string;
  /** Set when it is to be saved under this name instead of shown. Printable ASCII without quotes. */
  readonly saveAs?: string;
};

/** Answers with the file, or the asked range of it. Rejects with KitError not_found when it is gone. */
export async function sendMedia(reply: FastifyReply, { path, type, saveAs }: MediaFile): Promise<void> {
  const { send } = await import("@fastify/send");
  const sent = await send(reply.request.raw, encodeURIComponent(basename(path)), {
    root: dirname(path),
    dotfiles: "allow",
    index: false,
    contentType: false,
    cacheControl: false,
  });
  if (sent.statusCode === 404) throw new KitError("not_found", "The file is no longer where it was saved.");
  reply.code(sent.statusCode).headers(sent.headers);
  if (sent.statusCode < 400) reply.header("content-type", type);
  // A clip can be cut anew under the same address: asked about each time, sent only when it changed.
  reply.header("cache-control", "private, no-cache");
  if (saveAs !== undefined) reply.header("content-disposition", `attachment; filename="${saveAs}"`);
  reply.send(sent.stream);
}
