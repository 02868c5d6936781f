// Sends a picture or a video, with ranges, so that a player can seek.

import { basename, dirname } from "node:path";
import { attachmentHeader, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { FastifyReply } from "fastify";

export type MediaFile = {
  /** Absolute path, chosen by the launcher and never built from the request. */
  readonly path: string;
  /** Media type, e.g. video/mp4. */
  readonly type: string;
  /** The file name for a download, in printable ASCII without quotes; without it, the browser shows the file. */
  readonly saveAs?: string;
};

/** Replaces the library's own error pages by problem documents. */
function problemAt(status: number, contentRange: string): KitError {
  switch (status) {
    case 301:
    case 404:
      return new KitError("not_found", message("file.gone"));
    case 412:
      return new KitError("precondition_failed", message("file.changed"));
    case 416: {
      const bytes = contentRange.replace(/^.*\//, "");
      return new KitError("range_not_satisfiable", message("file.no_such_range", { bytes }));
    }
    default:
      return new KitError("internal", message("launcher.failed"), [], { cause: status });
  }
}

/** Sends the file or the requested range. Rejects with a KitError if that is impossible. */
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
  // A clip's file can change under the same address, so the browser must revalidate each time.
  reply.header("cache-control", "private, no-cache");
  if (saveAs !== undefined) reply.header("content-disposition", attachmentHeader(saveAs));
  reply.send(sent.stream);
}
