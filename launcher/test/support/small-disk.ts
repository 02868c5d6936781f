// A small file system that can be filled, for tests that run as root on Linux.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const canMount = process.platform === "linux" && process.getuid?.() === 0;
/** Why a test was skipped that got no small disk. */
export const notMounted = "not run: only root can mount a small disk, on Linux";
const mount = (...words: string[]) => spawnSync("mount", words, { encoding: "utf8" });

/** Mounts a file system with that many MiB; undefined if that is impossible. */
export function smallDisk(mebibytes: number): (Disposable & { readonly path: string }) | undefined {
  if (!canMount) return undefined;
  const path = mkdtempSync(join(tmpdir(), "kit-disk-"));
  if (mount("-t", "tmpfs", "-o", `size=${mebibytes}m`, "kit-test", path).status !== 0) return undefined;
  return {
    path,
    [Symbol.dispose]() {
      spawnSync("umount", ["-l", path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Fills a disk to the last byte. The returned function frees the space. */
export function fill(folder: string): () => void {
  const ballast = join(folder, "ballast");
  const descriptor = openSync(ballast, "w");
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) if (writeSync(descriptor, Buffer.alloc(size)) < size) break;
    } catch {
      // No space for a write of this size.
    }
  }
  closeSync(descriptor);
  return () => rmSync(ballast);
}

/** Makes a disk read-only. The returned function makes it writable again. */
export function readOnly(path: string): () => void {
  const remount = (how: "ro" | "rw") => {
    const { status, stderr } = mount("-o", `remount,${how}`, path);
    if (status !== 0) throw new Error(`${path} could not be remounted: ${stderr}`);
  };
  remount("ro");
  return () => remount("rw");
}
