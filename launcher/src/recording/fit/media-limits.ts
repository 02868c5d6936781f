// Limits of a target for media files, and checks of a file against them.
export type Media = {
  readonly path: string;
  readonly kind: "clip" | "screenshot";
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

export type MediaLimits = {
  readonly bytesMax: number;
  readonly secondsMax?: number;
  readonly widthMax?: number;
  readonly heightMax?: number;
  readonly pixelsMax?: number;
  readonly frameRateMax?: number;
};

export type FittedMedia = {
  readonly path: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly mime: "video/mp4" | "image/jpeg";
  /** False if the file is the original or an unchanged copy of it. */
  readonly changed: boolean;
  /** Differences from the clip, for a person. */
  readonly notes: readonly string[];
};

/** The file cannot be made to fit, so a retry is useless. The message is for a person. */
export class CannotFit extends Error {
  override name = "CannotFit";
}

export type MediaFacts = Omit<Media, "path" | "kind"> & { readonly frameRate: number | undefined };

/** Tolerance for a frame rate that was measured over a clip. */
const frameRateTolerance = 0.5;

export const isTooFast = (frameRate: number, { frameRateMax = Number.POSITIVE_INFINITY }: MediaLimits): boolean =>
  frameRate > frameRateMax + frameRateTolerance;

/** An unknown frame rate counts as within the limits. */
export function isWithin({ bytes, seconds, width, height, frameRate = 0 }: MediaFacts, limits: MediaLimits): boolean {
  const { secondsMax = Infinity, widthMax = Infinity, heightMax = Infinity, pixelsMax = Infinity } = limits;
  const isSmall = width <= widthMax && height <= heightMax && width * height <= pixelsMax;
  return bytes <= limits.bytesMax && seconds <= secondsMax && isSmall && !isTooFast(frameRate, limits);
}

export type Size = { readonly width: number; readonly height: number };

const even = (pixels: number) => Math.max(2, 2 * Math.floor(pixels / 2));

/** Frame size within the limits and at most `most` of the original, with both sides even. */
export function sizeWithin({ width, height }: Size, limits: MediaLimits, most = 1): Size {
  const { widthMax = Infinity, heightMax = Infinity, pixelsMax = Infinity } = limits;
  const scale = Math.min(most, widthMax / width, heightMax / height, Math.sqrt(pixelsMax / (width * height)));
  return { width: even(width * scale), height: even(height * scale) };
}

/** Formats in decimal units, e.g. `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
