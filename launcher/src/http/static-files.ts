// Serves files: the dashboard's built pages and the bindings' packages.
import type { IncomingMessage, ServerResponse } from "node:http";
import { sdkPath } from "@kit/contract";
import sirv from "sirv";
import { sendSdkFile } from "./sdk/sdk-files.ts";
import type { SdkFolder } from "./sdk/sdk-folder.ts";

export type FileServer = (request: IncomingMessage, response: ServerResponse, missing: () => void) => void;

/** Serves the files that `dashboard` had at the start, and the current files of `sdk`; calls `missing` for other paths. */
export function createFileServer(dashboard: string, sdk: SdkFolder): FileServer {
  const servePage = sirv(dashboard, {
    setHeaders(response, path) {
      // The name of a built asset contains its hash, so it never changes. Pages must be revalidated each time.
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
      // Pages need no ranges, and the library fails on a range that ends before it starts.
      request.headers.range = undefined;
      servePage(request, response, missing);
    }
  };
}
