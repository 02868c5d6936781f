// Texts for the states and kinds of clips.
import type { Clip, ClipKind, ClipSort } from "@kit/contract";
import { t, translateMessage } from "../../language/language.ts";
import type { BadgeTone } from "../event-text.ts";
import { formatClock } from "../format.ts";
import type { IconName } from "../icon.tsx";

export const clipTitleCharsMax = 200;

export const clipKindIcons: Record<ClipKind, IconName> = { clip: "film", screenshot: "picture", marker: "flag" };

export function clipKindLabel(kind: ClipKind): string {
  if (kind === "screenshot") return t("Screenshots");
  return kind === "marker" ? t("Markers") : t("Clips");
}

export const clipSortLabel = (sort: ClipSort): string =>
  ({
    newest: t("Newest first"),
    longest: t("Longest first"),
    largest: t("Largest first"),
    best: t("Best moments first"),
    title: t("By title"),
  })[sort];

const stages: readonly NonNullable<Clip["stage"]>[] = ["waiting", "cutting", "verifying"];
const stageWord = (stage: NonNullable<Clip["stage"]>): string =>
  ({
    waiting: t("Waiting for the post-roll"),
    cutting: t("Cutting the clip"),
    verifying: t("Verifying the clip"),
  })[stage];

export const isReelInProgress = ({ state, parts }: Clip): boolean => state === "pending" && parts !== undefined;

function reelProgress({ stage, progress }: Clip): string {
  if (stage === "waiting") return t("Waiting for another reel");
  if (stage === "verifying") return t("Verifying the reel");
  const percent = Math.round((progress?.share ?? 0) * 100);
  const seconds = progress?.secondsLeft ?? null;
  return seconds === null
    ? t("Making the reel: {{percent}} %", { percent })
    : t("Making the reel: {{percent}} %, {{time}} left", { percent, time: formatClock(seconds) });
}

/** `share` is how much is done, from 0 to 1. `step` is the number of the current step; 0 if it is unknown or there are none. */
type ClipProgress = { says: string; share: number; step: number; steps: number };

/** Returns the progress of a pending clip. */
export function clipProgress(clip: Clip): ClipProgress {
  const { stage } = clip;
  const steps = stages.length;
  if (isReelInProgress(clip)) return { says: reelProgress(clip), share: clip.progress?.share ?? 0, step: 0, steps };
  if (stage === undefined) return { says: t("Creating the clip"), share: 0, step: 0, steps };
  const step = stages.indexOf(stage) + 1;
  return { says: stageWord(stage) ?? stage, share: step / (steps + 1), step, steps };
}

/** Whether a clip is a moment without footage. The dashboard never offers to play one. */
/** Returns the title in the language of the reader, if Kit made it up. */
export const clipTitle = ({ title, titleMessage }: Pick<Clip, "title" | "titleMessage">): string =>
  titleMessage === undefined ? title : translateMessage(titleMessage);

export const isMarker = ({ kind, state }: Clip): boolean => kind === "marker" || state === "marked";

export const isPlayable = (clip: Clip): boolean => clip.state === "saved" && !clip.missing && clip.kind !== "marker";

/** Whether a clip is a saved video. Only such clips can be trimmed or exported. */
export const isSavedVideo = (clip: Clip): boolean => isPlayable(clip) && clip.kind === "clip";

export const markerExplanation = (): string => t("A marker: the moment is stored, but no video was recorded.");

type BadgeWord = { readonly says: string; readonly tone: BadgeTone; readonly icon?: IconName; readonly title?: string };

/** Returns the badges of a clip, the most important first. */
export function clipBadges(clip: Clip): BadgeWord[] {
  const badges: BadgeWord[] = [];
  if (clip.state === "failed") badges.push({ says: t("Failed"), tone: "bad" });
  if (clip.missing) badges.push({ says: t("File missing"), tone: "bad", title: t("The file was moved or deleted") });
  if (clip.subject === "error")
    badges.push({
      says: t("Error"),
      tone: "warn",
      icon: "warning",
      title: t("A clip of an error report"),
    });
  if (clip.parts !== undefined) badges.push({ says: t("Reel"), tone: "plain", icon: "film" });
  if (clip.kind === "screenshot") badges.push({ says: t("Screenshot"), tone: "plain", icon: "picture" });
  if (isMarker(clip)) badges.push({ says: t("Marker"), tone: "plain", icon: "flag", title: markerExplanation() });
  if (clip.pinned)
    badges.push({
      says: t("Pinned"),
      tone: "moving",
      icon: "pin",
      title: t("Pinned clips are never deleted to free up space"),
    });
  if (clip.shared) badges.push({ says: t("Shared"), tone: "good" });
  return badges;
}

/** Texts of the toasts that confirm an action on clips. */
export const clipToasts = {
  deleted: (count: number): string =>
    count === 1
      ? t("Moved to the trash.")
      : t("{{count}} clips moved to the trash.", { count, defaultValue_one: "{{count}} clip moved to the trash." }),
  restored: (count: number): string =>
    count === 1
      ? t("Restored from the trash.")
      : t("{{count}} clips restored from the trash.", {
          count,
          defaultValue_one: "{{count}} clip restored from the trash.",
        }),
  removed: (count: number): string =>
    count === 1
      ? t("Deleted permanently.")
      : t("{{count}} clips deleted permanently.", { count, defaultValue_one: "{{count}} clip deleted permanently." }),
  pinned: (count: number): string =>
    t("{{count}} clips pinned.", { count, defaultValue_one: "{{count}} clip pinned." }),
  unpinned: (count: number): string =>
    t("{{count}} clips unpinned.", { count, defaultValue_one: "{{count}} clip unpinned." }),
  tagged: (count: number): string =>
    t("Tags of {{count}} clips changed.", { count, defaultValue_one: "Tags of {{count}} clip changed." }),
  partAsked: (): string => t("Creating the trimmed clip. The original clip stays unchanged."),
};

export const momentCountText = (count: number): string =>
  t("{{count}} moments", { count, defaultValue_one: "{{count}} moment" });

export const testRecordingLabels = {
  get ask(): string {
    return t("Record a test clip");
  },
  get busy(): string {
    return t("Recording a few seconds…");
  },
};
export const exampleClipCommand = "kit fire recording mygame_boss_defeated";
