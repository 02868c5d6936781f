// A second copy of the open database, kept up to date commit by commit. It survives when another program overwrites the database
// in place: then neither the file nor SQLite's view of it can be trusted. It lives only as long as the database is open.
import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { copyPages } from "./backup.ts";
import type { DataDir } from "./data-dir.ts";
import { freeBytes } from "./room.ts";
import { createWalReader, type WalFrame } from "./wal-frames.ts";

/** A larger database has no live copy: copying it at every start would cost the player's disk too much. */
export const liveCopyBytesMax = 256 * 1024 * 1024;
/** What stays free beside the copy. */
const spareBytes = 256 * 1024 * 1024;
const pagesPerStep = 100;
const bytesAtOnce = 1024 * 1024;

export type LiveCopy = {
  /**
   * Adds every commit since the last call. To be called after each commit, while the log still holds it. False when the log does not
   * hold what SQLite wrote there: somebody else wrote into it, and the last commit is missing here. Throws where the copy cannot be
   * written, or has grown too large: then it is of no use any more.
   */
  follow(): boolean;
  /** False when what was followed is not in the log any more as it was. Reads all of the log. */
  isLogUnchanged(): boolean;
  /** Writes the database, as of the last commit that was followed, into the empty file at `path`. */
  copyInto(path: string): void;
  close(): void;
};

/** Removes the copies that a killed launcher left behind, if the disk allows it. Call this before making the first copy. */
export function removeLiveCopies({ liveCopy }: DataDir): void {
  try {
    rmSync(liveCopy, { recursive: true, force: true });
  } catch {
    // A leftover copy is never read.
  }
}

export class LogOverwritten extends Error {
  override name = "LogOverwritten";
  override message = "The log was overwritten";
}

function hasRoom({ path, database }: DataDir): boolean {
  const { size } = statSync(database);
  const free = freeBytes(path);
  return size <= liveCopyBytesMax && (free === undefined || free >= size + spareBytes);
}

/**
 * Copies the database behind the connection; until then the log must not begin anew. Undefined where there is no room for a copy.
 * Rejects soon once it is not wanted any more, and where the log is not what SQLite wrote.
 */
export async function createLiveCopy(
  dir: DataDir,
  database: DatabaseSync,
  isWanted: () => boolean,
): Promise<LiveCopy | undefined> {
  if (!hasRoom(dir)) return undefined;
  mkdirSync(dir.liveCopy, { recursive: true, mode: 0o700 });
  const path = join(dir.liveCopy, `${Date.now()}.db`);
  const wal = createWalReader(`${dir.database}-wal`, database);
  let copy: LiveCopy | undefined;
  try {
    const progress = () => {
      if (!isWanted()) throw new Error("The copy is not wanted any more");
    };
    await copyPages(database, path, { rate: pagesPerStep, progress });
    progress();
    copy = openLiveCopy(path, wal);
    // What was committed while it was made.
    if (!copy.follow()) throw new LogOverwritten();
    return copy;
  } catch (error) {
    if (copy === undefined) {
      wal.close();
      rmSync(path, { force: true });
    } else copy.close();
    throw error;
  }
}

function openLiveCopy(path: string, wal: ReturnType<typeof createWalReader>): LiveCopy {
  const file = openSync(path, "r+");
  let bytes = statSync(path).size;
  const add = ({ page, at, bytesAfter }: WalFrame) => {
    const isWritten = writeSync(file, page, 0, page.length, at) === page.length;
    if (!isWritten || bytesAfter > liveCopyBytesMax) throw new Error("The live copy could not be kept");
    if (bytesAfter > 0) bytes = bytesAfter;
  };
  return {
    follow: () => wal.readNew(add),
    isLogUnchanged: wal.isUnchanged,
    copyInto(target) {
      const buffer = Buffer.alloc(bytesAtOnce);
      const copy = openSync(target, "r+");
      try {
        for (let at = 0; at < bytes; ) {
          const read = readSync(file, buffer, 0, Math.min(bytesAtOnce, bytes - at), at);
          if (read === 0) throw new Error("The live copy is shorter than the database");
          at += writeSync(copy, buffer, 0, read, at);
        }
        ftruncateSync(copy, bytes);
      } finally {
        closeSync(copy);
      }
    },
    close() {
      closeSync(file);
      wal.close();
      rmSync(path, { force: true });
    },
  };
}
