// Copies the frames of a range of a clip into a new file, which starts and ends exactly at the requested times.

import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { assertDiskSpace } from "../capture/thread/cutter.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import { planMovie } from "../mp4/assemble.ts";
import type { MediaRange } from "../mp4/movie.ts";
import { readMovie } from "../mp4/movie-file.ts";
import type { Footage } from "../plans/footage.ts";
import type { ClipPlan } from "../plans/plan.ts";

const pieceBytes = 1024 * 1024;

/** Resolves when the file is durable. Throws BrokenStream, NoFootage, the signal's reason, or a file system error. */
export async function copyTrim(
  source: StoredClip,
  plan: ClipPlan,
  part: string,
  signal: AbortSignal,
): Promise<Footage> {
  await using from = await open(String(source.clip.path));
  const { head, layout, footage } = planMovie([await readMovie(from)], plan, source.fromMs);
  await assertDiskSpace(dirname(part), footage.bytes);
  await using to = await open(part, "w", 0o600);
  await to.writeFile(head);
  for (const range of layout.ranges) await copy(from, to, range, signal);
  const { size } = await to.stat();
  if (size !== footage.bytes)
    throw new MessageError(message("file.partly_written", { written: size, bytes: footage.bytes }));
  await to.sync();
  return footage;
}

/** Copies in small chunks, because a clip may be larger than the free memory beside a game. */
async function copy(from: FileHandle, to: FileHandle, { at, end }: MediaRange, signal: AbortSignal): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
  for (let place = at; place < end; ) {
    signal.throwIfAborted();
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, end - place), place);
    if (bytesRead === 0) throw new MessageError(message("file.ends_early"));
    await to.writeFile(piece.subarray(0, bytesRead));
    place += bytesRead;
  }
}
