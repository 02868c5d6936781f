// Room on the disk of the data directory: what a full or read-only disk is told by, and a reserve that is given up once the disk
// is full, so that what frees space can still be written down.
import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** A data directory, and its reserve in it. */
type Place = { readonly path: string; readonly reserve: string };

/** Enough for SQLite's index and log, and for two hundred clips to be put into the bin. */
const reserveBytes = 1024 * 1024;
/** More than any file system puts into a directory's entry. */
const trialBytes = 64 * 1024;

const noSpace = () => Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
/** Fetched at the first use: as an import it would slow the start of both threads. */
const crypto = () => process.getBuiltinModule("node:crypto");

/** Writes random bytes, which no file system stores in less; the file is gone again when they do not fit. */
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
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** What a small file in the folder meets, as the system's code; undefined when it could be written. */
export function trialIn(folder: string): string | undefined {
  const path = join(folder, `trial-${crypto().randomUUID()}`);
  try {
    writeBytes(path, trialBytes, 0);
    rmSync(path, { force: true });
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** Undefined where the file system does not tell. */
export function freeBytes(path: string): number | undefined {
  const { bavail, bfree, bsize, blocks } = statfsSync(path);
  // Some of what is free is root's only.
  const isRoot = process.getuid?.() === 0;
  return blocks === 0 ? undefined : (isRoot ? bfree : bavail) * bsize;
}

const hasReserve = ({ reserve }: Place) => statSync(reserve, { throwIfNoEntry: false })?.size === reserveBytes;

/**
 * Makes sure that the reserve is there, and as much room again beside it; throws what the file system throws where there is not.
 * On a disk that is nearly full nothing is tried: a game may be about to save.
 */
export function takeReserve(dir: Place): void {
  const free = freeBytes(dir.path) ?? Number.POSITIVE_INFINITY;
  const part = `${dir.reserve}.part`;
  if (hasReserve(dir)) {
    if (free >= reserveBytes) return;
    writeBytes(part, reserveBytes, 0);
    return rmSync(part, { force: true });
  }
  if (free < 2 * reserveBytes) throw noSpace();
  writeBytes(part, 2 * reserveBytes, reserveBytes);
  renameSync(part, dir.reserve);
}

/** True when there was one. */
export function giveUpReserve(dir: Place): boolean {
  const isThere = hasReserve(dir);
  rmSync(dir.reserve, { force: true });
  return isThere;
}
