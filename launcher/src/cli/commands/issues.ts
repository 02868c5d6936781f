// `kit issues`: lists issues, which are error reports grouped by fingerprint.
// `kit issue ID`: shows one issue, or changes, merges, splits, deletes or restores it. `kit resolve ID` and `kit mute ID` are
// short forms of the most common changes.
import {
  type BodyOf,
  type Client,
  changeIssue,
  deleteIssue,
  formatCount,
  getIssue,
  type Issue,
  type IssueDetail,
  issueMarkdown,
  issueSorts,
  issueStates,
  issuesPageMax,
  listIssues,
  mergeIssues,
  restoreIssue,
  splitIssue,
} from "@kit/contract";
import { InvalidSetting } from "../../config.ts";
import {
  answer,
  type CommandContext,
  choiceFlag,
  command,
  filterFlag,
  integerParser,
  isUnfiltered,
  pageFlags,
  parameter,
  parsedFlag,
  parseFutureTime,
  textFlag,
  textsFlag,
  toggleFlag,
  withDefault,
} from "../command.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import { createFieldPrinter, escapeInvisible, formatLocalTime, kit, print, say, withStyle } from "../output.ts";

const tones = { open: "yellow", resolved: "green", muted: "dim", regressed: "red" } as const;
const issueStateText = ({ state, isNew }: Issue): string => withStyle(tones[state], isNew ? `${state}, new` : state);

function issueLine(issue: Issue, { gameName }: PrintedNames): string {
  const count = `${formatCount(issue.count)} ×`.padStart(9);
  const texts = [gameName(issue.game), escapeInvisible(issue.title)];
  return [formatLocalTime(issue.lastSeen), issue.id, count, ...texts, issueStateText(issue)].join("  ");
}

export const issuesCommand = command("issues", "List issues (grouped error reports)", {
  group: "developers",
  flags: {
    ...pageFlags("issue", issuesPageMax),
    sort: withDefault(choiceFlag("--sort <order>", "the order", issueSorts), "lastSeen"),
    state: choiceFlag("--state <state>", "only issues in this state", issueStates),
    search: filterFlag("--search <text>", "only issues whose title, location or note contains this"),
    bin: toggleFlag("--bin", "list the trash instead"),
  },
  async run({ client, flags }) {
    const { issues, more, forgotten } = await client.call(listIssues, { query: flags });
    return answer(issues, async () => {
      const names = await fetchNames(client);
      for (const issue of issues) print(issueLine(issue, names));
      const first = `No issues yet. Make one with \`${kit('fire monitor "The door has no key"')}\`.`;
      if (issues.length === 0) print(isUnfiltered(flags) ? first : "No matching issues.");
      else if (more) print(`… more: ${kit(`issues --sort ${flags.sort} --before ${issues.at(-1)?.id}`)}`);
      const removed = `${forgotten.issues} older issues with ${forgotten.reports} reports`;
      if (forgotten.issues > 0) print(withStyle("dim", `${removed} were removed to free up space.`));
    });
  },
});

const occurrencesShown = 5;

function printIssue({ issue, report, occurrences, breadcrumbs, merged }: IssueDetail): void {
  // This printer does not escape values, because some of them contain styles. Text from games is escaped in each call.
  const line = createFieldPrinter(9, (value) => value);
  line("id", issue.id);
  line("title", escapeInvisible(issue.title));
  line("game", escapeInvisible(issue.game ?? "unsorted"));
  line("state", `${issueStateText(issue)} since ${issue.stateSince}`);
  line("muted", issue.mutedUntil ?? (issue.mutedUntilCount === null ? null : `until report ${issue.mutedUntilCount}`));
  line("reports", formatCount(issue.count));
  line("seen", `${issue.firstSeen} to ${issue.lastSeen}`);
  if (issue.firstBuild !== null)
    line("builds", escapeInvisible(`first seen in ${issue.firstBuild}, last seen in ${issue.lastBuild}`));
  if (issue.resolvedBuild !== null) line("resolved", escapeInvisible(`in ${issue.resolvedBuild}`));
  line("note", escapeInvisible(issue.note ?? ""));
  line("why", escapeInvisible(say(issue.why)));
  if (issue.deletedAt !== null)
    line("trash", `deleted ${issue.deletedAt}; undo: ${kit(`issue ${issue.id} --restore`)}`);
  for (const { id, title, count } of merged) line("merged", `${id}  ${count} ×  ${escapeInvisible(title)}`);
  if (report === null) return;
  print("");
  line("report", `${report.number} at ${report.at}, event ${report.event}`);
  for (const part of report.message.split("\n")) line("message", escapeInvisible(part));
  for (const { function: name, file, line: at, inApp, owner } of report.frames) {
    const where = file === null ? "" : ` in ${file}${at === null ? "" : `:${at}`}`;
    const frame = escapeInvisible(`${name ?? "(no name)"}${where}`);
    const whose = owner === null ? "" : escapeInvisible(`  [${owner}]`);
    line("stack", inApp ? frame : withStyle("dim", `${frame}${whose}`));
  }
  if (report.frames.length === 0)
    for (const frame of report.stackTrace.split("\n")) line("stack", escapeInvisible(frame));
  for (const { at, kind, text: shown } of breadcrumbs) line("before", `${at}  ${kind}  ${escapeInvisible(shown)}`);
  for (const { at, number, event } of occurrences.slice(0, occurrencesShown))
    line("stored", `${at}  ${number}  ${event}`);
}

