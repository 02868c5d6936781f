// Creates reproducible archives: the same files give the same bytes.
import { globSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { gzipSync, zipSync } from "fflate";
import { packTar } from "modern-tar";

/** Contents by path. Paths have forward slashes and no leading slash. */
export type Files = ReadonlyMap<string, Uint8Array>;

// Compressed in JavaScript, because builds of zlib may write different bytes.
const level = 9;
/** A fixed date in local time, because zip files store local times without a zone. */
const zippedAt = () => new Date(1980, 0, 1, 12);
const tarredAt = new Date("1980-01-01T12:00:00Z");

const inOrder = (files: Files) => [...files].sort(([a], [b]) => (a < b ? -1 : 1));

export function zipOf(files: Files): Uint8Array {
  return zipSync(Object.fromEntries(inOrder(files)), { level, mtime: zippedAt() });
}

/** Everybody may run the programs, and read the other files. */
export function tarOf(files: Files, isProgram = (_path: string) => false): Promise<Uint8Array> {
  const entries = inOrder(files).map(([name, body]) => {
    const mode = isProgram(name) ? 0o755 : 0o644;
    return { header: { name, size: body.length, mode, mtime: tarredAt, uid: 0, gid: 0 }, body };
  });
  return packTar(entries);
}

/** Packs files like npm, below `package/`. */
export async function npmPackageOf(files: Files): Promise<Uint8Array> {
  const below = [...files].map(([path, content]): [string, Uint8Array] => [`package/${path}`, content]);
  return gzipSync(await tarOf(new Map(below)), { level, mtime: 0 });
}

/**
 * Files below `folder` that match a pattern, by relative path with `prefix` in front. The patterns say what is allowed, so that stray
 * files are never distributed.
 */
export function readFiles(folder: string, patterns: readonly string[], prefix = ""): Files {
  const paths = globSync(patterns, { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  return new Map(paths.map((path) => [prefix + path.split(sep).join("/"), readFileSync(join(folder, path))]));
}
