// Atomic, durable file operations. Files are readable by their owner only.
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Returns undefined if the file does not exist. */
export async function readFileIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes new names in the folder durable. Windows does that by itself. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Creates the folder durably, readable by its owner only. */
export async function ensureFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await flushFolder(dirname(path));
}

/** Replaces the file in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  // An old partial file could have another mode.
  await rm(part, { force: true });
  await writeFile(part, text, { mode: 0o600, flag: "wx", flush: true });
  await rename(part, path);
  await flushFolder(dirname(path));
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await flushFolder(dirname(path));
}

export async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await flushFolder(dirname(to));
}
