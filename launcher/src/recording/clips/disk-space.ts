// Free space on the disk of the clips, and the minimum that Kit leaves free.
import { statfs } from "node:fs/promises";

/** There is no space for another clip. The message states the free space for a person. */
export class DiskNearlyFull extends Error {
  override name = "DiskNearlyFull";
}

export type Disk = { readonly freeBytes: number; readonly totalBytes: number };

const minFreeBytesMax = 2_000_000_000;
const minFreeShare = 0.05;

export async function readDisk(dir: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Space left free for the game and the system: 2 GB, or 5 % of a small disk. */
export const minFreeBytes = ({ totalBytes }: Disk): number =>
  Math.min(minFreeBytesMax, Math.floor(totalBytes * minFreeShare));

export function formatDiskSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}
