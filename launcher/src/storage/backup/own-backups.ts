// Stores the checksums of the backups that this launcher made, to recognise them and their copies later. The name and the folder
// of a file prove nothing, because anyone can put a file there.
import { createHash } from "node:crypto";
import { appendFileSync, createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeFileAtomically } from "../data-swap.ts";

/** Name of the file with the checksums, in the backups folder. */
export const ownBackupsFile = "made-here";
const noteBytesMax = 65_536;
const lineBytes = 65;

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function readDigests(folder: string): string[] {
  try {
    return readFileSync(join(folder, ownBackupsFile), "utf8").split("\n");
  } catch {
    // The file is missing until this launcher has made a backup.
    return [];
  }
}

/** Adds a checksum. At about a thousand, drops the older half. */
export function recordOwnBackup(folder: string, digest: string): void {
  const note = join(folder, ownBackupsFile);
  appendFileSync(note, `${digest}\n`, { mode: 0o600 });
  if (statSync(note).size <= noteBytesMax) return;
  writeFileAtomically(
    note,
    readDigests(folder)
      .slice(-noteBytesMax / lineBytes / 2)
      .join("\n"),
  );
}

export const isOwnBackup = async (folder: string, path: string): Promise<boolean> =>
  readDigests(folder).includes(await sha256OfFile(path));
