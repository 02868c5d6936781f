// Of `kit doctor`: whether anybody but the user can read what Kit keeps, wherever the clips lie.
import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { getUsage } from "@kit/contract";
import type { Config } from "../config.ts";
import { readSecret } from "../secret.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { bad, type Check, good } from "./check.ts";
import { connect, Unreachable } from "./connection.ts";

/** What Kit puts into the clips folder: folders of its own, unfinished files, and clips, which begin with their time. */
const ownNames = /^\.(media|bin|aside)$|\.part$|^\d{4}-\d\d-\d\d \d\d-\d\d-\d\d /;
const namedMax = 3;

const isOpen = (path: string) => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
};

/** A running launcher knows where it was told to keep clips. */
async function clipsFolderOf(config: Config): Promise<string> {
  try {
    const { client } = await connect(config);
    return (await client.call(getUsage)).clipsDir;
  } catch (error) {
    if (error instanceof Unreachable) return config.clipsDir;
    throw error;
  }
}

function openClipsIn(folder: string): string[] {
  // Nobody else gets into it, whatever modes the files have.
  if (!existsSync(folder) || !isOpen(folder)) return [];
  return readdirSync(folder)
    .filter((name) => ownNames.test(name))
    .map((name) => join(folder, name))
    .filter(isOpen);
}

export async function checkPermissions(config: Config, dir: DataDir): Promise<Check> {
  if (!existsSync(dir.path)) return good("permissions", `${dir.path} does not exist yet; Kit will create it`);
  try {
    accessSync(dir.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return bad("permissions", `${dir.path} cannot be written`, "Make it yours, or start with another --data-dir.");
  }
  const clipsDir = await clipsFolderOf(config);
  const inside = relative(dir.path, clipsDir);
  const isElsewhere = inside.startsWith("..") || isAbsolute(inside);
  const open =
    process.platform === "win32"
      ? []
      : [...[dir.path, dir.secret, dir.database].filter(isOpen), ...(isElsewhere ? openClipsIn(clipsDir) : [])];
  if (open.length > 0) {
    const more = open.length > namedMax ? ` and ${open.length - namedMax} more` : "";
    const words = open.map((path) => `'${path.replaceAll("'", "'\\''")}'`).join(" ");
    return bad(
      "permissions",
      `other users can read ${open.slice(0, namedMax).join(", ")}${more}`,
      `chmod go-rwx ${words}`,
    );
  }
  if (existsSync(dir.secret) && readSecret(dir.secret) === undefined) {
    return bad("permissions", `${dir.secret} holds no secret`, "Delete the file; Kit makes a new one.");
  }
  return good("permissions", `only you can read ${dir.path}${isElsewhere ? ` and the clips in ${clipsDir}` : ""}`);
}
