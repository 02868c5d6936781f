// Unpacks what an executable carries into a folder of its user's, once, and finds out at each start whether it is still whole.
import { createHash, randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrivateFolder } from "../../../../launcher/src/private-folder.ts";

export type PackedFile = {
  /** With slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly program: boolean;
};

export type Packed = {
  /** Made from the list of files, so that another version or build never meets this one's folder. */
  readonly id: string;
  readonly files: readonly PackedFile[];
  /** The bytes of all files, one after the other; asked for only when something has to be unpacked. */
  readonly contents: () => Uint8Array;
};

const day = 86_400_000;
/** What no start asked for in so long belongs to an executable that is gone. */
const unusedAfterMs = 60 * day;
const folderName = /^program-[0-9a-f]{32}(\.|$)/;

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Every file is there with its checksum: cache cleaners take single files, and a power cut leaves empty ones. */
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

/** Puts the fresh folder in its place. Another start may have been first: what it unpacked is as good as ours, and it runs from there. */
function putInPlace(fresh: string, folder: string, files: readonly PackedFile[]): void {
  if (isWhole(folder, files)) return;
  const damaged = `${folder}.old-${randomUUID()}`;
  try {
    if (lstatSync(folder, { throwIfNoEntry: false })) renameSync(folder, damaged);
    renameSync(fresh, folder);
  } catch (error) {
    if (!isWhole(folder, files)) throw error;
  } finally {
    rmSync(damaged, { recursive: true, force: true });
  }
}

function removeUnused(cache: string, nowMs: number): void {
  for (const name of readdirSync(cache).filter((each) => folderName.test(each))) {
    const folder = join(cache, name);
    const usedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    // One that cannot be removed is still in use, or is tried again with the next version.
    if (nowMs - usedMs > unusedAfterMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** The folder with every file in it. Throws when it cannot be made; says why. */
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
      rmSync(fresh, { recursive: true, force: true });
    }
    removeUnused(cache, nowMs);
  }
  utimesSync(folder, nowMs / 1_000, nowMs / 1_000);
  return folder;
}
