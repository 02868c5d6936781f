// Lengths, sizes and times as a person says them. Pure but for the language they are said in.
import { locale, t } from "../language/language.ts";

const pad = (number: number) => String(number).padStart(2, "0");
const wholeOf = (seconds: number) => (Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : 0);

/** A length or a place in a clip as a player shows it: 0:17, 2:05, 1:02:05. */
export function clockOf(seconds: number): string {
  const whole = wholeOf(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** A place as exactly as a frame needs it: 0:17.03. */
export function exactClockOf(seconds: number): string {
  const hundredths = wholeOf(seconds * 100);
  return `${Math.floor(hundredths / 6_000)}:${pad(Math.floor(hundredths / 100) % 60)}.${pad(hundredths % 100)}`;
}

const secondsWord = (count: number) => t("{{count}} seconds", { count, defaultValue_one: "{{count}} second" });
const minutesWord = (count: number) => t("{{count}} minutes", { count, defaultValue_one: "{{count}} minute" });

/** A length for who listens: 17 seconds, 2 minutes 5 seconds. */
export function spokenLengthOf(seconds: number): string {
  const whole = wholeOf(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (minutes === 0) return secondsWord(rest);
  if (rest === 0) return minutesWord(minutes);
  return t("{{minutes}} {{seconds}}", { minutes: minutesWord(minutes), seconds: secondsWord(rest) });
}

/** The same to the hundredth of a second, for a place that is set to a frame. */
export function spokenPlaceOf(seconds: number): string {
  const hundredths = wholeOf(seconds * 100);
  const rest = ((hundredths % 6_000) / 100).toLocaleString(locale() ?? "en", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const minutes = Math.floor(hundredths / 6_000);
  const exact = t("{{seconds}} seconds", { seconds: rest });
  return minutes === 0 ? exact : t("{{minutes}} {{seconds}}", { minutes: minutesWord(minutes), seconds: exact });
}

const sizes = ["B", "kB", "MB", "GB", "TB"] as const;

/** Bytes in thousands, as disks are sold and quotas are set: 0 B, 843 kB, 12.4 MB, 20 GB. */
export function sizeOf(bytes: number): string {
  let value = Math.max(0, bytes);
  let step = 0;
  while (value >= 999.5 && step < sizes.length - 1) [value, step] = [value / 1000, step + 1];
  const shown = step >= 2 && value < 99.95 ? value.toFixed(1).replace(/\.0$/u, "") : String(Math.round(value));
  return `${shown} ${sizes[step]}`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago, as one says it; older than a day the time of day, older than a week the date. */
export function agoOf(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return at;
  const agoMs = nowMs - atMs;
  if (agoMs < minuteMs) return t("just now");
  if (agoMs < dayMs) {
    const relative = new Intl.RelativeTimeFormat(locale() ?? "en", { numeric: "auto" });
    if (agoMs < hourMs) return relative.format(-Math.floor(agoMs / minuteMs), "minute");
    return relative.format(-Math.floor(agoMs / hourMs), "hour");
  }
  const format: Intl.DateTimeFormatOptions =
    agoMs < 7 * dayMs ? { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } : { dateStyle: "medium" };
  return new Intl.DateTimeFormat(locale(), format).format(atMs);
}

/** When exactly, as the person's region writes it. */
export const whenOf = (at: string): string => new Date(at).toLocaleString(locale());
