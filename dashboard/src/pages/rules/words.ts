// The Rules page's words for what the wire says in codes.
import type { EventKind, RecordingAction, RecordingRule, RulePreview } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import type { IconName } from "../../ui/icon.tsx";
import { formatNumber } from "../../ui/recorder/recorder-words.ts";

/** A number as it stands in a field: nothing between its digits. */
export const numberWord = (value: number): string => String(value);

export function kindWord(kind: EventKind): string {
  if (kind === "recording") return t("Recording");
  return kind === "social" ? t("Social") : t("Error");
}

export const actionIcons: Record<RecordingAction, IconName> = {
  clip: "film",
  screenshot: "picture",
  marker: "flag",
  nothing: "refused",
};

/** What a person chooses from. */
export function actionWord(action: RecordingAction): string {
  if (action === "clip") return t("Clip");
  if (action === "screenshot") return t("Screenshot");
  return action === "marker" ? t("Marker") : t("Nothing");
}

/** What an event makes of the screen, in two or three words. */
export function makesWord({ action, preSeconds, postSeconds }: RecordingRule): string {
  if (action !== "clip") return actionWord(action);
  return t("Clip of {{seconds}} s", { seconds: formatNumber(preSeconds + postSeconds) });
}

/** How long what it makes is kept when room is needed. */
export function priorityWord(priority: number): string {
  if (priority < 200) return t("Goes first");
  if (priority < 400) return t("Goes early");
  if (priority <= 600) return t("As others");
  return priority <= 800 ? t("Kept longer") : t("Kept longest");
}

export function iconWord(icon: string): string {
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

/** A member of a kit.events.json; what a newer launcher names is shown as it is. */
export function memberWord(what: string): string {
  const words: Record<string, string> = {
    label: t("Label"),
    icon: t("Picture"),
    game: t("Known as a game"),
    name: t("The game's name"),
    "post.text": t("Proposed text"),
    "recording.action": t("What happens"),
    "recording.preSeconds": t("Before the moment"),
    "recording.postSeconds": t("After the moment"),
    "recording.mergeGapSeconds": t("Joins within"),
    "recording.longestSeconds": t("Longest"),
    "recording.cooldownSeconds": t("Cooldown"),
    "recording.priority": t("Priority"),
  };
  return words[what] ?? what;
}

/** A time of day; of another day with its date. */
function timeWord(at: string, nowMs: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const today = date.toDateString() === new Date(nowMs).toDateString();
  const shown = today ? clock : ({ ...clock, day: "numeric", month: "short" } as const);
  return new Intl.DateTimeFormat(locale(), shown).format(date);
}

/** `my_game_boss` came 3 minutes ago. */
export function agoWord(at: string, nowMs: number): string {
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

/** A clip of a preview, in a sentence. */
export function previewClipWord(clip: RulePreview["clips"][number], nowMs: number): string {
  const { moments: count, others } = clip;
  const seconds = formatNumber(Math.round(clip.seconds * 10) / 10);
  const at = timeWord(clip.from, nowMs);
  if (others === 0)
    return t("A clip of {{seconds}} s at {{at}}, with {{count, number}} moments", {
      count,
      seconds,
      at,
      defaultValue_one: "A clip of {{seconds}} s at {{at}}, with {{count, number}} moment",
    });
  return t("A clip of {{seconds}} s at {{at}}, with {{count, number}} moments and {{others}} of other events", {
    count,
    seconds,
    at,
    others: formatNumber(others),
    defaultValue_one: "A clip of {{seconds}} s at {{at}}, with {{count, number}} moment and {{others}} of other events",
  });
}

/** A moment of a preview that is in no clip. */
export function previewMomentWord({ became, at }: RulePreview["moments"][number], nowMs: number): string {
  const when = { at: timeWord(at, nowMs) };
  if (became === "screenshot") return t("A screenshot at {{at}}", when);
  return became === "marker" ? t("A marker at {{at}}", when) : t("Nothing at {{at}}", when);
}
