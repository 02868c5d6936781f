// Everything that is a file: the dashboard's built pages, and the packages of the bindings.
import type { IncomingMessage, ServerResponse } from "node:http";
import { sdkPath } from "@kit/contract";
import sirv from "sirv";
import { sendSdkFile } from "./sdk/sdk-files.ts";
import type { SdkFolder } from "./sdk/sdk-folder.ts";

export type FileServer = (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;

/** Serves what `dashboard` held when the launcher started, and what `sdk` holds now; calls `missing` for anything else. */
export function createFileServer(dashboard: string, sdk: SdkFolder): FileServer {
  // A well-kept library finds and sends the pages; this names where they lie and how they age.
  const servePage = sirv(dashboard, {
    setHeaders(response, path) {
      // A built asset's name holds its hash, so it never changes; the page must be asked for each time.
      response.setHeader(
        "cache-control",
        path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      );
    },
  });
  return (request, response, missing) => {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (path.startsWith(sdkPath)) void sendSdkFile(sdk, path.slice(sdkPath.length), response, missing);
    else {
      // Nobody needs a part of a page, and the library fails at one that ends before it begins.
      request.headers.range = undefined;
      servePage(request, response, missing);
    }
  };
}
