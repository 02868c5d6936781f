// Rewrites the write-ahead log, whose cached pages may never have reached the disk.
import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

const bytesAtOnce = 1_048_576;

/**
 * Writes the content of the WAL again and syncs it. Must be called before SQLite reads the WAL. After a failed fsync, the system
 * keeps unwritten pages in its cache as if they were on the disk. A power cut would then lose them, and all later commits with
 * them. Runs only if a WAL exists, which is after an unclean shutdown.
 */
export function rewriteWal(database: string): void {
  const path = `${database}-wal`;
  if (!existsSync(path)) return;
  const file = openSync(path, "r+");
  try {
    const buffer = Buffer.alloc(bytesAtOnce);
    for (let at = 0; ; ) {
      const bytes = readSync(file, buffer, 0, bytesAtOnce, at);
      if (bytes === 0) break;
      at += writeSync(file, buffer, 0, bytes, at);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
