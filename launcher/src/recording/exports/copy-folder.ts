// The folder of the copies. Its size is limited, and the copies that were not used for longest are deleted first.

import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { ExportFormat } from "@kit/contract";

const folderBytesMax = 2_000_000_000;
const copyFileName = /^[A-Za-z0-9_-]{1,100}\.(mp4|jpg|gif|webp)$/;
const validName = /^[A-Za-z0-9_-]{1,100}$/;

export type FileKind = ExportFormat | "jpg";
export const mimeTypes = { mp4: "video/mp4", jpg: "image/jpeg", gif: "image/gif", webp: "image/webp" } as const;

export type CopyPaths = { readonly path: string; readonly part: string; readonly log: string };

export function openCopyFolder(dir: string, bytesMax = folderBytesMax) {
  const remove = (name: string) => rm(join(dir, name), { force: true, recursive: true }).catch(() => undefined);
  const listCopies = async () => {
    const names = (await readdir(dir).catch(() => [])).filter((name) => copyFileName.test(name));
    const found = await Promise.all(
      names.map(async (name) => ({ name, stats: await stat(join(dir, name)).catch(() => undefined) })),
    );
    return found.flatMap(({ name, stats }) => (stats ? [{ name, bytes: stats.size, atMs: stats.mtimeMs }] : []));
  };
  return {
    /** Throws if the name could lead out of the folder. */
    pathsFor(name: string, extension: FileKind): CopyPaths {
      if (!validName.test(name)) throw new Error("a fitted file's name is of letters, digits, - and _ only");
      const path = join(dir, `${name}.${extension}`);
      return { path, part: `${path}.part`, log: `${path}.pass` };
    },
    create: () => mkdir(dir, { recursive: true, mode: 0o700 }),
    async removeUnfinished(): Promise<void> {
      const names = await readdir(dir).catch(() => []);
      await Promise.all(names.filter((name) => !copyFileName.test(name)).map(remove));
    },
    /** Notes that a copy was used just now, so that others are deleted before it. */
    async touch(path: string): Promise<void> {
      const now = new Date();
      await utimes(path, now, now);
    },
    /** Deletes the least recently used copies beyond the maximum size, but never the last one. */
    async prune(): Promise<void> {
      const copies = (await listCopies()).toSorted((a, b) => b.atMs - a.atMs);
      let bytes = 0;
      for (const [index, copy] of copies.entries()) {
        bytes += copy.bytes;
        if (bytes > bytesMax && index > 0) await remove(copy.name);
      }
    },
  };
}
