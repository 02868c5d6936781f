// What an ffmpeg was built with, and whether that is enough for a format. Builds leave out encoders and inputs.

import type { ExportFormat } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { FfmpegFailed, runFfmpeg } from "./run.ts";

export type FfmpegFeatures = {
  readonly encoders: ReadonlySet<string>;
  readonly filters: ReadonlySet<string>;
  /** Inputs such as gdigrab. */
  readonly devices: ReadonlySet<string>;
};

const listOptions = { outBytesMax: 1024 * 1024 } as const;

/** Returns the names in a list of ffmpeg: each line has letters that describe it, then the name. */
const namesIn = (listing: string) => new Set([...listing.matchAll(/^ ?\S+ +(\w+) /gm)].map(([, name = ""]) => name));

const known = new Map<string, Promise<FfmpegFeatures>>();

async function readFeatures(path: string): Promise<FfmpegFeatures> {
  const list = async (what: string) => namesIn(String((await runFfmpeg({ path }, [what], listOptions)).stdout));
  const [encoders, filters, devices] = await Promise.all(["-encoders", "-filters", "-devices"].map(list));
  const none: ReadonlySet<string> = new Set();
  return { encoders: encoders ?? none, filters: filters ?? none, devices: devices ?? none };
}

/** Asks each program once. Throws FfmpegFailed. */
export function listFeatures({ path }: { readonly path: string }): Promise<FfmpegFeatures> {
  const listing = known.get(path) ?? readFeatures(path);
  known.set(path, listing);
  // A failed run may succeed the next time.
  listing.catch(() => known.delete(path));
  return listing;
}

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
