// `kit doctor`'s check that only the user can read Kit's files, including a clips folder elsewhere.
import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { getUsage } from "@kit/contract";
import type { Config } from "../config.ts";
import { readSecret } from "../secret.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { type Check, failed, passed } from "./check.ts";
import { connect, Unreachable } from "./connection.ts";

/** Matches Kit's own names in the clips folder: its folders, unfinished files, and clips, which begin with a timestamp. */
const ownNames = /^\.(media|bin|aside)$|\.part$|^\d{4}-\d\d-\d\d \d\d-\d\d-\d\d /;
const listedMax = 3;

const isReadableByOthers = (path: string) => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
};

/** Asks the running launcher, which may have been started with another --clips-dir. */
async function findClipsFolder(config: Config): Promise<string> {
  try {
    const { client } = await connect(config);
    return (await client.call(getUsage)).clipsDir;
  } catch (error) {
    if (error instanceof Unreachable) return config.clipsDir;
    throw error;
  }
}

function clipFilesReadableByOthers(folder: string): string[] {
  // If the folder itself is private, the modes of its files do not matter.
  if (!existsSync(folder) || !isReadableByOthers(folder)) return [];
  return readdirSync(folder)
    .filter((name) => ownNames.test(name))
    .map((name) => join(folder, name))
    .filter(isReadableByOthers);
}

export async function checkPermissions(config: Config, dir: DataDir): Promise<Check> {
  if (!existsSync(dir.path)) return passed("permissions", `${dir.path} does not exist yet; Kit will create it`);
  try {
    accessSync(dir.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return failed(
      "permissions",
      `${dir.path} cannot be written`,
      "Change its owner, or start with another --data-dir.",
    );
  }
  const clipsDir = await findClipsFolder(config);
  const inside = relative(dir.path, clipsDir);
  const isElsewhere = inside.startsWith("..") || isAbsolute(inside);
  const open =
    process.platform === "win32"
      ? []
      : [
          ...[dir.path, dir.secret, dir.database].filter(isReadableByOthers),
          ...(isElsewhere ? clipFilesReadableByOthers(clipsDir) : []),
        ];
  if (open.length > 0) {
    const more = open.length > listedMax ? ` and ${open.length - listedMax} more` : "";
    const words = open.map((path) => `'${path.replaceAll("'", "'\\''")}'`).join(" ");
    return failed(
      "permissions",
      `other users can read ${open.slice(0, listedMax).join(", ")}${more}`,
      `chmod go-rwx ${words}`,
    );
  }
  if (existsSync(dir.secret) && readSecret(dir.secret) === undefined) {
    return failed("permissions", `${dir.secret} contains no secret`, "Delete the file; Kit makes a new one.");
  }
  return passed("permissions", `only you can read ${dir.path}${isElsewhere ? ` and the clips in ${clipsDir}` : ""}`);
}
