// Plans a reel: which seconds of which clips follow one another, and which moments they show.

import {
  type BodyOf,
  type Clip,
  fieldError,
  type makeReel,
  oneClipPerMoment,
  payloadInvalid,
  type ReelPart,
  textOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { localDate } from "../../local-time.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import { selectRange } from "../exports/encode.ts";
import { type ClipPlan, type Moment, offsetInFile, titleOfClip } from "../plans/plan.ts";

export type ReelRequest = BodyOf<typeof makeReel>;
export type PartRequest = NonNullable<ReelRequest["parts"]>[number];

export type ReelPlan = {
  readonly plan: ClipPlan;
  readonly parts: readonly ReelPart[];
  readonly backend: Clip["backend"];
};

const shortestSeconds = 0.5;
/** Tolerance, because the dashboard rounds lengths. */
const roundedSeconds = 0.05;

/** Throws KitError payload_invalid with the reason if the clip cannot be part of a reel. */
function checkPart({ kind, state, deletedAt, missing, title }: Clip): void {
  const isPlayable = kind === "clip" && state === "saved" && deletedAt === null;
  if (!isPlayable) throw payloadInvalid(message("reel.only_saved_clips", { title }));
  if (missing) throw payloadInvalid(message("reel.file_gone", { title }));
}

/** Returns the second of the moment that the clip is about. Errors come last. */
function mainSecond({ clip, fromMs, moments }: StoredClip): number | undefined {
  const main =
    moments.find(({ label, kind }) => label === clip.title && kind !== "monitor") ??
    moments.find(({ kind }) => kind !== "monitor") ??
    moments[0];
  return main === undefined ? undefined : offsetInFile(main, fromMs) / 1_000;
}

type Seconds = { readonly fromSeconds: number; readonly toSeconds: number };

function rangeOf(source: StoredClip, wanted: PartRequest, at: number, around: number | undefined): Seconds {
  const { duration } = source.clip;
  const { fromSeconds, toSeconds } = wanted;
  if (fromSeconds === undefined && toSeconds === undefined) {
    const second = mainSecond(source);
    const range = selectRange(duration, around, second === undefined ? [] : [second]);
    return { fromSeconds: range.fromSeconds, toSeconds: range.fromSeconds + range.seconds };
  }
  const given = { fromSeconds: fromSeconds ?? 0, toSeconds: Math.min(toSeconds ?? duration, duration) };
  if ((toSeconds ?? 0) > duration + roundedSeconds || given.toSeconds - given.fromSeconds < shortestSeconds) {
    throw payloadInvalid(
      message("reel.range_outside", { title: source.clip.title, length: `${duration.toFixed(2)} s` }),
      fieldError(`/parts/${at}/toSeconds`, message("field.expected_at_most_length", { seconds: duration.toFixed(2) })),
    );
  }
  return given;
}

/** Returns the moments that the parts show, each once and with its place in the reel. */
export function momentsOfParts(sources: readonly StoredClip[], parts: readonly ReelPart[]): Moment[] {
  const shown = new Map<string, Moment>();
  for (const [i, { offset, fromSeconds, toSeconds }] of parts.entries()) {
    const { moments = [], fromMs = 0 } = sources[i] ?? {};
    for (const moment of moments) {
      const ms = offsetInFile(moment, fromMs) - fromSeconds * 1_000;
      if (ms < 0 || ms > (toSeconds - fromSeconds) * 1_000 || shown.has(moment.event)) continue;
      shown.set(moment.event, { ...moment, offsetMs: Math.round(offset * 1_000 + ms) });
    }
  }
  return [...shown.values()];
}

const allEqual = <T>([first, ...rest]: readonly T[]) => rest.every((one) => one === first);
/** Rounds to milliseconds, so that another try after a crash makes the same reel. */
const rounded = (seconds: number) => Math.round(seconds * 1_000) / 1_000;

/** Whether two reels show the same: the same seconds of the same clips, with the same titles, in the same order. */
export function isSameReel(one: readonly ReelPart[], other: readonly ReelPart[]): boolean {
  const shown = (parts: readonly ReelPart[]) =>
    JSON.stringify(
      parts.map(({ clip, title, fromSeconds, toSeconds, fades = false }) => [
        clip,
        title,
        fromSeconds,
        toSeconds,
        fades,
      ]),
    );
  return shown(one) === shown(other);
}

/** `sources` are the clips of the parts, in their order. Throws KitError payload_invalid. */
export function planReel(
  sources: readonly StoredClip[],
  wanted: readonly PartRequest[],
  { title, aroundSeconds, fade }: Pick<ReelRequest, "title" | "aroundSeconds" | "fade">,
  id: string,
): ReelPlan {
  let offset = 0;
  const parts = sources.map((source, i): ReelPart => {
    checkPart(source.clip);
    const part = wanted[i] ?? { clip: source.clip.id };
    const range = rangeOf(source, part, i, aroundSeconds);
    const fromSeconds = rounded(range.fromSeconds);
    const toSeconds = rounded(range.toSeconds);
    const placed = { clip: source.clip.id, title: part.title ?? source.clip.title, offset, fromSeconds, toSeconds };
    offset = rounded(offset + toSeconds - fromSeconds);
    return fade ? { ...placed, fades: true } : placed;
  });
  const [first] = sources;
  if (first === undefined) throw payloadInvalid(message("reel.no_clips"));
  const fromMs = Math.round(first.fromMs + (parts[0]?.fromSeconds ?? 0) * 1_000);
  const games = sources.map(({ clip }) => clip.game);
  const plan: ClipPlan = {
    id,
    kind: "clip",
    game: allEqual(games) ? (games[0] ?? null) : null,
    ...titleOf(title, sources, fromMs),
    fromMs,
    toMs: fromMs + Math.round(offset * 1_000),
    moments: momentsOfParts(sources, parts),
    priority: Math.max(...sources.map(({ clip }) => clip.priority)),
    notes: [],
  };
  return { plan, parts, backend: first.clip.backend };
}

function titleOf(title: string | undefined, sources: readonly StoredClip[], fromMs: number) {
  const [first, ...others] = sources;
  if (title !== undefined) return { title };
  if (first !== undefined && others.length === 0) return titleOfClip(first.clip);
  const titleMessage = message("reel.of_day", { day: localDate(fromMs) });
  return { title: textOf(titleMessage), titleMessage };
}

/** `found` begins with the best clip. Returns up to `count` different moments, in the order of their times. */
export function chooseBest(found: readonly StoredClip[], count: number): StoredClip[] {
  const best = oneClipPerMoment(found.map(({ clip }) => clip)).slice(0, count);
  return found.filter(({ clip }) => best.includes(clip)).toSorted((a, b) => a.fromMs - b.fromMs);
}
