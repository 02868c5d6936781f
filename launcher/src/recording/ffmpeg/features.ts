// What an ffmpeg was built with. Builds leave out encoders and inputs.
import { runFfmpeg } from "./run.ts";

export type FfmpegFeatures = {
  readonly encoders: ReadonlySet<string>;
  readonly filters: ReadonlySet<string>;
  /** Inputs such as gdigrab. */
  readonly devices: ReadonlySet<string>;
};

const listOptions = { outBytesMax: 1024 * 1024, timeoutMs: 20_000, urgent: true } as const;

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
