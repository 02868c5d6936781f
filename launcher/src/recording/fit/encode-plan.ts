// How a clip is to be encoded so that it fits: which seconds, how large a picture, how many bits. Pure.
import { bytesInWords, CannotFit, isTooFast, type MediaLimits, type Size, sizeWithin } from "./limits.ts";

/** The file as it is. */
export type Source = Size & {
  readonly seconds: number;
  readonly bytes: number;
  readonly frameRate: number;
  readonly hasSound: boolean;
};

/** The stretch of it that is kept. */
export type Stretch = { readonly fromSeconds: number; readonly seconds: number };

export type EncodePlan = Size &
  Stretch & {
    /** Null: as it is. */
    readonly frameRate: number | null;
    /** Bits a second; no sound when 0. */
    readonly videoBits: number;
    readonly soundBits: number;
  };

/** Of the shorter side, each at least so much smaller that it is worth it. */
const rungs = [1080, 720, 480, 360];
/** Bits for each pixel of each picture: from here on the next smaller picture looks better. */
const goodBits = 0.035;
/** Below this the smallest one is a mosaic. */
const leastBits = 0.012;
/** More than this nobody sees. */
const mostBits = 0.15;
const calmFrameRate = 30;
/** Two passes hit their target within a few in a hundred. */
const aimedShare = 0.97;
/** What the container says of each picture, of each piece of sound, and of itself. */
const pictureBytes = 16;
const soundBytesPerSecond = 500;
const headBytes = 4_000;

const soundBitsOf = (bits: number) => Math.round(Math.min(96_000, Math.max(24_000, bits * 0.1)));

function sizesOf(source: Source, limits: MediaLimits): Size[] {
  const whole = sizeWithin(source, limits);
  const side = Math.min(whole.width, whole.height);
  const smaller = rungs.filter((rung) => rung < side * 0.95);
  return [whole, ...smaller.map((rung) => sizeWithin(source, limits, rung / Math.min(source.width, source.height)))];
}

function frameRatesOf(source: Source, limits: MediaLimits): { rate: number; set: number | null }[] {
  const most = isTooFast(source.frameRate, limits) ? limits.frameRateMax : undefined;
  const first = most === undefined ? { rate: source.frameRate, set: null } : { rate: most, set: most };
  return first.rate > calmFrameRate + 1 ? [first, { rate: calmFrameRate, set: calmFrameRate }] : [first];
}

/** Throws CannotFit. `bytesWanted` may be less than the limit: an attempt before came out too large. */
export function encodePlanOf(
  source: Source,
  limits: MediaLimits,
  stretch: Stretch,
  bytesWanted = limits.bytesMax,
): EncodePlan {
  const { seconds } = stretch;
  const rates = frameRatesOf(source, limits);
  const choices = sizesOf(source, limits).flatMap((size) => rates.map((frames) => ({ size, frames })));
  const overhead = (rate: number) =>
    headBytes + seconds * (rate * pictureBytes + (source.hasSound ? soundBytesPerSecond : 0));
  const bitsFor = (rate: number) => ((bytesWanted * aimedShare - overhead(rate)) * 8) / seconds;
  const each = choices.map(({ size, frames }) => {
    const bits = bitsFor(frames.rate);
    const soundBits = source.hasSound ? soundBitsOf(bits) : 0;
    const pixels = size.width * size.height * frames.rate;
    // No more than the clip has: that would only be larger.
    const sourceBits = (source.bytes * 8) / source.seconds;
    const videoBits = Math.round(Math.min(bits - soundBits, mostBits * pixels, sourceBits));
    return { size, frames, soundBits, videoBits, perPixel: (bits - soundBits) / pixels, pixels };
  });
  const last = each.at(-1);
  const chosen = each.find(({ perPixel }) => perPixel >= goodBits) ?? last;
  if (chosen === undefined || chosen.perPixel < leastBits) {
    const { rate = 0 } = last?.frames ?? {};
    const soundBits = source.hasSound ? soundBitsOf(0) : 0;
    const bytes = ((leastBits * (last?.pixels ?? 0) + soundBits) * seconds) / 8 + overhead(rate);
    throw new CannotFit(
      `${seconds.toFixed(1)} s of video do not fit into ${bytesInWords(limits.bytesMax)}: they need ${bytesInWords(bytes / aimedShare)} at least. Post a shorter clip, or a screenshot.`,
    );
  }
  const { size, frames, soundBits, videoBits } = chosen;
  return { ...stretch, ...size, frameRate: frames.set, videoBits, soundBits };
}

/** Of what follows a moment this much is kept when not all can be. */
const shareBefore = 0.7;
/** So that the last picture's own length does not lead beyond the limit. */
const spareSeconds = 0.1;

/** Where not all of it may be kept: as many of its moments as possible, of those the last ones; without any, its end. */
export function stretchOf(
  seconds: number,
  secondsMax: number | undefined,
  moments: readonly number[],
): Stretch & { readonly isAroundMoment: boolean } {
  if (secondsMax === undefined || seconds <= secondsMax) return { fromSeconds: 0, seconds, isAroundMoment: false };
  const length = Math.max(0.5, secondsMax - spareSeconds);
  const latest = seconds - length;
  const begins = moments.map((moment) => Math.min(latest, Math.max(0, moment - length * shareBefore)));
  const holds = (begin: number) => moments.filter((moment) => begin <= moment && moment <= begin + length).length;
  const best = begins.toSorted((a, b) => holds(b) - holds(a) || b - a)[0];
  return { fromSeconds: best ?? latest, seconds: length, isAroundMoment: best !== undefined };
}
