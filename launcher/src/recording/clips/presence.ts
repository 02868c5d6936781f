// Whether a clip's file is where its row says, and how large: people and programs move files in the clips folder.
import { rename, stat } from "node:fs/promises";
import type { Clip } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "./clip-files.ts";
import { binNameOf, type KeptClip } from "./clip-row.ts";
import { seen } from "./clip-store.ts";

type Found = { readonly missing: boolean; readonly bytes: number };

async function bytesAt(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

async function look({ clip }: KeptClip): Promise<Found> {
  if (clip.path === null) return { missing: false, bytes: clip.bytes };
  const bytes = await bytesAt(clip.path);
  return { missing: bytes === undefined, bytes: bytes ?? clip.bytes };
}

/**
 * Moves a file out of the bin whose row says that it is not in there: a launcher that ended between the two left it.
 * Never while a clip is being moved.
 */
export async function outOfBin({ clip, file, deletedAtMs }: KeptClip, files: ClipFiles): Promise<void> {
  if (file === null || clip.path === null || deletedAtMs !== null) return;
  const inBin = files.pathOf(binNameOf(clip.id, file));
  if ((await bytesAt(inBin)) !== undefined) await rename(inBin, clip.path).catch(() => undefined);
}

/** The same clips as they are now; what is new about them is written. */
export async function lookedAt(
  kept: readonly KeptClip[],
  write: (...statements: Statement[]) => Promise<void>,
): Promise<{ clips: Clip[]; changed: boolean }> {
  const found = await Promise.all(kept.map(async (one) => ({ ...one, now: await look(one) })));
  const news = found.filter(({ clip, now }) => clip.missing !== now.missing || clip.bytes !== now.bytes);
  if (news.length > 0) await write(...news.map(({ clip, now }) => seen(clip.id, now)));
  return { clips: found.map(({ clip, now }) => ({ ...clip, ...now })), changed: news.length > 0 };
}
