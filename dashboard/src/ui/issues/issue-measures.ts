// Counts and times as a person says them. Pure.
import { locale, t } from "../../language/language.ts";

const steps = [
  { from: 999_500_000, by: 1_000_000_000, unit: "B" },
  { from: 999_500, by: 1_000_000, unit: "M" },
  { from: 1_000, by: 1_000, unit: "k" },
] as const;

/** At most four characters and a unit: 999, 1.2k, 45k, 3.4M. */
export function shortCount(count: number): string {
  const step = steps.find(({ from }) => count >= from);
  if (step === undefined) return String(count);
  const value = count / step.by;
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/u, "") : Math.round(value)}${step.unit}`;
}

export const fullCount = (count: number): string => count.toLocaleString(locale() ?? "en-US");
export const reportsWord = (count: number): string =>
  t("{{count, number}} reports", { count, defaultValue_one: "{{count, number}} report" });
export const issuesWord = (count: number): string =>
  t("{{count, number}} issues", { count, defaultValue_one: "{{count, number}} issue" });

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

/** How long ago, in one unit. What a clock set wrong puts into the future is now. */
export function agoWords(at: string, nowMs: number): string {
  const agoMs = nowMs - Date.parse(at);
  if (Number.isNaN(agoMs)) return at;
  const found = units.find(({ ms }) => agoMs >= ms);
  return found === undefined ? t("just now") : relative.format(-Math.floor(agoMs / found.ms), found.unit);
}

/** The time from one instant to a later one, as one says it of what came before an error. */
export function beforeWords(at: string, until: string): string {
  const ms = Date.parse(until) - Date.parse(at);
  if (!(ms >= 0)) return "";
  if (ms < 1_000) return t("{{ms}} ms before", { ms });
  if (ms < 2 * minuteMs) return t("{{seconds}} s before", { seconds: (ms / 1_000).toFixed(1) });
  return ms < 2 * hourMs
    ? t("{{minutes}} min before", { minutes: Math.round(ms / minuteMs) })
    : t("{{hours}} h before", { hours: Math.round(ms / hourMs) });
}

const hourOfDay = new Intl.DateTimeFormat(locale() ?? "en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const dayOfYear = new Intl.DateTimeFormat(locale() ?? "en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `says`: when it began. */
export type Span = { readonly atMs: number; readonly count: number; readonly says: string };

function spansOf(counts: readonly number[], spanMs: number, nowMs: number, says: (ms: number) => string): Span[] {
  const current = Math.floor(nowMs / spanMs);
  return counts.map((count, index) => {
    const atMs = (current - counts.length + 1 + index) * spanMs;
    return { atMs, count, says: says(atMs) };
  });
}

/** Counts by hour, oldest first, the last of them this hour; each with its time of day here. */
export const hourSpans = (counts: readonly number[], nowMs: number): Span[] =>
  spansOf(counts, hourMs, nowMs, (ms) => hourOfDay.format(ms));

/** Counts by day in UTC, oldest first, the last of them today. */
export const daySpans = (counts: readonly number[], nowMs: number): Span[] =>
  spansOf(counts, dayMs, nowMs, (ms) => dayOfYear.format(ms));

/** What a row of bars says to who does not see it. */
export function spansSay(spans: readonly Span[]): string {
  const sum = spans.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return t("none");
  const most = spans.reduce((a, b) => (b.count > a.count ? b : a));
  const words = { reports: reportsWord(sum), when: most.says, count: fullCount(most.count) };
  return most === spans.at(-1)
    ? t("{{reports}}, most of them now: {{count}}", words)
    : t("{{reports}}, most of them at {{when}}: {{count}}", words);
}
