// Lists the bindings' packages, and sends one as a download. Reads the folder on every call, because a later bundle may
// replace the files.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { attachmentHeader, SdkIndex, type SdkMissing, type SdkPackage } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { assertValid } from "./validation.ts";

export type SdkFolder = {
  /** Lists the available packages; empty if no bundle was built. */
  list(): Promise<SdkIndex>;
  /** Returns the bytes of a listed file, or undefined for any other name. Never rejects. */
  read(file: string): Promise<Buffer | undefined>;
};

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const damaged = message("package.unreadable");

export function openSdkFolder(folder: string): SdkFolder {
  const index = async (): Promise<SdkIndex> => {
    try {
      const read: unknown = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
      assertValid(SdkIndex, read);
      return read as SdkIndex;
    } catch {
      return { packages: [], missing: [] };
    }
  };
  /** Returns the bytes of a package, or undefined if they do not match the checksum in the list. */
  const bytesOf = async ({ file, sha256 }: SdkPackage): Promise<Buffer | undefined> => {
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined;
  };
  return {
    async list() {
      const { packages, missing } = await index();
      const there: SdkPackage[] = [];
      const gone: SdkMissing[] = [];
      for (const each of packages) {
        if ((await bytesOf(each)) !== undefined) there.push(each);
        else gone.push({ binding: each.binding, name: each.name, reason: damaged });
      }
      return { packages: there, missing: [...missing, ...gone] };
    },
    async read(file) {
      // Only a listed name is used as a path, never text from the request.
      const listed = (await index()).packages.find((each) => each.file === file);
      return listed && bytesOf(listed);
    },
  };
}

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
    "content-disposition": attachmentHeader(file),
    "cache-control": "no-cache",
  });
  // For HEAD, Node sends only the headers.
  response.end(bytes);
}
