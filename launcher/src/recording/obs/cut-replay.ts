// Makes a clip of what OBS saved. Loaded with the first one: until then nobody needs what reads and writes films.
import type { CutOrder, Footage } from "../capture/backend.ts";
import { writeWhole } from "../capture/thread/cutter.ts";
import { assemble } from "../mp4/assemble.ts";
import { withEarlier } from "./join.ts";
import { type Replay, readReplay } from "./replay-file.ts";
import type { ReplaySave } from "./save.ts";

/** Of the file before the window: a group of pictures as long as OBS makes them by itself. */
const leadMs = 11_000;

export type CutReplay = {
  readonly ffmpeg: { readonly path: string };
  readonly order: CutOrder;
  /** The save that was asked for after the window's end. */
  readonly save: ReplaySave;
  /** Those before it that may hold what it does not, oldest first. */
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
    // The clip is what there is when a person has moved that file away meanwhile.
    const before = await read(older).catch(() => undefined);
    if (before !== undefined) replay = withEarlier(replay, before);
  }
  const { parts, footage } = assemble(replay.fragments, { ...order, offsetMs: replay.offsetMs });
  await writeWhole(order.file, parts);
  return footage;
}

function beginOf({ fragments, offsetMs }: Replay): number {
  return (fragments[0]?.startMs ?? Number.POSITIVE_INFINITY) + offsetMs;
}
