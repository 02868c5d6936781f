// Cuts a clip out of a replay that OBS saved. Loaded on demand, because it imports the MP4 code.
import type { CutRequest, Footage } from "../capture/backend.ts";
import { writeClipFile } from "../capture/thread/cutter.ts";
import { assemble } from "../mp4/assemble.ts";
import { prependEarlier } from "./join.ts";
import { type Replay, readReplay } from "./replay-file.ts";
import type { ReplaySave } from "./save.ts";

/** Footage to read before the range: the longest group of pictures with OBS's default settings. */
const leadMs = 11_000;

export type CutReplay = {
  readonly ffmpeg: { readonly path: string };
  readonly order: CutRequest;
  /** The save requested after the end of the range. */
  readonly save: ReplaySave;
  /** Earlier saves that may contain the start of the range, oldest first. */
  readonly earlier: readonly ReplaySave[];
};

/** Rejects with NoFootage, or with what the file system throws. */
export async function cutReplay({ ffmpeg, order, save, earlier }: CutReplay): Promise<Footage> {
  const read = ({ path, askedMs }: ReplaySave) =>
    readReplay(ffmpeg, { path, askedMs, spanMs: askedMs - order.fromMs + leadMs });
  let replay = await read(save);
  for (const older of earlier.toReversed()) {
    const beginMs = beginOf(replay);
    if (beginMs <= order.fromMs || older.askedMs < beginMs) break;
    // If the earlier file is gone, the clip starts later.
    const before = await read(older).catch(() => undefined);
    if (before !== undefined) replay = prependEarlier(replay, before);
  }
  const { parts, footage } = assemble(replay.fragments, { ...order, offsetMs: replay.offsetMs });
  await writeClipFile(order.file, parts);
  return footage;
}

function beginOf({ fragments, offsetMs }: Replay): number {
  return (fragments[0]?.startMs ?? Number.POSITIVE_INFINITY) + offsetMs;
}
