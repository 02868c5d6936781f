// Positions in the drawing of a rule and of its preview, in percent of the width.
import type { RulePreview } from "@kit/contract";
import type { RecordingChange } from "./rule-form.ts";

export type PercentRange = { readonly from: number; readonly to: number };

export type ClipShape = {
  readonly pre: PercentRange;
  readonly post: PercentRange;
  /** Another moment within this part extends the clip. */
  readonly gap: PercentRange;
  readonly moment: number;
};

/** The drawing shows at least this many seconds, so that a clip of no length can be seen. */
const minSeconds = 0.5;

export function clipShape({ preSeconds, postSeconds, mergeGapSeconds }: Required<RecordingChange>): ClipShape {
  const all = Math.max(minSeconds, preSeconds + postSeconds + mergeGapSeconds);
  const at = (seconds: number) => (seconds / all) * 100;
  const moment = at(preSeconds);
  const end = at(preSeconds + postSeconds);
  return { pre: { from: 0, to: moment }, post: { from: moment, to: end }, gap: { from: end, to: 100 }, moment };
}

export type PreviewStripClip = PercentRange & { readonly moments: readonly number[] };

/** Maximum clips in the strip. If there were more, each would be too narrow to see. */
const stripClipsMax = 8;
const betweenPercent = 1.5;

/** Places the newest clips side by side. Each is as wide as it is long; the time between clips is left out. */
export function previewStrip({ clips, moments }: RulePreview): PreviewStripClip[] {
  const first = Math.max(0, clips.length - stripClipsMax);
  const shown = clips.slice(first);
  const sum = shown.reduce((total, { seconds }) => total + Math.max(minSeconds, seconds), 0);
  const room = 100 - betweenPercent * (shown.length - 1);
  let from = 0;
  return shown.map((clip, index) => {
    const lengthMs = Math.max(minSeconds * 1_000, clip.seconds * 1_000);
    const width = (lengthMs / 1_000 / sum) * room;
    const place = { from, to: from + width };
    from = place.to + betweenPercent;
    const inIt = moments.filter((moment) => moment.clip === first + index);
    const share = (at: string) => Math.min(1, Math.max(0, (Date.parse(at) - Date.parse(clip.from)) / lengthMs));
    return { ...place, moments: inIt.map(({ at }) => place.from + share(at) * width) };
  });
}

/** Returns the clips of a preview, and the moments that are in no clip, newest first. */
export function rulePreviewItems({ clips, moments }: RulePreview) {
  const alone = moments.filter(({ became }) => became !== "clip" && became !== "joined");
  const made = [
    ...clips.map((clip) => ({ type: "clip", at: clip.from, clip }) as const),
    ...alone.map((moment) => ({ type: "moment", at: moment.at, moment }) as const),
  ];
  return made.sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}
