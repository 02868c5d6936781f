// Support: a process that encodes a clip until it is killed, like a launcher. A test starts it.

import type { MediaToFit } from "../encode.ts";
import { MediaFitter } from "../media-fitter.ts";

const [ffmpeg, dir, media] = process.argv.slice(2) as [string, string, string];
const { fit } = new MediaFitter({ dir, ffmpeg: async () => ({ path: ffmpeg, hasFpsMode: true }) });
const { signal } = new AbortController();
let reported = false;
const onProgress = (share: number) => {
  if (!reported && share > 0.01) process.send?.("makes it fit");
  reported ||= share > 0.01;
};
await fit(JSON.parse(media) as MediaToFit, { bytesMax: 2_000_000 }, { name: "long", signal, onProgress });
