// Joins the footage of two saves of one replay buffer: both hold the same encoded pictures, so the joint is exact.
import type { Fragment, Sample } from "../mp4/fragment.ts";
import type { Replay } from "./replay-file.ts";

/** Two saves tell the wall clock to within a few pictures; a still screen has many that are alike. */
const clockDifferenceMs = 500;

/**
 * `newer`, with what only `older` holds before it, on the clock of `newer`. As it is when they do not meet: OBS was
 * started anew or set otherwise between them, or the buffer had already dropped what lay there.
 */
export function withEarlier(newer: Replay, older: Replay): Replay {
  const first = newer.fragments.find(({ video }) => video.length > 0);
  if (first === undefined) return newer;
  const wallMs = first.startMs + newer.offsetMs;
  const differenceMs = (place: Fragment) => Math.abs(place.startMs + older.offsetMs - wallMs);
  const meeting = older.fragments
    .filter((place) => differenceMs(place) <= clockDifferenceMs && beginsAlike(place, first))
    .sort((one, other) => differenceMs(one) - differenceMs(other))[0];
  if (meeting === undefined) return newer;
  const before = older.fragments.slice(0, older.fragments.indexOf(meeting));
  return { ...newer, fragments: [...before.map((fragment) => moved(fragment, meeting, first)), ...newer.fragments] };
}

function beginsAlike(one: Fragment, other: Fragment): boolean {
  const a = firstPicture(one);
  const b = firstPicture(other);
  return one.key && other.key && sameTracks(one, other) && a.equals(b) && a.length > 0;
}

function firstPicture({ video, media }: Fragment): Buffer {
  const { at, bytes } = video[0] ?? { at: 0, bytes: 0 };
  return Buffer.from(media.buffer, media.byteOffset + at, bytes);
}

/** Of the sound the clock and the kind are enough: OBS cannot change the rest while its buffer runs. */
function sameTracks({ init: one }: Fragment, { init: other }: Fragment): boolean {
  const a = one.video;
  const b = other.video;
  if (a.timescale !== b.timescale || one.sound?.timescale !== other.sound?.timescale) return false;
  if (one.sound?.sampleDescription.length !== other.sound?.sampleDescription.length) return false;
  return withoutRates(a.sampleDescription).equals(withoutRates(b.sampleDescription));
}

/** Repacking notes the bit rate that each file happens to have; a decoder does not look at it. */
function withoutRates(description: Uint8Array): Buffer {
  const copy = Buffer.from(description);
  const at = copy.indexOf("btrt", 0, "latin1");
  return at < 0 ? copy : copy.fill(0, at + 4, at + 16);
}

/** The same footage as if it had been read from the file of `to`; what that one has of the sound is left to it. */
function moved(fragment: Fragment, from: Fragment, to: Fragment): Fragment {
  const ticks = (to.video[0]?.decodeTicks ?? 0) - (from.video[0]?.decodeTicks ?? 0);
  const shiftMs = (ticks * 1_000) / to.init.video.timescale;
  const soundTicks = Math.round((shiftMs * (to.init.sound?.timescale ?? 0)) / 1_000);
  const soundFrom = to.sound[0]?.decodeTicks ?? Number.POSITIVE_INFINITY;
  return {
    ...fragment,
    init: to.init,
    startMs: fragment.startMs + shiftMs,
    endMs: fragment.endMs + shiftMs,
    video: fragment.video.map((sample) => later(sample, ticks)),
    sound: fragment.sound
      .map((sample) => later(sample, soundTicks))
      .filter(({ decodeTicks }) => decodeTicks < soundFrom),
  };
}

function later(sample: Sample, ticks: number): Sample {
  return { ...sample, decodeTicks: sample.decodeTicks + ticks, showTicks: sample.showTicks + ticks };
}
