// Sends a binding's package as a download.
import type { ServerResponse } from "node:http";
import { extname } from "node:path";
import type { SdkFolder } from "./sdk-folder.ts";

/** .nupkg and .yymps are ZIP files with an extension that the engine opens. */
const types: Readonly<Record<string, string>> = {
  ".gml": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".nupkg": "application/zip",
  ".tgz": "application/gzip",
  ".yymps": "application/zip",
  ".zip": "application/zip",
};

/** Sends the listed file, or calls `missing` if the list has no such file. */
export async function sendSdkFile(
  folder: SdkFolder,
  file: string,
  response: ServerResponse,
  missing: () => void,
): Promise<void> {
  const bytes = await folder.read(file);
  if (bytes === undefined) return missing();
  response.writeHead(200, {
    "content-type": types[extname(file)] ?? "application/octet-stream",
    "content-length": bytes.length,
    // The browser must save the file and not show it as a page of this origin.
    "content-disposition": `attachment; filename="${file}"`,
    "cache-control": "no-cache",
  });
  // For HEAD, Node sends only the headers.
  response.end(bytes);
}