const which = parameter("<id>", "an issue's id, from `kit issues`");
const until = "a duration such as 8h or 7d, or a time";
const count = "for this many more reports";
const muteFlags = (prefix = "") => ({
  mutedUntil: parsedFlag("--until <when>", `${prefix}${until}`, parseFutureTime),
  mutedForCount: parsedFlag("--count <n>", `${prefix}${count}`, integerParser(1, 999_999_999)),
});

const issueFlags = {
  event: textFlag("--event <id>", "show the stored report of this event instead of the newest"),
  markdown: toggleFlag("--markdown", "print Markdown to paste into an issue tracker"),
  resolve: toggleFlag("--resolve", "mark it as resolved; a new report marks it as regressed"),
  resolvedBuild: textFlag("--build <build>", "with --resolve: the first build without the error, e.g. 1.5"),
  reopen: toggleFlag("--reopen", "open it again"),
  mute: toggleFlag("--mute", "keep counting without alerts"),
  ...muteFlags("with --mute: "),
  note: textFlag("--note <text>", "set its note; an empty text removes the note"),
  merge: textsFlag("--merge <ids...>", "merge these issues into it"),
  split: toggleFlag("--split", "separate this id from the issue it was merged into"),
  delete: toggleFlag("--delete", "move it to the trash"),
  forever: toggleFlag("--forever", "with --delete: delete it from the trash permanently"),
  restore: toggleFlag("--restore", "restore it from the trash"),
};
type IssueFlags = CommandContext<typeof issueFlags>["flags"];

/** Returns the change that the flags ask for. Undefined if they ask for none. */
function requestedChange(flags: IssueFlags): BodyOf<typeof changeIssue> | undefined {
  const { resolve, resolvedBuild, reopen, mute, note, mutedUntil, mutedForCount } = flags;
  const named = { resolved: resolve, open: reopen, muted: mute };
  const states = (["resolved", "open", "muted"] as const).filter((state) => named[state]);
  if (states.length > 1) throw new InvalidSetting("Use only one of --resolve, --reopen and --mute.");
  if (!mute && (mutedUntil !== undefined || mutedForCount !== undefined))
    throw new InvalidSetting("--until and --count need --mute.");
  if (!resolve && resolvedBuild !== undefined) throw new InvalidSetting("--build needs --resolve.");
  const [state] = states;
  const change = {
    ...(state && { state }),
    ...(resolvedBuild !== undefined && { resolvedBuild }),
    ...(mutedUntil !== undefined && { mutedUntil }),
    ...(mutedForCount !== undefined && { mutedForCount }),
    ...(note !== undefined && { note: note === "" ? null : note }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

async function applyFlags(client: Client, id: string, flags: IssueFlags): Promise<void> {
  const change = requestedChange(flags);
  const actions = [change, flags.merge, flags.split, flags.delete, flags.restore].filter((each) => each !== undefined);
  if (actions.length > 1)
    throw new InvalidSetting("Change, merge, split, delete or restore an issue, but only one of these at a time.");
  const params = { id };
  if (change !== undefined) await client.call(changeIssue, { params, body: change });
  if (flags.merge) await client.call(mergeIssues, { params, body: { ids: flags.merge } });
  if (flags.split) await client.call(splitIssue, { params });
  if (flags.restore) await client.call(restoreIssue, { params });
  if (flags.delete) await client.call(deleteIssue, { params, query: flags.forever ? { forever: true } : {} });
}

export const issueCommand = command("issue", "Show an issue; resolve, mute, note, merge, split, delete or restore it", {
  group: "developers",
  parameters: [which],
  flags: issueFlags,
  async run({ client, flags, json }, id) {
    await applyFlags(client, id, flags);
    if (flags.delete && flags.forever) return answer({ removed: id }, "Deleted permanently.");
    const undo = `Moved to the trash. Undo: ${kit(`issue ${escapeInvisible(id)} --restore`)}`;
    if (flags.delete && !json) return answer(undefined, undo);
    const query = flags.event === undefined ? {} : { event: flags.event };
    const detail = await client.call(getIssue, { params: { id }, query });
    return answer(detail, flags.markdown ? issueMarkdown(detail).trimEnd() : printIssue);
  },
});

async function change(client: Client, id: string, body: BodyOf<typeof changeIssue>, outcome: string) {
  const issue = await client.call(changeIssue, { params: { id }, body });
  return answer(issue, `“${escapeInvisible(issue.title)}” ${outcome} Undo: ${kit(`issue ${issue.id} --reopen`)}`);
}

export const resolveCommand = command("resolve", "Resolve an issue; you are alerted if it regresses", {
  group: "developers",
  parameters: [which],
  flags: {
    resolvedBuild: textFlag("--build <build>", "the first build without the error: older ones do not reopen it"),
  },
  run: ({ client, flags }, id) => change(client, id, { state: "resolved", ...flags }, "is resolved."),
});

export const muteCommand = command(
  "mute",
  "Mute an issue: keep counting, without alerts, until a time, for a number of reports, or indefinitely",
  {
    group: "developers",
    parameters: [which],
    flags: muteFlags(),
    run: ({ client, flags }, id) => change(client, id, { state: "muted", ...flags }, "is muted."),
  },
);
