// A second copy of the open database, updated after each commit. If another program overwrites the database file, Kit restores
// it from this copy. The copy is deleted when the database is closed.

import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { removePatientlySync } from "../../renames.ts";
import { copyAllPages } from "../backup.ts";
import type { DataDir } from "../data-dir.ts";
import { freeBytes } from "../disk-space.ts";
import { createWalReader, type WalFrame } from "./wal-frames.ts";

/** A larger database gets no live copy, because copying it at every start would wear the disk. */
export const liveCopyBytesMax = 256 * 1024 * 1024;
/** Disk space that must remain free beside the copy. */
const spareBytes = 256 * 1024 * 1024;
const pagesPerStep = 100;
const bytesAtOnce = 1024 * 1024;

export type LiveCopy = {
  /**
   * Copies the commits since the last call. Must be called after each commit, while the WAL still contains it. Returns false if
   * another program changed the WAL; the copy then lacks the last commit. Throws if the copy is unusable: not writable or too large.
   */
  applyCommits(): boolean;
  /** Rereads the WAL. Returns false if frames that were already copied have changed. */
  isWalUnchanged(): boolean;
  /** Writes the database as of the last copied commit into the empty file at `path`. */
  copyInto(path: string): void;
  close(): void;
};

/** Removes the copies that a killed launcher left, if possible. Must be called before the first copy is made. */
export function removeLiveCopies({ liveCopy }: DataDir): void {
  try {
    removePatientlySync(liveCopy, { recursive: true, force: true });
  } catch {
    // An old copy is harmless, because it is never read.
  }
}

export class WalOverwritten extends Error {
  override name = "WalOverwritten";
  override message = "The write-ahead log was overwritten";
}

function hasRoom({ path, database }: DataDir): boolean {
  const { size } = statSync(database);
  const free = freeBytes(path);
  return size <= liveCopyBytesMax && (free === undefined || free >= size + spareBytes);
}

/**
 * Creates the copy. SQLite must not restart the WAL meanwhile. Resolves to undefined if there is not enough space. Rejects
 * soon after `isWanted` returns false, and if another program changed the WAL.
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
      if (!isWanted()) throw new Error("The copy is no longer wanted");
    };
    await copyAllPages(database, path, { rate: pagesPerStep, progress });
    progress();
    copy = openLiveCopy(path, wal);
    // Adds commits made during the copy.
    if (!copy.applyCommits()) throw new WalOverwritten();
    return copy;
  } catch (error) {
    if (copy === undefined) {
      wal.close();
      removePatientlySync(path, { force: true });
    } else copy.close();
    throw error;
  }
}

function openLiveCopy(path: string, wal: ReturnType<typeof createWalReader>): LiveCopy {
  const file = openSync(path, "r+");
  let bytes = statSync(path).size;
  const add = ({ page, at, bytesAfter }: WalFrame) => {
    const isWritten = writeSync(file, page, 0, page.length, at) === page.length;
    if (!isWritten || bytesAfter > liveCopyBytesMax) throw new Error("The live copy could not be updated");
    if (bytesAfter > 0) bytes = bytesAfter;
  };
  return {
    applyCommits: () => wal.readNew(add),
    isWalUnchanged: wal.isUnchanged,
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
      removePatientlySync(path, { force: true });
    },
  };
}
