// The cache of engines: a folder of the user with one folder for each engine and recipe, which all checkouts share.
import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ensurePrivateFolder } from "../../launcher/src/private-folder.ts";
import { whileLocked } from "./lock.ts";
import { say, timed } from "./progress.ts";

export type Recipe = {
  /** Beginning of the folder's name. */
  readonly name: string;
  readonly title: string;
  /** Where it comes from and its size, e.g. "npm, about 50 MB". */
  readonly from: string;
  /** Everything that decides what is installed, as JSON. */
  readonly parts: unknown;
  /** Absolute paths of files that decide it too. */
  readonly files?: readonly string[];
  /** Paths in the installed folder. If one is missing, the engine is installed again. */
  readonly holds: readonly string[];
  /** Where it can be installed. Everywhere if it is undefined. */
  readonly on?: { readonly what: string; readonly isHere: () => boolean };
};

const dayMs = 86_400_000;
const unusedAfterMs = 60 * dayMs;
const stampName = "complete";

/** Whether the folder can be created or written to, below `base`, which must exist. */
function isWritable(base: string, folder: string): boolean {
  try {
    let existing = folder;
    while (existing !== base && !existsSync(existing)) existing = dirname(existing);
    accessSync(existing, constants.W_OK);
    return isAbsolute(base) && statSync(existing).isDirectory();
  } catch {
    return false;
  }
}

/** In some containers, the user has no name and no home. */
function known(ask: () => string): string | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** Returns the folder for engines: the named one, one in the user's caches, or a private one in the temporary folder. */
export function chooseFolder(env: NodeJS.ProcessEnv, home = known(homedir) ?? "", temporary = tmpdir()): string {
  if (env.KIT_ENGINES_DIR) return resolve(env.KIT_ENGINES_DIR);
  const { XDG_CACHE_HOME: given = "", LOCALAPPDATA = join(home, "AppData/Local") } = env;
  const isGiven = process.platform === "linux" && isAbsolute(given);
  const usual = { win32: LOCALAPPDATA, darwin: join(home, "Library/Caches") }[process.platform as string];
  const folder = join(isGiven ? given : (usual ?? join(home, ".cache")), "kit-engines");
  const base = isGiven ? dirname(given) : home;
  if (isWritable(base, folder)) return folder;
  // Another user could have created it with programs of their own, so it is checked before each use.
  const user = known(() => userInfo().username) ?? process.getuid?.();
  return ensurePrivateFolder(join(temporary, `kit-engines-${user}`), 1);
}

export const enginesDir = chooseFolder(process.env);

/** The folder of a recipe. It holds the stamp, and a folder for each attempt to install. */
export function folderOf({ name, parts, files = [] }: Recipe): string {
  const hash = createHash("sha256").update(JSON.stringify([process.platform, process.arch, parts]));
  for (const file of files) hash.update("\n").update(readFileSync(file));
  return join(enginesDir, `${name}-${hash.digest("hex").slice(0, 12)}`);
}

const lockOf = (name: string) => join(enginesDir, "locks", name);

function markUsed(stamp: string): void {
  const nowMs = Date.now();
  if (nowMs - statSync(stamp).mtimeMs > dayMs) utimesSync(stamp, nowMs / 1_000, nowMs / 1_000);
}

/** Returns the folder of the installed engine, and marks it as used. Returns undefined if it is not installed. */
export function installed(recipe: Recipe): string | undefined {
  const folder = folderOf(recipe);
  const stamp = join(folder, stampName);
  try {
    const place = readFileSync(stamp, "utf8");
    // Programs contain their path, so a moved cache does not count.
    if (dirname(place) !== folder || !recipe.holds.every((path) => existsSync(join(place, path)))) return undefined;
    markUsed(stamp);
    return place;
  } catch {
    return undefined;
  }
}

/** Makes the engine count as not installed. */
export const discard = (recipe: Recipe): void => rmSync(join(folderOf(recipe), stampName), { force: true });

/** A process that outlived its installer may still write there. What stays is removed later. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // See above.
  }
}

async function installNew(recipe: Recipe, work: Work): Promise<string> {
  const folder = folderOf(recipe);
  discard(recipe);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) removeIfPossible(join(folder, name));
  // A new name for each attempt: what a killed one left running cannot write into a later one.
  const place = join(folder, randomUUID().slice(0, 8));
  try {
    mkdirSync(place);
    await work(place);
    const missing = recipe.holds.filter((path) => !existsSync(join(place, path)));
    if (missing.length > 0) throw new Error(`it came without ${missing.join(", ")}`);
    const draft = join(folder, `${stampName}.new`);
    writeFileSync(draft, place);
    renameSync(draft, join(folder, stampName));
    return place;
  } catch (error) {
    removeIfPossible(place);
    throw error;
  }
}

/** Installs into the folder, which stays where it is. */
export type Work = (place: string) => void | Promise<void>;

/** Returns the folder of the engine, and installs it first if necessary. Throws if that fails. */
export async function install(recipe: Recipe, work: Work): Promise<string> {
  const { name, title, from } = recipe;
  const found = installed(recipe);
  if (found !== undefined) return found;
  const whenFree = async () => {
    const place = installed(recipe);
    if (place !== undefined) return place;
    say(`installing ${title} (from ${from}, once)`);
    const { result, took } = await timed(() => installNew(recipe, work));
    say(`${title} installed in ${took}`);
    return result;
  };
  return whileLocked(lockOf(name), whenFree, () => say(`waiting for another process that installs ${title}`));
}

/** Installs the engine unless it is installed or this computer cannot have it. Says why it is not installed. */
export async function provide(recipe: Recipe, work: Work): Promise<void> {
  const { title, on } = recipe;
  if (on !== undefined && !on.isHere()) return say(`${title} can only be installed on ${on.what}`);
  try {
    await install(recipe, work);
  } catch (error) {
    say(`${title} could not be installed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Removes what no checkout has used for 60 days, e.g. old recipes. */
export async function removeUnused(nowMs = Date.now()): Promise<void> {
  const names = existsSync(enginesDir) ? readdirSync(enginesDir) : [];
  for (const name of names) {
    const engine = /^(.+)-[0-9a-f]{12}$/.exec(name)?.[1];
    if (engine === undefined) continue;
    const folder = join(enginesDir, name);
    const stamp = join(folder, stampName);
    const isUnused = () => {
      const found = statSync(stamp, { throwIfNoEntry: false }) ?? statSync(folder, { throwIfNoEntry: false });
      return found !== undefined && nowMs - found.mtimeMs > unusedAfterMs;
    };
    if (!isUnused()) continue;
    await whileLocked(lockOf(engine), () => {
      if (!isUnused()) return;
      // Without its stamp, nobody uses what is only partly removed.
      rmSync(stamp, { force: true });
      removeIfPossible(folder);
    });
  }
}
