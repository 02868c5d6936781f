// A process that makes a clip fit until it is killed: what a launcher is to its ffmpeg. Run by a test.

import type { Media } from "../encode-plan.ts";
import { MediaFitter } from "../media-fitter.ts";

const [ffmpeg, dir, media] = process.argv.slice(2) as [string, string, string];
const { fit } = new MediaFitter({ dir, ffmpeg: async () => ({ path: ffmpeg, hasFpsMode: true }) });
const { signal } = new AbortController();
let told = false;
const onProgress = (share: number) => {
  if (!told && share > 0.01) process.send?.("makes it fit");
  told ||= share > 0.01;
};
await fit(JSON.parse(media) as Media, { bytesMax: 2_000_000 }, { name: "long", signal, onProgress });
