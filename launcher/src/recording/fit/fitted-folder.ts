// Where fitted copies lie: named by who asked for them, bounded, and without anything half done.
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

const bytesMax = 2_000_000_000;
const wholeName = /^[A-Za-z0-9_-]{1,100}\.(mp4|jpg)$/;
const nameGiven = /^[A-Za-z0-9_-]{1,100}$/;

export function createFittedFolder(dir: string, most = bytesMax) {
  const remove = (name: string) => rm(join(dir, name), { force: true, recursive: true }).catch(() => undefined);
  const whole = async () => {
    const names = (await readdir(dir).catch(() => [])).filter((name) => wholeName.test(name));
    const found = await Promise.all(
      names.map(async (name) => ({ name, is: await stat(join(dir, name)).catch(() => undefined) })),
    );
    return found.flatMap(({ name, is }) => (is ? [{ name, bytes: is.size, atMs: is.mtimeMs }] : []));
  };
  return {
    /** Throws when the name could lead anywhere else. */
    pathsOf(name: string, kind: "clip" | "screenshot") {
      if (!nameGiven.test(name)) throw new Error("a fitted file's name is of letters, digits, - and _ only");
      const path = join(dir, `${name}.${kind === "clip" ? "mp4" : "jpg"}`);
      return { path, part: `${path}.part`, log: `${path}.pass` };
    },
    prepare: () => mkdir(dir, { recursive: true, mode: 0o700 }),
    /** At the start: what an ended launcher left half done. */
    async tidy(): Promise<void> {
      const names = await readdir(dir).catch(() => []);
      await Promise.all(names.filter((name) => !wholeName.test(name)).map(remove));
    },
    /** It is of use now: others go first. */
    async touch(path: string): Promise<void> {
      const now = new Date();
      await utimes(path, now, now);
    },
    /** The ones that were of no use for longest go until the rest has its bound. */
    async prune(): Promise<void> {
      const all = (await whole()).toSorted((a, b) => b.atMs - a.atMs);
      let bytes = 0;
      for (const [index, file] of all.entries()) {
        bytes += file.bytes;
        if (bytes > most && index > 0) await remove(file.name);
      }
    },
  };
}
