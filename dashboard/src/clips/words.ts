// The words of the gallery and the player for what the wire says in codes.
import type { Clip, ClipKind } from "@kit/contract";
import type { IconName } from "../frame/icon.tsx";
import type { Tone } from "../live/words.ts";

export const clipKindWords: Record<ClipKind, { one: string; many: string; icon: IconName }> = {
  clip: { one: "Clip", many: "Clips", icon: "film" },
  screenshot: { one: "Screenshot", many: "Screenshots", icon: "picture" },
  marker: { one: "Marker", many: "Markers", icon: "flag" },
};

const stageWords: Record<NonNullable<Clip["stage"]>, string> = {
  waiting: "Waiting for the rest of the moment",
  cutting: "Cutting the clip",
  verifying: "Looking through it",
};
const stages = Object.keys(stageWords) as NonNullable<Clip["stage"]>[];

/** How far a pending clip is: the word, and the step of how many. */
export function progressOf({ stage }: Clip): { says: string; step: number; steps: number } {
  if (stage === undefined) return { says: "In the making", step: 0, steps: stages.length };
  return { says: stageWords[stage] ?? stage, step: stages.indexOf(stage) + 1, steps: stages.length };
}

/** A moment without footage. It is never shown as if it could be played. */
export const isMarker = ({ kind, state }: Clip): boolean => kind === "marker" || state === "marked";

export const isPlayable = (clip: Clip): boolean => clip.state === "saved" && !clip.missing && clip.kind !== "marker";

export const markerSays = "A marker: the moment is noted, no video was recorded.";
export const markersSay = "Moments without video. Nothing was recorded of them.";

type BadgeWord = { readonly says: string; readonly tone: Tone; readonly icon?: IconName; readonly title?: string };

/** What a card says beside its title, the most important first. */
export function badgesOf(clip: Clip): BadgeWord[] {
  const badges: BadgeWord[] = [];
  if (clip.state === "failed") badges.push({ says: "Failed", tone: "bad" });
  if (clip.missing)
    badges.push({ says: "File missing", tone: "bad", title: "The file is no longer where it was saved" });
  if (clip.hasError)
    badges.push({ says: "Error", tone: "warn", icon: "warning", title: "An error was reported in it" });
  if (clip.kind === "screenshot") badges.push({ says: "Screenshot", tone: "plain", icon: "picture" });
  if (isMarker(clip)) badges.push({ says: "Marker", tone: "plain", icon: "flag", title: markerSays });
  if (clip.pinned) badges.push({ says: "Pinned", tone: "moving", icon: "pin", title: "Never removed to make room" });
  if (clip.shared) badges.push({ says: "Shared", tone: "good" });
  return badges;
}

/** What was done about a clip, as the toast says it. */
export const doneWords = {
  deleted: "Moved to the bin.",
  restored: "Taken back out of the bin.",
  removed: "Removed for good.",
} as const;

export const momentsWord = (count: number): string => (count === 1 ? "1 moment" : `${count} moments`);

export const testWords = { ask: "Record a test clip", busy: "Recording a few seconds…" } as const;
export const fireCommand = "npx kit fire recording mygame_boss_defeated";
