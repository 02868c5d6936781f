// Cuts a clip out of a replay that OBS saved. Loaded only when needed, because the MP4 code that it imports takes memory.

import { createHash } from "node:crypto";
import { access, constants } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { message, reasonOf } from "@kit/contract/messages";
import { runFfmpeg } from "../../ffmpeg/run.ts";
import { assembleMovie, writeClipFile } from "../../mp4/assemble.ts";
import { BrokenStream } from "../../mp4/broken-stream.ts";
import { createFragmentReader, type Fragment, type InitTrack, type Sample } from "../../mp4/fragment.ts";
import { type ClipPlan, type Footage, NoFootage } from "../../plans/plan.ts";

/** A replay file that OBS wrote. */
export type ReplaySave = {
  readonly path: string;
  /** When OBS was asked to save. That is also the time of the last picture in the file. */
  readonly askedMs: number;
};

/**
 * How much footage before the range Kit reads, so that it contains a keyframe: slightly more than OBS's default keyframe
 * interval.
 */
const leadMs = 11_000;

export type CutReplayOptions = {
  readonly ffmpeg: { readonly path: string };
  readonly plan: ClipPlan;
  readonly file: string;
  /** The save that was requested after the end of the range. */
  readonly save: ReplaySave;
  /** Earlier saves, oldest first. The start of the range may only be in them. */
  readonly earlier: readonly ReplaySave[];
  /** The end of a replay that was read before. */
  readonly lastEnd: ReplayEnd | undefined;
  /** Called when the replay was read. */
  readonly onRead: (end: ReplayEnd) => void;
};

/** What a replay ends with, which no two saves of a running buffer share. */
export type ReplayEnd = {
  readonly askedMs: number;
  /** Identifies the last group of pictures and its sound. */
  readonly hash: string;
  /** How much footage the whole file has. */
  readonly seconds: number;
};

/** Rejects with NoFootage, or with what the file system throws. */
export async function cutReplay(options: CutReplayOptions): Promise<Footage> {
  const { ffmpeg, plan, file, save, earlier, lastEnd } = options;
  const read = ({ path, askedMs }: ReplaySave) =>
    readReplay(ffmpeg, { path, askedMs, spanMs: askedMs - plan.fromMs + leadMs });
  let replay = await read(save);
  options.onRead(replay.end);
  // Nothing in a replay says when it was recorded. If it has not moved on, its end is not now.
  if (lastEnd !== undefined && lastEnd.askedMs < save.askedMs && lastEnd.hash === replay.end.hash) {
    const seconds = Math.round((save.askedMs - lastEnd.askedMs) / 1_000);
    throw new NoFootage(message("obs.replay_stands_still", { seconds }));
  }
  for (const older of earlier.toReversed()) {
    const beginMs = beginOf(replay);
    if (beginMs <= plan.fromMs || older.askedMs < beginMs) break;
    // If the earlier file is gone, the clip starts later.
    const before = await read(older).catch(() => undefined);
    if (before !== undefined) replay = prependEarlier(replay, before);
  }
  const { parts, footage } = assembleMovie(replay.fragments, plan, replay.offsetMs);
  await writeClipFile(file, parts);
  return footage;
}

function beginOf({ fragments, offsetMs }: Replay): number {
  return (fragments[0]?.startMs ?? Number.POSITIVE_INFINITY) + offsetMs;
}

/** The footage of one save. Its times count from the start of the file. */
type Replay = {
  readonly fragments: readonly Fragment[];
  /** Epoch time of the file's time 0. */
  readonly offsetMs: number;
  readonly end: ReplayEnd;
};

type ReplayRequest = {
  readonly path: string;
  readonly askedMs: number;
  /** How much footage to read, counted back from the end of the file. */
  readonly spanMs: number;
};

/** Maximum size of a fragment. Each is a group of pictures: up to ten seconds, at a very high bit rate. */
const boxBytesMax = 256 * 1024 * 1024;
/** Maximum bytes of one file's footage in memory. Beyond it, Kit drops the oldest footage. */
const tailBytesMax = 768 * 1024 * 1024;

/** The formats that ffmpeg may open: only containers, because a playlist could make it open other files. */
const formats = "mov,matroska,flv,mpegts";

const repackArgs = (path: string) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-i", path],
  // The first two sound tracks: a clip has no more.
  ...["-map", "0:v:0", "-map", "0:a:0?", "-map", "0:a:1?", "-c", "copy", "-f", "mp4"],
  ...["-movflags", "frag_keyframe+empty_moov+default_base_moof", "pipe:1"],
];

/** Rejects with NoFootage, naming the file, if it cannot be read. */
async function readReplay(ffmpeg: { readonly path: string }, replay: ReplayRequest): Promise<Replay> {
  const { path, askedMs, spanMs } = replay;
  await assertReadable(path);
  try {
    const { fragments, seconds } = await readFragments(ffmpeg, path, spanMs);
    const endMs = saveRequestMs(fragments);
    if (endMs === undefined) throw new BrokenStream("it contains no picture");
    return { fragments, offsetMs: askedMs - endMs, end: { askedMs, hash: hashOfEnd(fragments), seconds } };
  } catch (failure) {
    throw new NoFootage(message("obs.replay_not_readable", { path, why: reasonOf(failure) }));
  }
}

