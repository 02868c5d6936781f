// Writes files where the user says: always new ones, and under their name only when they are complete.
import { randomUUID } from "node:crypto";
import { link, lstat, open, rm } from "node:fs/promises";
import { sharedFileMode } from "../process/umask.ts";
import { renameWithRetry } from "../renames.ts";

/** Returns a handler that explains that the file already exists, with advice. It throws other errors again. */
const explainExistingFile = (path: string, advice: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "EEXIST" ? new Error(`${path} already exists. Move it, or ${advice}.`) : error;
};

/** Rejects with EEXIST if the name is taken, also by a link to nothing. */
async function assertFree(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined) throw Object.assign(new Error(`${path} exists`), { code: "EEXIST" });
}

/** Gives the file its name, and replaces none. Some file systems, such as exFAT, have no links. */
async function publish(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    await assertFree(path);
    await renameWithRetry(part, path);
  }
}

type NewFile = {
  /** What else the user can do if the file exists. */
  readonly advice: string;
  /** The user's umask, for a file that the user passes on. Other files are private to the user. */
  readonly umask?: number;
};

/**
 * Writes a new file. Rejects with an error that contains `advice` if the name is taken; a source that is a function is not called
 * then. The file is written under a name that nobody can guess and plant a link at.
 */
export async function writeNewFile(
  path: string,
  source: string | Uint8Array | (() => AsyncIterable<Uint8Array>),
  { advice, umask }: NewFile,
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await assertFree(path);
    const file = await open(part, "wx", 0o600);
    try {
      await file.writeFile(typeof source === "function" ? source() : source);
      if (umask !== undefined && process.platform !== "win32") await file.chmod(sharedFileMode(umask));
    } finally {
      await file.close();
    }
    await publish(part, path);
  } catch (error) {
    explainExistingFile(path, advice)(error as NodeJS.ErrnoException);
  } finally {
    await rm(part, { force: true });
  }
}
