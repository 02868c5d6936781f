// The cache folder, and a check that no other user can write to it, because Kit runs code from it.
import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";

/** Returns the folder for caches on this system. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const { XDG_CACHE_HOME: given = "", LOCALAPPDATA = join(homedir(), "AppData/Local") } = env;
  if (process.platform === "win32") return join(LOCALAPPDATA, "kit/Cache");
  if (process.platform === "darwin") return join(homedir(), "Library/Caches/kit");
  return join(isAbsolute(given) ? given : join(homedir(), ".cache"), "kit");
}

const othersMayWrite = ({ mode }: Stats) => (mode & 0o022) !== 0;
/** In a sticky folder, users cannot rename or remove files of other users. */
const isSticky = ({ mode }: Stats) => (mode & 0o1000) !== 0;

/**
 * Creates the folder and its missing parents for the user alone. Throws if another user could add files or replace the folder.
 * The last `ownNames` parts of the path must not be links; the parts above may be. Returns the path without links, because
 * another user might be able to change a link.
 */
export function ensurePrivateFolder(folder: string, ownNames: number): string {
  const user = process.getuid?.();
  if (user === undefined) {
    mkdirSync(folder, { recursive: true }); // On Windows, a user's folders are private by default.
    return folder;
  }
  const names: string[] = [];
  let above = folder;
  while (names.length < ownNames || lstatSync(above, { throwIfNoEntry: false }) === undefined) {
    names.unshift(basename(above));
    above = dirname(above);
  }
  above = realpathSync(above);
  for (let at = above; ; at = dirname(at)) {
    const found = lstatSync(at);
    const isSafe = (found.uid === user || found.uid === 0) && (!othersMayWrite(found) || isSticky(found));
    if (!isSafe || !found.isDirectory()) throw new Error(`others may change ${at}`);
    if (at === dirname(at)) break;
  }
  let own = above;
  for (const name of names) {
    own = join(own, name);
    if (lstatSync(own, { throwIfNoEntry: false }) === undefined) mkdirSync(own, { recursive: true, mode: 0o700 });
    const found = lstatSync(own);
    if (!found.isDirectory() || found.uid !== user || othersMayWrite(found))
      throw new Error(
        `others may write to ${own}, or it is not your folder; make it private (chmod 700), or remove it`,
      );
  }
  return own;
}
