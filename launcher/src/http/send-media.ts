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

/** What the library answers with a page of its own, as the problem it is. */
function problemAt(status: number, contentRange: string): KitError {
  switch (status) {
    case 301:
    case 404:
      return new KitError("not_found", "The file is no longer where it was saved.");
    case 412:
      return new KitError(
        "precondition_failed",
        "Ask without If-Match and If-Unmodified-Since for the file as it is now.",
      );
    case 416: {
      const bytes = contentRange.replace(/^.*\//, "");
      return new KitError(
        "range_not_satisfiable",
        `Ask for a part of its ${bytes} bytes, or without Range for all of it.`,
      );
    }
    default:
      return new KitError("internal", "Something broke inside Kit; its log says what.", [], { cause: status });
  }
}

/** Answers with the file, or the asked range of it. Rejects with a KitError where that cannot be had. */
export async function sendMedia(reply: FastifyReply, { path, type, saveAs }: MediaFile): Promise<void> {
  const { send } = await import("@fastify/send");
  const sent = await send(reply.request.raw, encodeURIComponent(basename(path)), {
    root: dirname(path),
    dotfiles: "allow",
    index: false,
    contentType: false,
    cacheControl: false,
  });
  if (sent.statusCode === 301 || sent.statusCode >= 400) {
    const contentRange = sent.headers["Content-Range"];
    if (contentRange !== undefined) reply.header("content-range", contentRange);
    throw problemAt(sent.statusCode, `${contentRange}`);
  }
  reply.code(sent.statusCode).headers(sent.headers).header("content-type", type);
  // A clip can be cut anew under the same address: asked about each time, sent only when it changed.
  reply.header("cache-control", "private, no-cache");
  if (saveAs !== undefined) reply.header("content-disposition", `attachment; filename="${saveAs}"`);
  reply.send(sent.stream);
}
