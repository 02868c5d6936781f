// Formats counts, durations, sizes and times, and groups rows by day. Pure except for the current language.
import { currentLanguage, type Language, locale, t } from "../language/language.ts";

export const formatNumber = (value: number): string => value.toLocaleString(locale());

const pad = (number: number) => String(number).padStart(2, "0");
const wholeOf = (seconds: number) => (Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : 0);

/** Formats a duration or position as players show it: 0:17, 2:05, 1:02:05. */
export function formatClock(seconds: number): string {
  const whole = wholeOf(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** Formats a position with hundredths of a second, exact enough to tell frames apart: 0:17.03. */
export function formatExactClock(seconds: number): string {
  const hundredths = wholeOf(seconds * 100);
  return `${Math.floor(hundredths / 6_000)}:${pad(Math.floor(hundredths / 100) % 60)}.${pad(hundredths % 100)}`;
}

/** Formats a duration in at most two units: 35 s, 48 min, 1 h 12 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return t("{{seconds}} s", { seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("{{minutes}} min", { minutes });
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? t("{{hours}} h", { hours }) : t("{{hours}} h {{minutes}} min", { hours, minutes: rest });
}

const secondsWord = (count: number) => t("{{count}} seconds", { count, defaultValue_one: "{{count}} second" });
const minutesWord = (count: number) => t("{{count}} minutes", { count, defaultValue_one: "{{count}} minute" });

/** Formats a duration for screen readers: 17 seconds, 2 minutes 5 seconds. */
export function spokenDuration(seconds: number): string {
  const whole = wholeOf(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (minutes === 0) return secondsWord(rest);
  if (rest === 0) return minutesWord(minutes);
  return t("{{minutes}} {{seconds}}", { minutes: minutesWord(minutes), seconds: secondsWord(rest) });
}

/** Formats a position for screen readers, with hundredths of a second. */
export function spokenPosition(seconds: number): string {
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

/** Formats bytes in decimal units, as they are usual for disks: 0 B, 843 kB, 12.4 MB, 20 GB. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let step = 0;
  while (value >= 999.5 && step < sizes.length - 1) [value, step] = [value / 1000, step + 1];
  const shown = step >= 2 && value < 99.95 ? value.toFixed(1).replace(/\.0$/u, "") : String(Math.round(value));
  return `${shown} ${sizes[step]}`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const units = [
  { unit: "year", ms: 365 * dayMs },
  { unit: "month", ms: 30 * dayMs },
  { unit: "day", ms: dayMs },
  { unit: "hour", ms: hourMs },
  { unit: "minute", ms: minuteMs },
] as const;
const relative = new Intl.RelativeTimeFormat(locale() ?? "en", { numeric: "always" });

/**
 * Formats a past time relative to now, in one unit. A time in the future, which comes from a wrong clock, counts as
 * now.
 */
export function formatRelativeTime(at: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(at);
  if (Number.isNaN(agoMs)) return at;
  const found = units.find(({ ms }) => agoMs >= ms);
  return found === undefined ? t("just now") : relative.format(-Math.floor(agoMs / found.ms), found.unit);
}

const formatLocal = (at: string, format: Intl.DateTimeFormatOptions): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString(locale(), { ...format, hourCycle: "h23" });
};

/** Formats the local date. */
export const formatDay = (at: string): string => formatLocal(at, { dateStyle: "medium" });

/** Formats the local time of day. */
export const formatMinute = (at: string): string => formatLocal(at, { hour: "2-digit", minute: "2-digit" });

const clock = {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
} as const;
const dateAndClock = { year: "numeric", month: "short", day: "numeric", ...clock } as const;

const formatsFor = (tag: string | undefined) => ({
  clock: new Intl.DateTimeFormat(tag, clock),
  dateAndClock: new Intl.DateTimeFormat(tag, dateAndClock),
});

/**
 * Cached, because creating a format is expensive and a list shows hundreds of times. In English, formats follow the
 * browser's region.
 */
const formats: Record<Language, ReturnType<typeof formatsFor>> = { en: formatsFor(undefined), ja: formatsFor("ja") };

function formatWith(format: "clock" | "dateAndClock", at: string): string {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? at : formats[currentLanguage()][format].format(atMs);
}

/** Formats the local date and time of day, without seconds. */
export const formatDateAndMinute = (at: string): string => formatLocal(at, { dateStyle: "medium", timeStyle: "short" });

/** Formats the local time of day with milliseconds. */
export const formatTime = (at: string): string => formatWith("clock", at);

/** Formats the local date and time of day with milliseconds. */
export const formatDateTime = (at: string): string => formatWith("dateAndClock", at);

type Day<Row> = { readonly key: string; readonly says: string; readonly rows: readonly Row[] };

const dayKey = (at: Date) => `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;

function dayLabel(at: Date, now: Date): string {
  if (dayKey(at) === dayKey(now)) return t("Today");
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (dayKey(at) === dayKey(yesterday)) return t("Yesterday");
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return at.toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long", ...year });
}

/** Starts a new group wherever the date changes. Keeps the order of the rows. */
export function groupByDay<Row>(rows: readonly Row[], now: Date, timeOf: (row: Row) => string): Day<Row>[] {
  const days: { key: string; says: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const at = new Date(timeOf(row));
    const key = dayKey(at);
    const last = days.at(-1);
    if (last?.key === key) last.rows.push(row);
    else days.push({ key, says: dayLabel(at, now), rows: [row] });
  }
  return days;
}
