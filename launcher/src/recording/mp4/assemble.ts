// Makes a playable MP4 of footage, cut to a window of time, without encoding anything anew.
import { type Footage, NoFootage } from "../capture/backend.ts";
import type { Fragment } from "./fragment.ts";
import { type Layout, layOut } from "./layout.ts";
import { headOf } from "./movie.ts";
import { cutPictures } from "./pictures.ts";
import { endOf, joinRuns, type Piece, type Run, runsOf, type Timeline, withoutOverlaps } from "./pieces.ts";

// Cuts the sound to the window the pictures have.

/** Null when none of it lies in the window. */
function cutSound(
  runs: readonly (readonly Piece[])[],
  timescale: number,
  fromTicks: number,
  toTicks: number,
): Timeline | null {
  const all = withoutOverlaps(runs).flat();
  const first = all.findIndex(({ showTicks, durationTicks }) => showTicks + durationTicks > fromTicks);
  const end = all.findLastIndex(({ showTicks }) => showTicks < toTicks) + 1;
  if (first < 0 || end <= first) return null;
  // A decoder of sound needs the block before to begin without a click.
  const before = all[first - 1];
  const primed =
    before !== undefined && (all[first] as Piece).showTicks <= fromTicks && touches(before, all[first] as Piece);
  const kept = all.slice(primed ? first - 1 : first, end);
  const base = (kept[0] as Piece).decodeTicks;
  const last = kept.at(-1) as Piece;
  return {
    timescale,
    pieces: kept.map((piece) => ({
      ...piece,
      decodeTicks: piece.decodeTicks - base,
      showTicks: piece.showTicks - base,
    })),
    endTicks: last.decodeTicks + last.durationTicks - base,
    zeroTicks: fromTicks - base,
  };
}

function touches(before: Piece, piece: Piece): boolean {
  return piece.showTicks - before.showTicks < 2 * before.durationTicks;
}

/** Times are epoch milliseconds. */
export type AssembleOrder = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly title: string;
  readonly comment: string;
  readonly chapters: readonly { readonly atMs: number; readonly title: string }[];
  /** The moment the clip is about, where not all footage can lie in one file. Default: the first chapter's. */
  readonly tellingMs?: number;
  /** The epoch time of the footage's time 0, for files whose times begin at 0. */
  readonly offsetMs?: number;
};

export type Assembled = {
  /** The file, in order. They share memory with the fragments. */
  readonly parts: readonly Uint8Array[];
  readonly footage: Footage;
};

/**
 * Begins exactly at `fromMs` and ends before the first picture of `toMs` or later, as far as there is footage.
 * Two windows that adjoin have no picture twice. Throws NoFootage when no picture lies in the window.
 */
export function assemble(fragments: readonly Fragment[], order: AssembleOrder): Assembled {
  const { head, layout, footage } = planFile(runsOf(fragments), order);
  return { parts: [head, ...layout.ranges.map(({ media, at, end }) => media.subarray(at, end))], footage };
}

/** What is to be in the file: its head, and where the media behind it lies now. */
export function planFile(
  found: readonly Run[],
  order: AssembleOrder,
): { readonly head: Uint8Array; readonly layout: Layout; readonly footage: Footage } {
  const { offsetMs = 0, tellingMs = order.chapters[0]?.atMs ?? order.fromMs } = order;
  const runs = found.filter(({ video }) => video.length > 0);
  if (runs.length === 0) throw new NoFootage("Nothing was recorded at that time.");
  const usable = joinRuns(runs, tellingMs - offsetMs);
  const { init } = usable[0] as (typeof usable)[number];
  const { timescale } = init.video;
  const msOf = (ticks: number) => (ticks / timescale) * 1000 + offsetMs;
  const ticksOf = (ms: number, scale: number) => Math.round(((ms - offsetMs) / 1000) * scale);
  const videos = usable.map(({ video }) => video);
  const cut = cutPictures(videos, timescale, ticksOf(order.fromMs, timescale), ticksOf(order.toMs, timescale));
  if (cut === null) throw new NoFootage("No picture was recorded at that time.");
  const fromMs = msOf(cut.fromTicks);
  const toMs = msOf(cut.toTicks);
  const hears = init.sound?.timescale ?? 0;
  const sounds = usable.map(({ sound }) => sound);
  const sound = hears > 0 ? cutSound(sounds, hears, ticksOf(fromMs, hears), ticksOf(toMs, hears)) : null;
  const layout = layOut(sound === null ? [cut.timeline] : [cut.timeline, sound]);
  const head = headOf({
    init,
    video: cut.timeline,
    sound,
    durationTicks: cut.toTicks - cut.fromTicks,
    createdMs: fromMs,
    layout,
    metadata: {
      title: order.title,
      comment: order.comment,
      startedAt: new Date(fromMs).toISOString(),
      chapters: chaptersIn(order.chapters, fromMs, toMs),
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
      holes: cut.holes.map((hole) => ({ fromMs: msOf(hole.fromTicks), toMs: msOf(hole.toTicks) })),
      apart: runs.filter((run) => !usable.includes(run)).flatMap((run) => spanIn(run, order)),
    },
  };
}

/** The part of a run that lies in the window. */
function spanIn(
  { init, video }: Run,
  { fromMs, toMs, offsetMs = 0 }: AssembleOrder,
): { fromMs: number; toMs: number }[] {
  const msOf = (ticks: number) => (ticks / init.video.timescale) * 1000 + offsetMs;
  const span = {
    fromMs: Math.max(fromMs, msOf(video[0]?.showTicks ?? Number.POSITIVE_INFINITY)),
    toMs: Math.min(toMs, msOf(endOf(video))),
  };
  return span.fromMs < span.toMs ? [span] : [];
}

/** A chapter of a moment the file does not show would claim what is not there. */
function chaptersIn(
  chapters: AssembleOrder["chapters"],
  fromMs: number,
  toMs: number,
): { atSeconds: number; title: string }[] {
  return chapters
    .filter(({ atMs }) => atMs >= fromMs - 1 && atMs <= toMs)
    .map(({ atMs, title }) => ({ atSeconds: Math.max(0, atMs - fromMs) / 1000, title }))
    .sort((a, b) => a.atSeconds - b.atSeconds);
}
