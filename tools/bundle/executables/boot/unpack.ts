// Unpacks the files of an executable into a folder of the user once, and verifies them at each start.
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateFolder } from "../../../../launcher/src/private-folder.ts";
import { renamePatientlySync } from "../../../../launcher/src/renames.ts";

export type PackedFile = {
  /** Path with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly program: boolean;
};

export type Packed = {
  /** Derived from the list of files, so that each version and build has its own folder. */
  readonly id: string;
  readonly files: readonly PackedFile[];
  /** Returns the concatenated bytes of all files. Called only to unpack. */
  readonly contents: () => Uint8Array;
};

const day = 86_400_000;
/** A folder unused for this long belongs to a deleted executable. */
const unusedAfterMs = 60 * day;
const folderName = /^program-[0-9a-f]{32}(\.|$)/;

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Whether all files have their checksums, because cache cleaners delete files and power cuts leave empty ones. */
function isWhole(folder: string, files: readonly PackedFile[]): boolean {
  try {
    return files.every(({ path, bytes, sha256 }) => {
      const content = readFileSync(join(folder, path));
      return content.length === bytes && sha256Of(content) === sha256;
    });
  } catch {
    return false;
  }
}

function writeFiles(folder: string, { files, contents }: Packed): void {
  const all = contents();
  let at = 0;
  mkdirSync(folder, { mode: 0o700 });
  for (const { path, bytes, program } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, all.subarray(at, at + bytes), { mode: program ? 0o700 : 0o600 });
    if (program) chmodSync(file, 0o700);
    at += bytes;
  }
}

/** What cannot be removed, because a program holds it, is removed by a later version. It must not prevent this start. */
function removeIfPossible(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // See above.
  }
}

/** Moves the new folder into place, unless a parallel start already unpacked the same files. */
function putInPlace(fresh: string, folder: string, files: readonly PackedFile[]): void {
  if (isWhole(folder, files)) return;
  const damaged = `${folder}.old-${randomUUID()}`;
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })) renamePatientlySync(folder, damaged);
    renamePatientlySync(fresh, folder);
  } catch (error) {
    if (!isWhole(folder, files)) throw error;
  } finally {
    removeIfPossible(damaged);
  }
}

function removeUnused(cache: string, nowMs: number): void {
  for (const name of readdirSync(cache).filter((each) => folderName.test(each))) {
    const folder = join(cache, name);
    const usedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    if (nowMs - usedMs > unusedAfterMs) removeIfPossible(folder);
  }
}

/** Returns the folder with all files, after unpacking them if necessary. Throws an error with the reason. */
export function unpack(place: string, packed: Packed, nowMs = Date.now()): string {
  const cache = ensurePrivateFolder(place, 1);
  const folder = join(cache, `program-${packed.id}`);
  if (!isWhole(folder, packed.files)) {
    const fresh = `${folder}.new-${randomUUID()}`;
    try {
      writeFiles(fresh, packed);
      if (!isWhole(fresh, packed.files))
        throw new Error("what was unpacked is not what was packed; download Kit again");
      putInPlace(fresh, folder, packed.files);
    } finally {
      removeIfPossible(fresh);
    }
    removeUnused(cache, nowMs);
  }
  utimesSync(folder, nowMs / 1_000, nowMs / 1_000);
  return folder;
}
