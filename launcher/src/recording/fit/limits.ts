// What a place where clips are posted takes, and what a file must be to be taken.
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

export type Fitted = {
  readonly path: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
  readonly mime: "video/mp4" | "image/jpeg";
  /** False: it is the file itself. */
  readonly changed: boolean;
  /** What is not as in the clip, for a person. */
  readonly notes: readonly string[];
};

/** It cannot be made to fit, however often it is tried; the message is for a person. */
export class CannotFit extends Error {
  override name = "CannotFit";
}

export type Measured = Omit<Media, "path" | "kind"> & { readonly frameRate: number | undefined };

/** A rate that was counted over a clip is a little off. */
const frameRateOff = 0.5;

export const isTooFast = (frameRate: number, { frameRateMax = Number.POSITIVE_INFINITY }: MediaLimits): boolean =>
  frameRate > frameRateMax + frameRateOff;

/** A frame rate that is not known is none that is too high. */
export function isWithin({ bytes, seconds, width, height, frameRate = 0 }: Measured, limits: MediaLimits): boolean {
  const { secondsMax = Infinity, widthMax = Infinity, heightMax = Infinity, pixelsMax = Infinity } = limits;
  const isSmall = width <= widthMax && height <= heightMax && width * height <= pixelsMax;
  return bytes <= limits.bytesMax && seconds <= secondsMax && isSmall && !isTooFast(frameRate, limits);
}

export type Size = { readonly width: number; readonly height: number };

const even = (pixels: number) => Math.max(2, 2 * Math.floor(pixels / 2));

/** The same picture, no larger than the limits allow and `most` of its size; both sides even. */
export function sizeWithin({ width, height }: Size, limits: MediaLimits, most = 1): Size {
  const { widthMax = Infinity, heightMax = Infinity, pixelsMax = Infinity } = limits;
  const scale = Math.min(most, widthMax / width, heightMax / height, Math.sqrt(pixelsMax / (width * height)));
  return { width: even(width * scale), height: even(height * scale) };
}

/** `12.3 MB`, as files are counted in. */
export function bytesInWords(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
