// Whether an ffmpeg has what a format needs. Some builds leave out encoders.

import type { ExportFormat } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { listFeatures } from "../ffmpeg/features.ts";
import { FfmpegFailed } from "../ffmpeg/run.ts";

type Needs = { readonly encoders: readonly string[]; readonly filters: readonly string[] };

const needsOf: Readonly<Record<ExportFormat, Needs>> = {
  mp4: { encoders: ["libx264", "aac"], filters: ["scale"] },
  gif: { encoders: ["gif", "png"], filters: ["palettegen", "paletteuse"] },
  webp: { encoders: ["libwebp_anim"], filters: ["scale"] },
};

/** Throws FfmpegFailed with the names of what is missing. */
export async function checkFeatures(ffmpeg: { readonly path: string }, format: ExportFormat): Promise<void> {
  const { encoders, filters } = await listFeatures(ffmpeg);
  const needs = needsOf[format];
  const missing = [
    ...needs.encoders.filter((name) => !encoders.has(name)),
    ...needs.filters.filter((name) => !filters.has(name)),
  ];
  if (missing.length > 0)
    throw new FfmpegFailed(message("export.ffmpeg_lacks", { format: format.toUpperCase(), what: missing.join(", ") }));
}
