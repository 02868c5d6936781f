// Joins two saves of one replay buffer. Both contain the same encoded pictures, so the joint is exact.
import type { Fragment, Sample } from "../mp4/fragment.ts";
import type { Replay } from "./replay-file.ts";

/** The clocks of two saves differ by a few pictures at most. A wider search could match other equal pictures of a still screen. */
const clockDifferenceMs = 500;

/**
 * Returns `newer` preceded by the earlier footage of `older`. Returns `newer` unchanged if they do not overlap, because OBS
 * was restarted or reconfigured, or because the buffer had dropped the footage in between.
 */
export function prependEarlier(newer: Replay, older: Replay): Replay {
  const first = newer.fragments.find(({ video }) => video.length > 0);
  if (first === undefined) return newer;
  const wallMs = first.startMs + newer.offsetMs;
  const differenceMs = (candidate: Fragment) => Math.abs(candidate.startMs + older.offsetMs - wallMs);
  const match = older.fragments
    .filter((candidate) => differenceMs(candidate) <= clockDifferenceMs && hasSameStart(candidate, first))
    .sort((one, other) => differenceMs(one) - differenceMs(other))[0];
  if (match === undefined) return newer;
  const before = older.fragments.slice(0, older.fragments.indexOf(match));
  return {
    ...newer,
    fragments: [...before.map((fragment) => shiftFragment(fragment, match, first)), ...newer.fragments],
  };
}

function hasSameStart(one: Fragment, other: Fragment): boolean {
  const a = firstPicture(one);
  const b = firstPicture(other);
  return one.startsWithKeyframe && other.startsWithKeyframe && hasSameTracks(one, other) && a.equals(b) && a.length > 0;
}

function firstPicture({ video, media }: Fragment): Buffer {
  const { at, bytes } = video[0] ?? { at: 0, bytes: 0 };
  return Buffer.from(media.buffer, media.byteOffset + at, bytes);
}

/** For sound, only timescale and description length are compared: OBS cannot change the rest while its buffer runs. */
function hasSameTracks({ init: one }: Fragment, { init: other }: Fragment): boolean {
  const a = one.video;
  const b = other.video;
  if (a.timescale !== b.timescale || one.sound?.timescale !== other.sound?.timescale) return false;
  if (one.sound?.sampleDescription.length !== other.sound?.sampleDescription.length) return false;
  return withoutRates(a.sampleDescription).equals(withoutRates(b.sampleDescription));
}

/** Clears the bit rates, which differ between files and do not matter for decoding. */
function withoutRates(description: Uint8Array): Buffer {
  const copy = Buffer.from(description);
  const at = copy.indexOf("btrt", 0, "latin1");
  return at < 0 ? copy : copy.fill(0, at + 4, at + 16);
}

/** Shifts the fragment to the clock of `to`. Drops sound that the file of `to` also contains. */
function shiftFragment(fragment: Fragment, from: Fragment, to: Fragment): Fragment {
  const ticks = (to.video[0]?.decodeTicks ?? 0) - (from.video[0]?.decodeTicks ?? 0);
  const shiftMs = (ticks * 1_000) / to.init.video.timescale;
  const soundTicks = Math.round((shiftMs * (to.init.sound?.timescale ?? 0)) / 1_000);
  const soundFrom = to.sound[0]?.decodeTicks ?? Number.POSITIVE_INFINITY;
  return {
    ...fragment,
    init: to.init,
    startMs: fragment.startMs + shiftMs,
    endMs: fragment.endMs + shiftMs,
    video: fragment.video.map((sample) => shiftSample(sample, ticks)),
    sound: fragment.sound
      .map((sample) => shiftSample(sample, soundTicks))
      .filter(({ decodeTicks }) => decodeTicks < soundFrom),
  };
}

function shiftSample(sample: Sample, ticks: number): Sample {
  return { ...sample, decodeTicks: sample.decodeTicks + ticks, presentTicks: sample.presentTicks + ticks };
}
