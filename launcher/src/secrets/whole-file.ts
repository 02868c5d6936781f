// Files that are there as a whole or not at all, for their owner alone, and stay after a power cut.
import { mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Undefined when there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A new name in a folder is durable with the folder. Windows cannot be asked for that, and does it by itself. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await using folder = await open(path, "r");
  await folder.sync();
}

/** For its owner alone; durable where it is new. */
export async function makeFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await flushFolder(dirname(path));
}

/** Takes the place of what was there in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  // An older part could have another mode, which writing into it would keep.
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
