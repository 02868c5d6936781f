// Measures files and folders.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Returns the bytes of a file or of everything in a folder; 0 if it does not exist. Does not follow links to folders. */
export async function sizeOnDisk(path: string): Promise<number> {
  const is = await stat(path).catch(() => undefined);
  if (is === undefined) return 0;
  if (!is.isDirectory()) return is.size;
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isDirectory()) bytes += await sizeOnDisk(join(path, entry.name));
    else if (entry.isFile()) bytes += (await stat(join(path, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
