// Writes files that people pass on, such as packages and kit.events.json. Others may read them if the user's umask allows that.
import { chmod, writeFile } from "node:fs/promises";
import { sharedFileMode } from "../process/umask.ts";

/** Returns a handler that explains that the file already exists, with advice. It throws other errors again. */
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
