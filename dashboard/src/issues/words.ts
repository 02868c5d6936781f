// The words of the issues' pages for what the wire says in codes.
import type { BodyOf, changeIssue, Issue, IssueSort, IssueState } from "@kit/contract";
import type { Tone } from "../live/words.ts";
import type { IssueTab } from "./issue-view.ts";
import { fullCount, issuesWord } from "./measures.ts";

const stateWords: Record<IssueState, { says: string; tone: Tone }> = {
  open: { says: "Open", tone: "plain" },
  regressed: { says: "Came back", tone: "warn" },
  resolved: { says: "Resolved", tone: "good" },
  muted: { says: "Muted", tone: "quiet" },
};

/** A state of a newer launcher has no word here; its own name will do. */
export const issueStateWord = (state: IssueState) =>
  stateWords[state] ?? ({ says: state, tone: "plain" } as const satisfies { says: string; tone: Tone });

export const tabWords: Record<IssueTab, string> = { open: "Open", resolved: "Resolved", muted: "Muted", bin: "Bin" };

export const sortWords: Record<IssueSort, string> = {
  lastSeen: "Last seen",
  count: "Most reports",
  firstSeen: "First seen",
};

const untilTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** Until when a muted issue is muted; empty for another one. */
export function mutedWords({ state, mutedUntil, mutedUntilCount }: Issue): string {
  if (state !== "muted") return "";
  const ends = [
    ...(mutedUntil === null ? [] : [untilTime.format(Date.parse(mutedUntil))]),
    ...(mutedUntilCount === null ? [] : [`${fullCount(mutedUntilCount)} reports`]),
  ];
  return ends.length === 0 ? "for ever" : `until ${ends.join(" or ")}`;
}

type Change = BodyOf<typeof changeIssue>;

const hourMs = 3_600_000;
const untilIn = (ms: number, nowMs: number): Change => ({
  state: "muted",
  mutedUntil: new Date(nowMs + ms).toISOString(),
});

/** For how long an issue can be muted: the words, and what is asked of the launcher. */
export const muteChoices: readonly { readonly says: string; readonly change: (nowMs: number) => Change }[] = [
  { says: "For an hour", change: (nowMs) => untilIn(hourMs, nowMs) },
  { says: "For a day", change: (nowMs) => untilIn(24 * hourMs, nowMs) },
  { says: "Until 100 more reports", change: () => ({ state: "muted", mutedForCount: 100 }) },
  { says: "For ever", change: () => ({ state: "muted" }) },
];

const one = "1 issue";
const say = (count: number, single: string, many: string) =>
  issuesWord(count) === one ? single : `${issuesWord(count)} ${many}`;

/** What was done, as the toast says it. */
export const doneWords = {
  resolved: (count: number) => say(count, "Resolved.", "resolved."),
  reopened: (count: number) => say(count, "Open again.", "open again."),
  muted: (count: number) => say(count, "Muted.", "muted."),
  deleted: (count: number) => say(count, "Moved to the bin.", "moved to the bin."),
  restored: (count: number) => say(count, "Taken back out of the bin.", "taken back out of the bin."),
  removed: (count: number) => say(count, "Removed for good.", "removed for good."),
  merged: (count: number) => `${issuesWord(count)} merged into one.`,
  split: (count: number) => say(count, "Split off: an issue of its own again.", "split off again."),
  noted: "Note kept.",
} as const;

const dialectWords: Readonly<Record<string, string>> = {
  gdscript: "GDScript",
  v8: "JavaScript (V8)",
  gecko: "JavaScript (Firefox, Safari)",
  gml: "GML",
  dotnet: ".NET",
  mono: "Mono",
  il2cpp: "IL2CPP",
  unity: "Unity's log",
  text: "None that Kit can read",
};

/** A way of writing stacks this page does not know is called by its own name. */
export const dialectWord = (dialect: string): string =>
  Object.hasOwn(dialectWords, dialect) ? (dialectWords[dialect] ?? dialect) : dialect;

export const fireCommand = 'npx kit fire monitor "Nil has no hp"';
