// A checksum in what Kit writes for the system: what a person changed since is told from what Kit wrote, and left alone.
import { createHash } from "node:crypto";

/** Where a text has its checksum. */
export const sealPlace = "{seal}";
const sealed = /sha256 ([0-9a-f]{64})/u;

const sumOf = (text: string) => createHash("sha256").update(text).digest("hex");

export const seal = (text: string): string => text.replace(sealPlace, `sha256 ${sumOf(text)}`);

/** Whether Kit wrote it, in whichever version, and nobody changed it since. */
export function isSealed(text: string): boolean {
  const sum = sealed.exec(text)?.[1];
  return sum !== undefined && sumOf(text.replace(sealed, sealPlace)) === sum;
}
