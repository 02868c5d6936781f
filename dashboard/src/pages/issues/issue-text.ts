// Labels for the states, tabs and actions of issues.
import type { BodyOf, changeIssue, Issue, IssueSort, IssueState } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import type { BadgeTone } from "../../ui/event-text.ts";
import { formatNumber } from "../../ui/format.ts";
import type { IssueTab } from "./issue-view.ts";

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

const untilTime = new Intl.DateTimeFormat(locale() ?? "en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Says when the mute of an issue ends; empty if the issue is not muted. */
export function mutedUntilText({ state, mutedUntil, mutedUntilCount }: Issue): string {
  if (state !== "muted") return "";
  const until = mutedUntil === null ? null : untilTime.format(Date.parse(mutedUntil));
  const reports = mutedUntilCount === null ? null : formatNumber(mutedUntilCount);
  if (until !== null && reports !== null) return t("until {{until}} or {{reports}} reports", { until, reports });
  if (until !== null) return t("until {{until}}", { until });
  return reports === null ? t("forever") : t("until {{reports}} reports", { reports });
}

type Change = BodyOf<typeof changeIssue>;

const hourMs = 3_600_000;
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
  text: t("Unknown format"),
};

/** Returns the name of a stack format. A format without a name is shown by its code. */
export const stackFormatName = (dialect: string): string =>
  Object.hasOwn(stackFormatNames, dialect) ? (stackFormatNames[dialect] ?? dialect) : dialect;

export const exampleErrorCommand = 'npx kit fire monitor "Nil has no hp"';
