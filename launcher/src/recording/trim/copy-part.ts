// Copies a part of a clip into a file of its own: the same pictures, beginning and ending exactly where it is asked.
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Footage } from "../capture/backend.ts";
import { makeSureOfRoom } from "../capture/thread/cutter.ts";
import { type AssembleOrder, planFile } from "../mp4/assemble.ts";
import type { Range } from "../mp4/layout.ts";
import { readMovie } from "../mp4/movie-file.ts";

type CopyPart = {
  readonly source: string;
  readonly part: string;
  /** `offsetMs` is when the clip's first frame was on the screen. */
  readonly order: AssembleOrder;
  readonly signal: AbortSignal;
};

const pieceBytes = 1024 * 1024;

/** Durable when it resolves. Throws BrokenStream, NoFootage, the signal's reason, or what the file system throws. */
export async function copyPart({ source, part, order, signal }: CopyPart): Promise<Footage> {
  await using from = await open(source);
  const { head, layout, footage } = planFile([await readMovie(from)], order);
  await makeSureOfRoom(dirname(part), footage.bytes);
  await using to = await open(part, "w", 0o600);
  await to.writeFile(head);
  for (const range of layout.ranges) await copy(from, to, range, signal);
  const { size } = await to.stat();
  if (size !== footage.bytes) throw new Error(`${size} of ${footage.bytes} bytes were written`);
  await to.sync();
  return footage;
}

/** A piece at a time: a clip may be larger than what a game leaves of the memory. */
async function copy(from: FileHandle, to: FileHandle, { at, end }: Range, signal: AbortSignal): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
  for (let place = at; place < end; ) {
    signal.throwIfAborted();
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, end - place), place);
    if (bytesRead === 0) throw new Error("the clip's file ends before its last picture");
    await to.writeFile(piece.subarray(0, bytesRead));
    place += bytesRead;
  }
}
