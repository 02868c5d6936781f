// The words of the gallery and the player for what the wire says in codes.
import type { Clip, ClipKind, ClipSort } from "@kit/contract";
import { t } from "../../language/language.ts";
import type { Tone } from "../event-words.ts";
import type { IconName } from "../icon.tsx";

export const clipKindIcons: Record<ClipKind, IconName> = { clip: "film", screenshot: "picture", marker: "flag" };

export function kindsWord(kind: ClipKind): string {
  if (kind === "screenshot") return t("Screenshots");
  return kind === "marker" ? t("Markers") : t("Clips");
}

export const sortWord = (sort: ClipSort): string =>
  ({
    newest: t("Newest first"),
    longest: t("Longest first"),
    largest: t("Largest first"),
    priority: t("Most important first"),
    title: t("By title"),
  })[sort];

const stages: readonly NonNullable<Clip["stage"]>[] = ["waiting", "cutting", "verifying"];
const stageWord = (stage: NonNullable<Clip["stage"]>): string =>
  ({
    waiting: t("Waiting for the rest of the moment"),
    cutting: t("Cutting the clip"),
    verifying: t("Looking through it"),
  })[stage];

/** How far a pending clip is: the word, and the step of how many. */
export function progressOf({ stage }: Clip): { says: string; step: number; steps: number } {
  if (stage === undefined) return { says: t("In the making"), step: 0, steps: stages.length };
  return { says: stageWord(stage) ?? stage, step: stages.indexOf(stage) + 1, steps: stages.length };
}

/** A moment without footage. It is never shown as if it could be played. */
export const isMarker = ({ kind, state }: Clip): boolean => kind === "marker" || state === "marked";

export const isPlayable = (clip: Clip): boolean => clip.state === "saved" && !clip.missing && clip.kind !== "marker";

/** Of a video a part can be made, and a copy that fits somewhere. */
export const isVideo = (clip: Clip): boolean => isPlayable(clip) && clip.kind === "clip";

export const markerSays = (): string => t("A marker: the moment is noted, no video was recorded.");

type BadgeWord = { readonly says: string; readonly tone: Tone; readonly icon?: IconName; readonly title?: string };

/** What a card says beside its title, the most important first. */
export function badgesOf(clip: Clip): BadgeWord[] {
  const badges: BadgeWord[] = [];
  if (clip.state === "failed") badges.push({ says: t("Failed"), tone: "bad" });
  if (clip.missing)
    badges.push({ says: t("File missing"), tone: "bad", title: t("The file is no longer where it was saved") });
  if (clip.hasError)
    badges.push({ says: t("Error"), tone: "warn", icon: "warning", title: t("An error was reported in it") });
  if (clip.kind === "screenshot") badges.push({ says: t("Screenshot"), tone: "plain", icon: "picture" });
  if (isMarker(clip)) badges.push({ says: t("Marker"), tone: "plain", icon: "flag", title: markerSays() });
  if (clip.pinned)
    badges.push({ says: t("Pinned"), tone: "moving", icon: "pin", title: t("Never removed to make room") });
  if (clip.shared) badges.push({ says: t("Shared"), tone: "good" });
  return badges;
}

/** What was done about clips, as the toast says it. */
export const doneWords = {
  deleted: (count: number): string =>
    count === 1
      ? t("Moved to the bin.")
      : t("{{count}} clips moved to the bin.", { count, defaultValue_one: "{{count}} clip moved to the bin." }),
  restored: (count: number): string =>
    count === 1
      ? t("Taken back out of the bin.")
      : t("{{count}} clips taken back out of the bin.", {
          count,
          defaultValue_one: "{{count}} clip taken back out of the bin.",
        }),
  removed: (count: number): string =>
    count === 1
      ? t("Removed for good.")
      : t("{{count}} clips removed for good.", { count, defaultValue_one: "{{count}} clip removed for good." }),
  pinned: (count: number): string =>
    t("{{count}} clips pinned.", { count, defaultValue_one: "{{count}} clip pinned." }),
  unpinned: (count: number): string =>
    t("{{count}} clips are no longer pinned.", { count, defaultValue_one: "{{count}} clip is no longer pinned." }),
  tagged: (count: number): string =>
    t("Tags of {{count}} clips changed.", { count, defaultValue_one: "Tags of {{count}} clip changed." }),
  partAsked: (): string => t("The part is being made. The clip it is of stays as it is."),
};

export const momentsWord = (count: number): string =>
  t("{{count}} moments", { count, defaultValue_one: "{{count}} moment" });

export const testWords = {
  get ask(): string {
    return t("Record a test clip");
  },
  get busy(): string {
    return t("Recording a few seconds…");
  },
};
export const fireCommand = "npx kit fire recording mygame_boss_defeated";
