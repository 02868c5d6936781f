// An entry that is a file, and links to it where the system wants them.
import { lstat, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Entry, type Found, nothingFound } from "./entry.ts";
import { isSealed } from "./seal.ts";

export type FileEntry = {
  readonly by: Entry["by"];
  readonly path: string;
  readonly text: string;
  /** The one that is made; without any the file alone is enough. */
  readonly link?: string;
  /** Others that count as well: an earlier start may have made them. */
  readonly otherLinks?: readonly string[];
  /** Tells the system that its files changed. Never rejects. */
  readonly tell?: () => Promise<void>;
};

const missing = (error: NodeJS.ErrnoException) => {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
};

/** What the file says; `null` where it is no file of its own, such as a link into somebody's collection of settings. */
async function textIn(path: string): Promise<string | null | undefined> {
  const stat = await lstat(path).catch(missing);
  if (stat === undefined) return undefined;
  return stat.isFile() ? readFile(path, "utf8") : null;
}

async function leadsTo(link: string, path: string): Promise<boolean> {
  const target = await readlink(link).catch(() => undefined);
  return target !== undefined && resolve(dirname(link), target) === path;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.kit-new`;
  await mkdir(dirname(path), { recursive: true });
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { flag: "wx" });
  await rename(fresh, path);
}

async function makeLink(link: string, path: string): Promise<void> {
  if (await leadsTo(link, path)) return;
  await mkdir(dirname(link), { recursive: true });
  await symlink(path, link);
}

export function fileEntry({ by, path, text, link, otherLinks = [], tell = async () => undefined }: FileEntry): Entry {
  const links = link === undefined ? [] : [link, ...otherLinks];
  const ownLinks = async () => {
    const own = await Promise.all(links.map((each) => leadsTo(each, path)));
    return links.filter((_, n) => own[n]);
  };
  const removeLinks = async (kept?: string) => {
    for (const each of await ownLinks()) if (each !== kept) await rm(each);
  };
  return {
    by,
    place: path,
    async look(): Promise<Found> {
      const there = await textIn(path);
      if (there === undefined) return nothingFound;
      const enabled = link === undefined || (await ownLinks()).length > 0;
      const current = there === text && (link === undefined || (await leadsTo(link, path)));
      return { state: there !== null && isSealed(there) ? "own" : "changed", enabled, current };
    },
    async write() {
      await replaceFile(path, text);
      await removeLinks(link);
      if (link !== undefined) await makeLink(link, path);
      await tell();
    },
    async remove() {
      await removeLinks();
      await rm(path, { force: true });
      await tell();
    },
  };
}
