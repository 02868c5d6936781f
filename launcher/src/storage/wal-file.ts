// The write-ahead log, as a file that may hold what was never on the disk.
import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";

const bytesAtOnce = 1_048_576;

/**
 * Writes what the WAL holds once more, in its place, and syncs it; to be called before SQLite reads it. After an fsync that
 * failed the system keeps those pages in its cache as if they were on the disk: SQLite would go on behind them, and the next
 * power cut would take them, and with them all that was acknowledged since. Costs a copy of the file, after an unclean end only.
 */
export function writeWalAgain(database: string): void {
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
