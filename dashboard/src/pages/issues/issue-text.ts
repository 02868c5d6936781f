// Texts of issues: their counts and times; labels of their states, tabs and actions.

import type { BodyOf, changeIssue, Issue, IssueSort, IssueState } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import type { BadgeTone } from "../../ui/event-text.ts";
import { formatDateAndMinute, formatNumber } from "../../ui/format.ts";
import type { IssueTab } from "./issue-view.ts";

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

const hourOfDay = new Intl.DateTimeFormat(locale(), {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const dayOfYear = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" });

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

const stateWords: Record<IssueState, { says: string; tone: BadgeTone }> = {
  open: { says: t("Open"), tone: "plain" },
  regressed: { says: t("Regressed"), tone: "warn" },
  resolved: { says: t("Resolved"), tone: "good" },
  muted: { says: t("Muted"), tone: "quiet" },
};

/** Returns the name of a state. A state that only a newer launcher knows is shown by its code. */
export const issueStateLabel = (state: IssueState) =>
  stateWords[state] ?? ({ says: state, tone: "plain" } as const satisfies { says: string; tone: BadgeTone });

export const issueTabLabels: Record<IssueTab, string> = {
  open: t("Open"),
  resolved: t("Resolved"),
  muted: t("Muted"),
  bin: t("Trash"),
};

export const issueSortLabels: Record<IssueSort, string> = {
  lastSeen: t("Last seen"),
  count: t("Most reports"),
  firstSeen: t("First seen"),
};

/** Says when the mute of an issue ends; empty if the issue is not muted. */
export function mutedUntilText({ state, mutedUntil, mutedUntilCount }: Issue): string {
  if (state !== "muted") return "";
  const until = mutedUntil === null ? null : formatDateAndMinute(mutedUntil);
  const reports = mutedUntilCount === null ? null : formatNumber(mutedUntilCount);
  if (until !== null && reports !== null) return t("until {{until}} or {{reports}} reports", { until, reports });
  if (until !== null) return t("until {{until}}", { until });
  return reports === null ? t("forever") : t("until {{reports}} reports", { reports });
}

type Change = BodyOf<typeof changeIssue>;

const untilIn = (ms: number, nowMs: number): Change => ({
  state: "muted",
  mutedUntil: new Date(nowMs + ms).toISOString(),
});

/** How long a person can mute an issue, and the change of the issue that each choice requests. */
export const muteOptions: readonly { readonly says: string; readonly change: (nowMs: number) => Change }[] = [
  { says: t("For an hour"), change: (nowMs) => untilIn(hourMs, nowMs) },
  { says: t("For a day"), change: (nowMs) => untilIn(24 * hourMs, nowMs) },
  { says: t("Until 100 more reports"), change: () => ({ state: "muted", mutedForCount: 100 }) },
  { says: t("Forever"), change: () => ({ state: "muted" }) },
];

/** Texts of the toasts that confirm an action on issues. */
export const issueToasts = {
  resolved: (count: number) => t("{{count}} issues resolved.", { count, defaultValue_one: "Resolved." }),
  reopened: (count: number) => t("{{count}} issues reopened.", { count, defaultValue_one: "Reopened." }),
  muted: (count: number) => t("{{count}} issues muted.", { count, defaultValue_one: "Muted." }),
  deleted: (count: number) =>
    t("{{count}} issues moved to the trash.", { count, defaultValue_one: "Moved to the trash." }),
  restored: (count: number) =>
    t("{{count}} issues restored from the trash.", { count, defaultValue_one: "Restored from the trash." }),
  removed: (count: number) =>
    t("{{count}} issues deleted permanently.", { count, defaultValue_one: "Deleted permanently." }),
  merged: (count: number) => t("{{count}} issues merged into one.", { count }),
  split: (count: number) =>
    t("{{count}} issues split off.", { count, defaultValue_one: "Split off as a separate issue." }),
  noted: t("Note saved."),
} as const;

const stackFormatNames: Readonly<Record<string, string>> = {
  gdscript: "GDScript",
  v8: "JavaScript (V8)",
  gecko: "JavaScript (Firefox, Safari)",
  gml: "GML",
  dotnet: ".NET",
  mono: "Mono",
  il2cpp: "IL2CPP",
  unity: t("Unity's log"),
  native: t("Native code"),
  text: t("Unknown format"),
};

/** Returns the name of a stack format. A format without a name is shown by its code. */
export const stackFormatName = (dialect: string): string =>
  Object.hasOwn(stackFormatNames, dialect) ? (stackFormatNames[dialect] ?? dialect) : dialect;

export const exampleErrorCommand = 'kit fire monitor "Nil has no hp"';
