// Writes files meant for sharing, such as packages and kit.events.json, with permissions from the user's umask.
import { chmod, writeFile } from "node:fs/promises";
import { sharedFileMode } from "../umask.ts";

/** Writes a new file. Rejects with EEXIST if the file exists. */
export async function writeSharedFile(path: string, content: string | Uint8Array, umask: number): Promise<void> {
  await writeFile(path, content, { flag: "wx" });
  if (process.platform !== "win32") await chmod(path, sharedFileMode(umask));
}
