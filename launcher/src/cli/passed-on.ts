// Files that a person passes on: packages for engines, a game's kit.events.json. Others may read them as the user's umask says.
import { chmod, writeFile } from "node:fs/promises";
import { modeByUmask } from "../umask.ts";

/** Writes over nothing. */
export async function writePassedOn(path: string, content: string | Uint8Array, umask: number): Promise<void> {
  await writeFile(path, content, { flag: "wx" });
  if (process.platform !== "win32") await chmod(path, modeByUmask(umask));
}
