// Assembles fragments into a playable MP4 for a time range, without encoding, and writes it durably.

import { open, rm, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { MessageError } from "@kit/contract/message";
import { message } from "@kit/contract/messages";
import { type ClipPlan, type Footage, type Moment, NoFootage, offsetInFile } from "../plans/plan.ts";
import type { Fragment } from "./fragment.ts";
import { layOutMedia, type MediaLayout, movieHead, placeSounds } from "./movie.ts";
import {
  cutVideo,
  type EncoderRun,
  groupByRun,
  joinCompatibleRuns,
  lastEndTicks,
  type MediaSample,
  rebaseTimes,
  removeOverlaps,
  type TrackTimeline,
} from "./timeline.ts";

/** Cuts the sound to the range of the video. Returns null if there is no sound in the range. */
function cutSound(
  runs: readonly (readonly MediaSample[])[],
  timescale: number,
  fromTicks: number,
  toTicks: number,
): TrackTimeline | null {
  const all = removeOverlaps(runs).flat();
  const first = all.findIndex(({ presentTicks, durationTicks }) => presentTicks + durationTicks > fromTicks);
  const end = all.findLastIndex(({ presentTicks }) => presentTicks < toTicks) + 1;
  if (first < 0 || end <= first) return null;
  // Includes the block before, so that the decoder starts without a click.
  const before = all[first - 1];
  const primed =
    before !== undefined &&
    (all[first] as MediaSample).presentTicks <= fromTicks &&
    touches(before, all[first] as MediaSample);
  const kept = all.slice(primed ? first - 1 : first, end);
  const base = (kept[0] as MediaSample).decodeTicks;
  const last = kept.at(-1) as MediaSample;
  return {
    timescale,
    samples: rebaseTimes(kept, base),
    endTicks: last.decodeTicks + last.durationTicks - base,
    zeroTicks: fromTicks - base,
  };
}

function touches(before: MediaSample, sample: MediaSample): boolean {
  return sample.presentTicks - before.presentTicks < 2 * before.durationTicks;
}

type AssembledMovie = {
  /** The bytes of the file in order. They share memory with the fragments. */
  readonly parts: readonly Uint8Array[];
  readonly footage: Footage;
};

/**
 * Assembles the file of a plan. As far as there is footage, it starts exactly at `fromMs`, and ends before the first frame at or
 * after `toMs`, so that adjacent ranges share no frame. If not all footage can be in one file, it shows the first moment.
 * `offsetMs` is the epoch time of time 0, for footage whose times start at 0. Throws NoFootage without a frame in the range.
 */
export function assembleMovie(fragments: readonly Fragment[], plan: ClipPlan, offsetMs = 0): AssembledMovie {
  const { head, layout, footage } = planMovie(groupByRun(fragments), plan, offsetMs);
  return { parts: [head, ...layout.ranges.map(({ media, at, end }) => media.subarray(at, end))], footage };
}

/** Plans the file: its head, and from where to copy the media that follow the head. */
export function planMovie(
  found: readonly EncoderRun[],
  plan: Pick<ClipPlan, "title" | "moments" | "fromMs" | "toMs">,
  offsetMs = 0,
): { readonly head: Uint8Array; readonly layout: MediaLayout; readonly footage: Footage } {
  const mainMomentMs = plan.moments[0]?.atMs ?? plan.fromMs;
  const runs = found.filter(({ video }) => video.length > 0);
  if (runs.length === 0) throw new NoFootage(message("footage.nothing_at_time"));
  const usable = joinCompatibleRuns(runs, mainMomentMs - offsetMs);
  const { init } = usable[0] as (typeof usable)[number];
  const { timescale } = init.video;
  const msOf = (ticks: number) => (ticks / timescale) * 1000 + offsetMs;
  const ticksOf = (ms: number, scale: number) => Math.round(((ms - offsetMs) / 1000) * scale);
  const videos = usable.map(({ video }) => video);
  const cut = cutVideo(videos, timescale, ticksOf(plan.fromMs, timescale), ticksOf(plan.toMs, timescale));
  if (cut === null) throw new NoFootage(message("footage.no_picture_at_time"));
  const fromMs = msOf(cut.fromTicks);
  const toMs = msOf(cut.toTicks);
  const sounds = placeSounds(init, (i, scale) =>
    cutSound(
      usable.map((run) => run.sounds[i] ?? []),
      scale,
      ticksOf(fromMs, scale),
      ticksOf(toMs, scale),
    ),
  );
  const layout = layOutMedia([cut.timeline, ...sounds.map(({ timeline }) => timeline)]);
  const head = movieHead({
    init,
    video: cut.timeline,
    sounds,
    durationTicks: cut.toTicks - cut.fromTicks,
    createdMs: fromMs,
    layout,
    metadata: {
      title: plan.title,
      comment: JSON.stringify({ events: plan.moments.map(({ event }) => event) }),
      startedAt: new Date(fromMs).toISOString(),
      chapters: chaptersIn(plan.moments, fromMs, toMs),
    },
  });
  return {
    head,
    layout,
    footage: {
      fromMs,
      toMs,
      frames: cut.shown,
      width: init.width,
      height: init.height,
      bytes: head.length + layout.bytes,
      gaps: cut.gaps.map((hole) => ({ fromMs: msOf(hole.fromTicks), toMs: msOf(hole.toTicks) })),
      otherFormat: runs.filter((run) => !usable.includes(run)).flatMap((run) => spanIn(run, plan, offsetMs)),
    },
  };
}

/** Returns the part of a run inside the range. */
function spanIn(
  { init, video }: EncoderRun,
  { fromMs, toMs }: Pick<ClipPlan, "fromMs" | "toMs">,
  offsetMs: number,
): { fromMs: number; toMs: number }[] {
  const msOf = (ticks: number) => (ticks / init.video.timescale) * 1000 + offsetMs;
  const span = {
    fromMs: Math.max(fromMs, msOf(video[0]?.presentTicks ?? Number.POSITIVE_INFINITY)),
    toMs: Math.min(toMs, msOf(lastEndTicks(video))),
  };
  return span.fromMs < span.toMs ? [span] : [];
}

/** Omits chapters of moments that the file does not show. */
function chaptersIn(moments: readonly Moment[], fromMs: number, toMs: number): { atSeconds: number; title: string }[] {
  return moments
    .map((moment) => ({ atMs: offsetInFile(moment, fromMs), title: moment.label }))
    .filter(({ atMs }) => atMs >= -1 && atMs <= toMs - fromMs)
    .map(({ atMs, title }) => ({ atSeconds: Math.max(0, atMs) / 1000, title }))
    .sort((a, b) => a.atSeconds - b.atSeconds);
}

/** Disk space that stays free for other programs. */
const spareBytes = 16 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/**
 * Writes the whole file durably, or leaves no file. Throws ENOSPC if less than `spare` bytes would stay free, and otherwise
 * what the file system throws.
 */
export async function writeClipFile(path: string, parts: readonly Uint8Array[], spare = spareBytes): Promise<void> {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  await assertDiskSpace(dirname(path), bytes, spare);
  try {
    await using handle = await open(path, "w", 0o600);
    // Does not use writev: on a full disk, writev writes less without an error.
    await handle.writeFile(joinIntoChunks(parts));
    const { size } = await handle.stat();
    if (size !== bytes) throw new MessageError(message("file.partly_written", { written: size, bytes }));
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Throws an error with the code ENOSPC and a message for a person if less than `spare` bytes would stay free. */
export async function assertDiskSpace(folder: string, bytes: number, spare = spareBytes): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + spare) return;
  const megabytes = (count: number) => Math.ceil(count / 1_000_000);
  const detail = message("disk.is_full", { needed: megabytes(bytes), free: megabytes(spare) });
  throw Object.assign(new MessageError(detail), { code: "ENOSPC" });
}

/** Joins thousands of small parts into few large chunks. All chunks share one buffer: write each before you take the next. */
function* joinIntoChunks(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const count = Math.min(chunkBytes - filled, part.length - at);
      chunk.set(part.subarray(at, at + count), filled);
      filled += count;
      at += count;
      if (filled === chunkBytes) {
        yield chunk;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
