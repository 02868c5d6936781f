// Writes files meant for sharing, such as packages and kit.events.json, with permissions from the user's umask.
import { chmod, writeFile } from "node:fs/promises";
import { sharedFileMode } from "../process/umask.ts";

/** Explains that a file which would be replaced already exists. Rethrows other errors. */
export const explainExistingFile = (path: string, advice: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "EEXIST" ? new Error(`${path} already exists. Move it, or ${advice}.`) : error;
};

/** Writes a new file. Rejects with an error that contains `advice` if the file exists. */
export async function writeSharedFile(
  path: string,
  content: string | Uint8Array,
  umask: number,
  advice: string,
): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch(explainExistingFile(path, advice));
  if (process.platform !== "win32") await chmod(path, sharedFileMode(umask));
}
