// Where the parts of a rule's window and of its preview lie in their drawings, in percent of the width. Pure.
import type { RulePreview } from "@kit/contract";
import type { RecordingChange } from "./rule-form.ts";

export type Bar = { readonly from: number; readonly to: number };

export type WindowShape = {
  readonly pre: Bar;
  readonly post: Bar;
  /** In which another moment still joins. */
  readonly gap: Bar;
  readonly moment: number;
};

/** A moment needs a place even where nothing is around it. */
const leastSeconds = 0.5;

export function windowShape({ preSeconds, postSeconds, mergeGapSeconds }: Required<RecordingChange>): WindowShape {
  const all = Math.max(leastSeconds, preSeconds + postSeconds + mergeGapSeconds);
  const at = (seconds: number) => (seconds / all) * 100;
  const moment = at(preSeconds);
  const end = at(preSeconds + postSeconds);
  return { pre: { from: 0, to: moment }, post: { from: moment, to: end }, gap: { from: end, to: 100 }, moment };
}

export type StripClip = Bar & { readonly moments: readonly number[] };

/** More would be a hair wide each. */
const stripClipsMax = 8;
const betweenPercent = 1.5;

/** The newest clips side by side, each as wide as it is long; the time between them is left out. */
export function stripOf({ clips, moments }: RulePreview): StripClip[] {
  const first = Math.max(0, clips.length - stripClipsMax);
  const shown = clips.slice(first);
  const sum = shown.reduce((total, { seconds }) => total + Math.max(leastSeconds, seconds), 0);
  const room = 100 - betweenPercent * (shown.length - 1);
  let from = 0;
  return shown.map((clip, index) => {
    const lengthMs = Math.max(leastSeconds * 1_000, clip.seconds * 1_000);
    const width = (lengthMs / 1_000 / sum) * room;
    const place = { from, to: from + width };
    from = place.to + betweenPercent;
    const inIt = moments.filter((moment) => moment.clip === first + index);
    const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - Date.parse(clip.from)) / lengthMs));
    return { ...place, moments: inIt.map(({ at }) => place.from + share(at) * width) };
  });
}

/** What a preview made, the newest first: clips, and moments that are in none. */
export function madeIn({ clips, moments }: RulePreview) {
  const alone = moments.filter(({ became }) => became !== "clip" && became !== "joined");
  const made = [
    ...clips.map((clip) => ({ type: "clip", at: clip.from, clip }) as const),
    ...alone.map((moment) => ({ type: "moment", at: moment.at, moment }) as const),
  ];
  return made.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
