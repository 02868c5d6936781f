// Support: exports clips and makes reels as the launcher does, for measurements.

import { type FittedMedia, type MediaToFit, planEncoding } from "../../src/recording/exports/encode.ts";
import { MediaFitter } from "../../src/recording/exports/media-fitter.ts";

export { openReels } from "../../src/recording/reels/test/reel-rig.ts";
export type { FittedMedia, MediaToFit };

/** `name` must be unused, because an existing file is not made again. */
export function fitClip(
  ffmpeg: string,
  dir: string,
  name: string,
  media: MediaToFit,
  bytesMax: number,
): Promise<FittedMedia> {
  const { fit } = new MediaFitter({ dir, ffmpeg: async () => ({ path: ffmpeg, hasFpsMode: true }) });
  const { signal } = new AbortController();
  return fit(media, { bytesMax }, { name, signal, onProgress: () => undefined });
}

export type Aim = { readonly height: number; readonly videoBits: number; readonly soundBits: number };

/** The size and bit rates that the launcher chooses for such a clip with sound and 30 frames a second. */
export function aimFor({ width, height, seconds, bytes }: MediaToFit, bytesMax: number): Aim {
  const source = { width, height, seconds, bytes, frameRate: 30, hasSound: true };
  return planEncoding(source, { bytesMax }, { fromSeconds: 0, seconds });
}
