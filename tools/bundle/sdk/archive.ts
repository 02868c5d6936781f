// Archives that depend on nothing but their files: the same files give the same bytes, on every machine and every day.
import { gzipSync, zipSync } from "fflate";
import { packTar } from "modern-tar";

/** Contents by path; a path has slashes and no leading one. */
export type Files = ReadonlyMap<string, Uint8Array>;

// Compressed by JavaScript: two builds of zlib may differ in the bytes they write.
const level = 9;
/** A zip holds the clock's own time without its zone, so this is made from the clock's parts. */
const zippedAt = () => new Date(1980, 0, 1, 12);
const tarredAt = new Date("1980-01-01T12:00:00Z");

const inOrder = (files: Files) => [...files].sort(([a], [b]) => (a < b ? -1 : 1));

export function zipOf(files: Files): Uint8Array {
  return zipSync(Object.fromEntries(inOrder(files)), { level, mtime: zippedAt() });
}

/** As npm packs: everything below `package/`. */
export async function npmPackageOf(files: Files): Promise<Uint8Array> {
  const entries = inOrder(files).map(([path, body]) => ({
    header: { name: `package/${path}`, size: body.length, mode: 0o644, mtime: tarredAt, uid: 0, gid: 0 },
    body,
  }));
  return gzipSync(await packTar(entries), { level, mtime: 0 });
}