async function assertReadable(path: string): Promise<void> {
  if (!isAbsolute(path)) throw new NoFootage(message("obs.replay_elsewhere", { path }));
  await access(path, constants.R_OK).catch((failure: NodeJS.ErrnoException) => {
    throw new NoFootage(message("obs.replay_not_accessible", { path, why: failure.code ?? failure.message }));
  });
}

async function readFragments(ffmpeg: { readonly path: string }, path: string, spanMs: number) {
  const tail = createTail(spanMs);
  const { push } = createFragmentReader({ onFragment: tail.take, boxBytesMax });
  await runFfmpeg(ffmpeg, repackArgs(path), { outBytesMax: Infinity, onOutput: push });
  return { fragments: tail.fragments, seconds: tail.seconds() };
}

function hashOfEnd(fragments: readonly Fragment[]): string {
  const last = fragments.findLast(({ video }) => video.length > 0);
  const hash = createHash("sha256");
  if (last !== undefined) hash.update(last.media);
  return hash.digest("base64");
}

/** Collects the last fragments. Drops those older than the span, so that a long file needs no more memory than a short one. */
function createTail(spanMs: number) {
  const fragments: Fragment[] = [];
  let bytes = 0;
  let firstMs: number | undefined;
  return {
    fragments,
    /** How much footage was taken, dropped or not. */
    seconds: () => ((fragments.at(-1)?.endMs ?? 0) - (firstMs ?? 0)) / 1_000,
    take(newest: Fragment) {
      firstMs ??= newest.startMs;
      bytes += newest.bytes;
      fragments.push(newest);
      for (;;) {
        const oldest = fragments[0];
        if (oldest === undefined || oldest === newest) return;
        if (oldest.endMs >= newest.endMs - spanMs && bytes <= tailBytesMax) return;
        bytes -= oldest.bytes;
        fragments.shift();
      }
    },
  };
}

/**
 * Returns when OBS was asked to save, as a time in the file: when OBS encoded the last picture. Decode times show this, because
 * they follow the order of encoding. They are counted from the presentation of the first picture.
 */
function saveRequestMs(fragments: readonly Fragment[]): number | undefined {
  const withPictures = fragments.filter(({ video }) => video.length > 0);
  const first = withPictures[0]?.video[0];
  const last = withPictures.at(-1)?.video.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const ticks = last.decodeTicks + (first.presentTicks - first.decodeTicks);
  return (ticks * 1_000) / (withPictures[0]?.init.video.timescale ?? 1);
}

/**
 * Maximum difference between the times of one picture in two saves. If it were larger, pictures of a still screen could match at
 * a wrong place.
 */
const clockDifferenceMs = 500;

/**
 * Returns `newer` with the earlier footage of `older` in front. Returns `newer` unchanged if the two do not overlap: OBS was
 * restarted or reconfigured, or its buffer had dropped the footage in between.
 */
function prependEarlier(newer: Replay, older: Replay): Replay {
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

/**
 * For sound, compares only the time scale and the length of the decoder configuration: OBS cannot change the rest while its
 * buffer runs.
 */
function hasSameTracks({ init: one }: Fragment, { init: other }: Fragment): boolean {
  const a = one.video;
  const b = other.video;
  if (a.timescale !== b.timescale || one.sounds.length !== other.sounds.length) return false;
  const isAlike = ({ timescale, sampleDescription }: InitTrack, i: number) =>
    timescale === other.sounds[i]?.timescale && sampleDescription.length === other.sounds[i].sampleDescription.length;
  if (!one.sounds.every(isAlike)) return false;
  return withoutRates(a.sampleDescription).equals(withoutRates(b.sampleDescription));
}

/** Clears the bit rates, which differ from file to file and do not matter to a decoder. */
function withoutRates(description: Uint8Array): Buffer {
  const copy = Buffer.from(description);
  const at = copy.indexOf("btrt", 0, "latin1");
  return at < 0 ? copy : copy.fill(0, at + 4, at + 16);
}

/**
 * Moves the fragment to the times of another file: `from` and `to` are the same fragment in the two files. Drops sound that the
 * other file contains, too.
 */
function shiftFragment(fragment: Fragment, from: Fragment, to: Fragment): Fragment {
  const ticks = (to.video[0]?.decodeTicks ?? 0) - (from.video[0]?.decodeTicks ?? 0);
  const shiftMs = (ticks * 1_000) / to.init.video.timescale;
  return {
    ...fragment,
    init: to.init,
    startMs: fragment.startMs + shiftMs,
    endMs: fragment.endMs + shiftMs,
    video: fragment.video.map((sample) => shiftSample(sample, ticks)),
    sounds: fragment.sounds.map((samples, track) => {
      const soundTicks = Math.round((shiftMs * (to.init.sounds[track]?.timescale ?? 0)) / 1_000);
      const soundFrom = to.sounds[track]?.[0]?.decodeTicks ?? Number.POSITIVE_INFINITY;
      return samples
        .map((sample) => shiftSample(sample, soundTicks))
        .filter(({ decodeTicks }) => decodeTicks < soundFrom);
    }),
  };
}

function shiftSample(sample: Sample, ticks: number): Sample {
  return { ...sample, decodeTicks: sample.decodeTicks + ticks, presentTicks: sample.presentTicks + ticks };
}
