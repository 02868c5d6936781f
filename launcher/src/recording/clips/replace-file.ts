// Gives a written file its final name: durable, never over a stranger's file, patient where another program holds it open.
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { nthName } from "./file-name.ts";

/** The file that is to be replaced is held open by another program; it stays as it was. */
export class FileInUse extends Error {
  override name = "FileInUse";
}

type Rename = (from: string, to: string) => Promise<void>;

const triesMax = 10;
const tryAgainMs = 150;
/** More clips than this of one second and event are not named apart. */
const nameTriesMax = 1_000;

export const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;
const isHeldOpen = (error: unknown) => ["EBUSY", "EACCES", "EPERM"].includes(codeOf(error) ?? "");

/** Its bytes are on stable storage when this resolves. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name outlives a power cut only when its folder was written too. Windows has no such call, and needs none. */
async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Takes the place of what is there. Throws FileInUse when that is held open for longer than a second or two. */
export async function renameOver(from: string, to: string, renameFile: Rename = rename): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await renameFile(from, to);
      return await syncFolderOf(to);
    } catch (error) {
      if (!isHeldOpen(error)) throw error;
      if (attempt === triesMax) throw new FileInUse("another program holds the file open", { cause: error });
      await pause(tryAgainMs);
    }
  }
}

/** Makes an empty file at the first free name of that base in `dir` and says which: nothing that is not ours is written over. */
export async function reserveName(dir: string, base: string, extension: string): Promise<string> {
  for (let nth = 1; nth <= nameTriesMax; nth += 1) {
    const name = nthName(base, extension, nth);
    try {
      await (await open(join(dir, name), "wx")).close();
      return name;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  throw new Error("there are too many files of that name");
}

/** Moves it to the first free name of that base in `dir`, and says which. */
export async function renameToFree(from: string, dir: string, base: string, extension: string): Promise<string> {
  const name = await reserveName(dir, base, extension);
  try {
    await renameOver(from, join(dir, name));
    return name;
  } catch (error) {
    await rm(join(dir, name), { force: true });
    throw error;
  }
}
