// A checksum inside the files that Kit writes for the system, so that Kit never replaces a file that a person changed.
import { createHash } from "node:crypto";

/** Stands for the checksum in a text. */
export const checksumPlaceholder = "{seal}";
const checksumPattern = /sha256 ([0-9a-f]{64})/u;

const checksum = (text: string) => createHash("sha256").update(text).digest("hex");

export const withChecksum = (text: string): string => text.replace(checksumPlaceholder, `sha256 ${checksum(text)}`);

/** Returns true if some version of Kit wrote the text and nobody changed it. */
export function hasValidChecksum(text: string): boolean {
  const sum = checksumPattern.exec(text)?.[1];
  return sum !== undefined && checksum(text.replace(checksumPattern, checksumPlaceholder)) === sum;
}
