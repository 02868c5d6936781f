// The dashboard's built files. A well-kept library finds and sends them; this names where they lie and how they age.
import type { IncomingMessage, ServerResponse } from "node:http";
import sirv from "sirv";

/** Serves what `folder` held when the launcher started; calls `missing` for anything else. */
export function createFileServer(folder: string) {
  const serve = sirv(folder, {
    setHeaders(response, path) {
      // A built asset's name holds its hash, so it never changes; the page must be asked for each time.
      response.setHeader(
        "cache-control",
        path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });
  return (request: IncomingMessage, response: ServerResponse, missing: () => void) => serve(request, response, missing);
}
