// Texts of the Rules page: for codes in the launcher's replies, and for counts.
import type { EventKind, RecordingAction, RecordingRule, RulePreview } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import { formatDateAndMinute, formatMinute, formatNumber } from "../../ui/format.ts";
import type { IconName } from "../../ui/icon.tsx";

export function eventKindText(kind: EventKind): string {
  if (kind === "recording") return t("Recording");
  return kind === "social" ? t("Social") : t("Error");
}

export const recordingActionIcons: Record<RecordingAction, IconName> = {
  clip: "film",
  screenshot: "picture",
  marker: "flag",
  nothing: "refused",
};

export function recordingActionText(action: RecordingAction): string {
  if (action === "clip") return t("Clip");
  if (action === "screenshot") return t("Screenshot");
  return action === "marker" ? t("Marker") : t("Nothing");
}

/** Returns in two or three words what Kit makes of an event. */
export function recordingOutcomeText({ action, preSeconds, postSeconds }: RecordingRule): string {
  if (action !== "clip") return recordingActionText(action);
  return t("Clip of {{seconds}} s", { seconds: formatNumber(preSeconds + postSeconds) });
}

/** Says how early clips of this priority are deleted when space runs low. */
export function priorityText(priority: number): string {
  if (priority < 200) return t("Deleted first");
  if (priority < 400) return t("Deleted early");
  if (priority <= 600) return t("Normal");
  return priority <= 800 ? t("Deleted late") : t("Deleted last");
}

export function eventIconLabel(icon: string): string {
  const words: Record<string, string> = {
    star: t("Star"),
    trophy: t("Trophy"),
    sword: t("Sword"),
    skull: t("Skull"),
    heart: t("Heart"),
    flag: t("Flag"),
    key: t("Key"),
    map: t("Map"),
    clock: t("Clock"),
    bolt: t("Bolt"),
    fire: t("Fire"),
    gift: t("Gift"),
    ghost: t("Ghost"),
    bug: t("Bug"),
  };
  return words[icon] ?? icon;
}

/**
 * Returns the name of a field of a kit.events.json file. A field that only a newer launcher knows is shown by its own
 * name.
 */
export function eventsFileFieldText(what: string): string {
  const words: Record<string, string> = {
    label: t("Label"),
    icon: t("Icon"),
    game: t("Listed as a game"),
    name: t("The game's name"),
    build: t("Build"),
    "post.text": t("Suggested text"),
    "recording.action": t("Action"),
    "recording.preSeconds": t("Before the moment"),
    "recording.postSeconds": t("After the moment"),
    "recording.mergeGapSeconds": t("Merge gap"),
    "recording.longestSeconds": t("Maximum length"),
    "recording.cooldownSeconds": t("Cooldown"),
    "recording.priority": t("Priority"),
  };
  return words[what] ?? what;
}

/** Returns the time of day, with the date unless it is today. */
const formatTime = (at: string, nowMs: number): string =>
  new Date(at).toDateString() === new Date(nowMs).toDateString() ? formatMinute(at) : formatDateAndMinute(at);

/** Returns how long ago a time was, for example "3 minutes ago". */
export function timeAgo(at: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(at)) / 1_000;
  if (Number.isNaN(seconds)) return at;
  const units = [
    ["year", 365 * 86_400],
    ["month", 30 * 86_400],
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  const found = units.find(([, length]) => seconds >= length);
  if (found === undefined) return t("just now");
  const [unit, length] = found;
  return new Intl.RelativeTimeFormat(locale(), { numeric: "always" }).format(-Math.floor(seconds / length), unit);
}

/** Describes a clip that a rule would have made. */
export function previewClipText(clip: RulePreview["clips"][number], nowMs: number): string {
  const { moments: count, others } = clip;
  const seconds = formatNumber(Math.round(clip.seconds * 10) / 10);
  const at = formatTime(clip.from, nowMs);
  if (others === 0)
    return t("A clip of {{seconds}} s at {{at}}, with {{count, number}} moments", {
      count,
      seconds,
      at,
      defaultValue_one: "A clip of {{seconds}} s at {{at}}, with {{count, number}} moment",
    });
  return t("A clip of {{seconds}} s at {{at}}, with {{count, number}} moments, and {{others}} from other events", {
    count,
    seconds,
    at,
    others: formatNumber(others),
    defaultValue_one:
      "A clip of {{seconds}} s at {{at}}, with {{count, number}} moment, and {{others}} from other events",
  });
}

/** Describes a moment that would be in no clip. */
export function previewMomentText({ became, at }: RulePreview["moments"][number], nowMs: number): string {
  const when = { at: formatTime(at, nowMs) };
  if (became === "screenshot") return t("A screenshot at {{at}}", when);
  return became === "marker" ? t("A marker at {{at}}", when) : t("Nothing recorded at {{at}}", when);
}
