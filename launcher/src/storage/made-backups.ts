// Which backups this launcher made: what is in them is noted beside them, so that a copy is known again wherever it was meanwhile.
// A name or a place would say nothing: anybody's file can be given one. The note lies where only its user writes.
import { createHash } from "node:crypto";
import { appendFileSync, createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeWhole } from "./reopening.ts";

/** Lies among the backups, and goes with them. */
export const madeNote = "made-here";
const noteBytesMax = 65_536;
const lineBytes = 65;

export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function noted(folder: string): string[] {
  try {
    return readFileSync(join(folder, madeNote), "utf8").split("\n");
  } catch {
    // None was made yet: every backup is somebody else's.
    return [];
  }
}

/** The oldest are forgotten beyond a thousand. */
export function noteMade(folder: string, digest: string): void {
  const note = join(folder, madeNote);
  appendFileSync(note, `${digest}\n`, { mode: 0o600 });
  if (statSync(note).size <= noteBytesMax) return;
  writeWhole(
    note,
    noted(folder)
      .slice(-noteBytesMax / lineBytes / 2)
      .join("\n"),
  );
}

export const isMadeHere = async (folder: string, path: string): Promise<boolean> =>
  noted(folder).includes(await digestOf(path));
