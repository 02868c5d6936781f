// Disk space of the data directory: detects full and read-only disks, and maintains a reserve file. The reserve is released when
// the disk is full, so that Kit can still record changes that free up space.
import { closeSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { removePatientlySync, renamePatientlySync } from "../renames.ts";

/** A data directory and the reserve file in it. */
type ReserveLocation = { readonly path: string; readonly reserve: string };

/** Enough for SQLite's WAL and index, and for moving 200 clips to the trash. */
const reserveBytes = 1024 * 1024;
/** Size of a test write. Some file systems store a smaller file in its directory entry, where it needs no free space. */
const trialBytes = 64 * 1024;

const noSpace = () => Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
/** Loads the module on first use, because an import would slow down the start of both threads. */
const crypto = () => process.getBuiltinModule("node:crypto");

/** Writes random bytes, which no file system can compress, then keeps the first `keptBytes`. Removes the file if they do not fit. */
function writeBytes(path: string, bytes: number, keptBytes: number): void {
  const file = openSync(path, "w", 0o600);
  try {
    const block = crypto().randomFillSync(Buffer.alloc(trialBytes));
    for (let written = 0; written < bytes; written += trialBytes) {
      if (writeSync(file, block) < block.length) throw noSpace();
    }
    ftruncateSync(file, keptBytes);
    if (keptBytes > 0) fsyncSync(file);
  } catch (error) {
    removePatientlySync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Writes a small test file to the folder. Returns the system's error code, or undefined on success. */
export function probeWrite(folder: string): string | undefined {
  const path = join(folder, `trial-${crypto().randomUUID()}`);
  try {
    writeBytes(path, trialBytes, 0);
    removePatientlySync(path, { force: true });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Free bytes for this user, or undefined if the file system does not report them. */
export function freeBytes(path: string): number | undefined {
  const { bavail, bfree, bsize, blocks } = statfsSync(path);
  // Some of the free space may be reserved for root.
  const isRoot = process.getuid?.() === 0;
  return blocks === 0 ? undefined : (isRoot ? bfree : bavail) * bsize;
}

const hasReserve = ({ reserve }: ReserveLocation) =>
  statSync(reserve, { throwIfNoEntry: false })?.size === reserveBytes;

/**
 * Ensures that the reserve exists and that the same amount of space is free beside it. Throws the file system's error if not.
 * Writes nothing on a nearly full disk, because a game may be about to save.
 */
export function ensureReserve(dir: ReserveLocation): void {
  const free = freeBytes(dir.path) ?? Number.POSITIVE_INFINITY;
  const part = `${dir.reserve}.part`;
  if (hasReserve(dir)) {
    if (free >= reserveBytes) return;
    writeBytes(part, reserveBytes, 0);
    return removePatientlySync(part, { force: true });
  }
  if (free < 2 * reserveBytes) throw noSpace();
  writeBytes(part, 2 * reserveBytes, reserveBytes);
  renamePatientlySync(part, dir.reserve);
}

/** Deletes the reserve. Returns whether there was one. */
export function releaseReserve(dir: ReserveLocation): boolean {
  const isThere = hasReserve(dir);
  removePatientlySync(dir.reserve, { force: true });
  return isThere;
}
