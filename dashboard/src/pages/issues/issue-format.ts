// Formats counts and times of issues. Pure except for the current language.
import { locale, t } from "../../language/language.ts";
import { formatNumber } from "../../ui/format.ts";

const steps = [
  { from: 999_500_000, by: 1_000_000_000, unit: "B" },
  { from: 999_500, by: 1_000_000, unit: "M" },
  { from: 1_000, by: 1_000, unit: "k" },
] as const;

/** Returns a count with at most three digits and a unit: 999, 1.2k, 45k, 3.4M. */
export function formatShortCount(count: number): string {
  const step = steps.find(({ from }) => count >= from);
  if (step === undefined) return String(count);
  const value = count / step.by;
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/u, "") : Math.round(value)}${step.unit}`;
}

export const reportCountText = (count: number): string =>
  t("{{count, number}} reports", { count, defaultValue_one: "{{count, number}} report" });
export const issueCountText = (count: number): string =>
  t("{{count, number}} issues", { count, defaultValue_one: "{{count, number}} issue" });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Returns the time from an earlier event to an error; a longer time is rounded more coarsely. */
export function formatTimeBefore(at: string, until: string): string {
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

/** One bar of a chart. `says` is the label of the time at which the bar starts. */
export type CountBar = { readonly atMs: number; readonly count: number; readonly says: string };

function createBars(
  counts: readonly number[],
  spanMs: number,
  nowMs: number,
  says: (ms: number) => string,
): CountBar[] {
  const current = Math.floor(nowMs / spanMs);
  return counts.map((count, index) => {
    const atMs = (current - counts.length + 1 + index) * spanMs;
    return { atMs, count, says: says(atMs) };
  });
}

/** Returns one bar per hour, oldest first; the last bar is the current hour in local time. */
export const hourBars = (counts: readonly number[], nowMs: number): CountBar[] =>
  createBars(counts, hourMs, nowMs, (ms) => hourOfDay.format(ms));

/** Returns one bar per UTC day, oldest first; the last bar is today. */
export const dayBars = (counts: readonly number[], nowMs: number): CountBar[] =>
  createBars(counts, dayMs, nowMs, (ms) => dayOfYear.format(ms));

/** Returns a summary of a bar chart for screen readers. */
export function spokenBars(spans: readonly CountBar[]): string {
  const sum = spans.reduce((total, { count }) => total + count, 0);
  if (sum === 0) return t("none");
  const most = spans.reduce((a, b) => (b.count > a.count ? b : a));
  const words = { reports: reportCountText(sum), when: most.says, count: formatNumber(most.count) };
  return most === spans.at(-1)
    ? t("{{reports}}, most of them now: {{count}}", words)
    : t("{{reports}}, most at {{when}}: {{count}}", words);
}
