// How much files hold, as they are named.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of a file, or of all in a folder; 0 where there is none. Links are not followed into other folders. */
export async function bytesIn(path: string): Promise<number> {
  const is = await stat(path).catch(() => undefined);
  if (is === undefined) return 0;
  if (!is.isDirectory()) return is.size;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isDirectory()) bytes += await bytesIn(join(path, entry.name));
    else if (entry.isFile()) bytes += (await stat(join(path, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
