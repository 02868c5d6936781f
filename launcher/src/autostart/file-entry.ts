// An autostart entry in a file, with the links that the system requires.
import { lstat, mkdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type AutostartEntry, type AutostartEntryState, absentEntry } from "./entry.ts";
import { hasValidChecksum } from "./entry-texts.ts";

export type FileEntryOptions = {
  readonly by: AutostartEntry["by"];
  readonly path: string;
  readonly text: string;
  /** The link to create; left out if the system needs only the file. */
  readonly link?: string;
  /** Other links that an earlier Kit may have created. */
  readonly otherLinks?: readonly string[];
  /** Makes the system read its startup files again. Never rejects. */
  readonly reload?: () => Promise<void>;
};

const undefinedIfMissing = (error: NodeJS.ErrnoException) => {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
};

/**
 * Returns the text of the file. Returns undefined if nothing exists at the path, and null for anything but a file, such as a
 * link to shared settings.
 */
async function readText(path: string): Promise<string | null | undefined> {
  const stat = await lstat(path).catch(undefinedIfMissing);
  if (stat === undefined) return undefined;
  return stat.isFile() ? readFile(path, "utf8") : null;
}

async function isLinkTo(link: string, path: string): Promise<boolean> {
  const target = await readlink(link).catch(() => undefined);
  return target !== undefined && resolve(dirname(link), target) === path;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const newPath = `${path}.kit-new`;
  await mkdir(dirname(path), { recursive: true });
  await rm(newPath, { force: true });
  await writeFile(newPath, text, { flag: "wx" });
  await rename(newPath, path);
}

async function createLink(link: string, path: string): Promise<void> {
  if (await isLinkTo(link, path)) return;
  await mkdir(dirname(link), { recursive: true });
  await symlink(path, link);
}

export function createFileEntry({
  by,
  path,
  text,
  link,
  otherLinks = [],
  reload: tell = async () => undefined,
}: FileEntryOptions): AutostartEntry {
  const links = link === undefined ? [] : [link, ...otherLinks];
  const ownLinks = async () => {
    const own = await Promise.all(links.map((each) => isLinkTo(each, path)));
    return links.filter((_, n) => own[n]);
  };
  const removeLinks = async (keptLink?: string) => {
    for (const each of await ownLinks()) if (each !== keptLink) await rm(each);
  };
  return {
    by,
    place: path,
    async readState(): Promise<AutostartEntryState> {
      const existing = await readText(path);
      if (existing === undefined) return absentEntry;
      const enabled = link === undefined || (await ownLinks()).length > 0;
      const current = existing === text && (link === undefined || (await isLinkTo(link, path)));
      return {
        state: existing !== null && hasValidChecksum(existing) ? "own" : "changed",
        isEnabled: enabled,
        isCurrent: current,
      };
    },
    async write() {
      await replaceFile(path, text);
      await removeLinks(link);
      if (link !== undefined) await createLink(link, path);
      await tell();
    },
    async remove() {
      await removeLinks();
      await rm(path, { force: true });
      await tell();
    },
  };
}
