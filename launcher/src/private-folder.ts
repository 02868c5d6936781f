// Where Kit keeps what can be made again, and whether anybody else could put something there. Code is run out of it.
import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";

/** The system's place for what can be made again. The script for macOS has the same in sh. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const { XDG_CACHE_HOME: given = "", LOCALAPPDATA = join(homedir(), "AppData/Local") } = env;
  if (process.platform === "win32") return join(LOCALAPPDATA, "kit/Cache");
  if (process.platform === "darwin") return join(homedir(), "Library/Caches/kit");
  return join(isAbsolute(given) ? given : join(homedir(), ".cache"), "kit");
}

const othersMayWrite = ({ mode }: Stats) => (mode & 0o022) !== 0;
/** Others may add to such a folder, and neither rename nor remove what is not theirs. */
const isSticky = ({ mode }: Stats) => (mode & 0o1000) !== 0;

/**
 * Makes the folder, and what is missing above it, for the user alone. Throws where somebody else could put files there or
 * take the folder's place. Its own last `ownNames` names may not be links; what stands above them may. Returns the path to
 * use, which has no links in it: somebody else may be able to change one.
 */
export function ensurePrivateFolder(folder: string, ownNames: number): string {
  const user = process.getuid?.();
  if (user === undefined) {
    mkdirSync(folder, { recursive: true }); // On Windows a user's own folders are theirs alone from the start.
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
        `others may write to ${own}, or it is no folder of yours; make it yours alone (chmod 700), or remove it`,
      );
  }
  return own;
}
