// The words of the issues' pages for what the wire says in codes.
import type { BodyOf, changeIssue, Issue, IssueSort, IssueState } from "@kit/contract";
import { locale, t } from "../../language/language.ts";
import type { Tone } from "../event-words.ts";
import { fullCount } from "./issue-measures.ts";
import type { IssueTab } from "./issue-view.ts";

const stateWords: Record<IssueState, { says: string; tone: Tone }> = {
  open: { says: t("Open"), tone: "plain" },
  regressed: { says: t("Came back"), tone: "warn" },
  resolved: { says: t("Resolved"), tone: "good" },
  muted: { says: t("Muted"), tone: "quiet" },
};

/** A state of a newer launcher has no word here; its own name will do. */
export const issueStateWord = (state: IssueState) =>
  stateWords[state] ?? ({ says: state, tone: "plain" } as const satisfies { says: string; tone: Tone });

export const tabWords: Record<IssueTab, string> = {
  open: t("Open"),
  resolved: t("Resolved"),
  muted: t("Muted"),
  bin: t("Bin"),
};

export const sortWords: Record<IssueSort, string> = {
  lastSeen: t("Last seen"),
  count: t("Most reports"),
  firstSeen: t("First seen"),
};

const untilTime = new Intl.DateTimeFormat(locale() ?? "en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Until when a muted issue is muted; empty for another one. */
export function mutedWords({ state, mutedUntil, mutedUntilCount }: Issue): string {
  if (state !== "muted") return "";
  const until = mutedUntil === null ? null : untilTime.format(Date.parse(mutedUntil));
  const reports = mutedUntilCount === null ? null : fullCount(mutedUntilCount);
  if (until !== null && reports !== null) return t("until {{until}} or {{reports}} reports", { until, reports });
  if (until !== null) return t("until {{until}}", { until });
  return reports === null ? t("for ever") : t("until {{reports}} reports", { reports });
}

type Change = BodyOf<typeof changeIssue>;

const hourMs = 3_600_000;
const untilIn = (ms: number, nowMs: number): Change => ({
  state: "muted",
  mutedUntil: new Date(nowMs + ms).toISOString(),
});

/** For how long an issue can be muted: the words, and what is asked of the launcher. */
export const muteChoices: readonly { readonly says: string; readonly change: (nowMs: number) => Change }[] = [
  { says: t("For an hour"), change: (nowMs) => untilIn(hourMs, nowMs) },
  { says: t("For a day"), change: (nowMs) => untilIn(24 * hourMs, nowMs) },
  { says: t("Until 100 more reports"), change: () => ({ state: "muted", mutedForCount: 100 }) },
  { says: t("For ever"), change: () => ({ state: "muted" }) },
];

/** What was done, as the toast says it. */
export const doneWords = {
  resolved: (count: number) => t("{{count}} issues resolved.", { count, defaultValue_one: "Resolved." }),
  reopened: (count: number) => t("{{count}} issues open again.", { count, defaultValue_one: "Open again." }),
  muted: (count: number) => t("{{count}} issues muted.", { count, defaultValue_one: "Muted." }),
  deleted: (count: number) => t("{{count}} issues moved to the bin.", { count, defaultValue_one: "Moved to the bin." }),
  restored: (count: number) =>
    t("{{count}} issues taken back out of the bin.", { count, defaultValue_one: "Taken back out of the bin." }),
  removed: (count: number) => t("{{count}} issues removed for good.", { count, defaultValue_one: "Removed for good." }),
  merged: (count: number) => t("{{count}} issues merged into one.", { count }),
  split: (count: number) =>
    t("{{count}} issues split off again.", { count, defaultValue_one: "Split off: an issue of its own again." }),
  noted: t("Note kept."),
} as const;

const dialectWords: Readonly<Record<string, string>> = {
  gdscript: "GDScript",
  v8: "JavaScript (V8)",
  gecko: "JavaScript (Firefox, Safari)",
  gml: "GML",
  dotnet: ".NET",
  mono: "Mono",
  il2cpp: "IL2CPP",
  unity: t("Unity's log"),
  text: t("None that Kit can read"),
};

/** A way of writing stacks this page does not know is called by its own name. */
export const dialectWord = (dialect: string): string =>
  Object.hasOwn(dialectWords, dialect) ? (dialectWords[dialect] ?? dialect) : dialect;

export const fireCommand = 'npx kit fire monitor "Nil has no hp"';
