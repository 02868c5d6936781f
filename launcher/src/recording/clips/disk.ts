// How much room the disk of the clips has, and how much of it is never taken.
import { statfs } from "node:fs/promises";

/** There is no room to keep another clip; the message says how little there is, for a person. */
export class DiskNearlyFull extends Error {
  override name = "DiskNearlyFull";
}

export type Disk = { readonly freeBytes: number; readonly totalBytes: number };

const floorBytesMax = 2_000_000_000;
const floorShare = 0.05;

export async function diskOf(dir: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** What stays free for the game and the system: 2 GB, or a twentieth of a small disk. */
export const floorOf = ({ totalBytes }: Disk): number => Math.min(floorBytesMax, Math.floor(totalBytes * floorShare));

export function sizeInWords(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
