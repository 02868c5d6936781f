// Gives a package out as a download.
import type { ServerResponse } from "node:http";
import { extname } from "node:path";
import type { SdkFolder } from "./sdk-folder.ts";

/** Both of the engines' own endings are zip files with a name the engine opens. */
const types: Readonly<Record<string, string>> = {
  ".gml": "text/plain; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".nupkg": "application/zip",
  ".tgz": "application/gzip",
  ".yymps": "application/zip",
  ".zip": "application/zip",
};

/** Answers with the listed file of that name, or calls `missing`. */
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
    // Saved, never shown: an address of this origin must not become a page.
    "content-disposition": `attachment; filename="${file}"`,
    "cache-control": "no-cache",
  });
  // To HEAD node sends the head only.
  response.end(bytes);
}
