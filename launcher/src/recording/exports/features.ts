// Whether an ffmpeg has what a format needs. Some builds leave out encoders.

import type { ExportFormat } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { FfmpegFailed, runFfmpeg } from "../ffmpeg/run.ts";

type Needs = { readonly encoders: readonly string[]; readonly filters: readonly string[] };

const needsOf: Readonly<Record<ExportFormat, Needs>> = {
  mp4: { encoders: ["libx264", "aac"], filters: ["scale"] },
  gif: { encoders: ["gif", "png"], filters: ["palettegen", "paletteuse"] },
  webp: { encoders: ["libwebp_anim"], filters: ["scale"] },
};

const listOptions = { outBytesMax: 1024 * 1024, timeoutMs: 20_000, urgent: true } as const;

/** Returns the names in a list of ffmpeg: each line has letters that describe it, then the name. */
const namesIn = (listing: string) => new Set([...listing.matchAll(/^ ?\S+ +(\w+) /gm)].map(([, name]) => name));

const known = new Map<string, Promise<{ encoders: ReturnType<typeof namesIn>; filters: ReturnType<typeof namesIn> }>>();

async function listFeatures(path: string) {
  const list = async (what: string) => namesIn(String((await runFfmpeg({ path }, [what], listOptions)).stdout));
  return { encoders: await list("-encoders"), filters: await list("-filters") };
}

/** Throws FfmpegFailed with the names of what is missing. */
export async function checkFeatures({ path }: { readonly path: string }, format: ExportFormat): Promise<void> {
  const listing = known.get(path) ?? listFeatures(path);
  known.set(path, listing);
  // A failed run may succeed the next time.
  listing.catch(() => known.delete(path));
  const { encoders, filters } = await listing;
  const needs = needsOf[format];
  const missing = [
    ...needs.encoders.filter((name) => !encoders.has(name)),
    ...needs.filters.filter((name) => !filters.has(name)),
  ];
  if (missing.length > 0)
    throw new FfmpegFailed(message("export.ffmpeg_lacks", { format: format.toUpperCase(), what: missing.join(", ") }));
}
