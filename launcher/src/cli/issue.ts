// `kit issue ID`: shows one issue, or changes, merges, splits, deletes or restores it.
import {
  type BodyOf,
  changeIssue,
  deleteIssue,
  getIssue,
  type IssueDetail,
  issueMarkdown,
  mergeIssues,
  restoreIssue,
  splitIssue,
} from "@kit/contract";
import type { Command } from "commander";
import { InvalidSetting } from "../config.ts";
import { integerArgument, parseFutureTime } from "./arguments.ts";
import { type Connection, connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { stateText } from "./issues.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, styled } from "./output.ts";

type IssueFlags = CommonFlags & {
  markdown?: true;
  event?: string;
  resolve?: true;
  reopen?: true;
  mute?: true;
  until?: string;
  count?: number;
  note?: string;
  merge?: string[];
  split?: true;
  delete?: true;
  forever?: true;
  restore?: true;
};

const occurrencesShown = 5;

function printIssue({ issue, report, occurrences, breadcrumbs, merged }: IssueDetail): void {
  const line = (name: string, value: string | null) => {
    if (value !== null && value !== "") print(`${styled("bold", name.padEnd(9))} ${value}`);
  };
  line("id", issue.id);
  line("title", escapeInvisible(issue.title));
  line("game", escapeInvisible(issue.game ?? "unsorted"));
  line("state", `${stateText(issue)} since ${issue.stateSince}`);
  line("muted", issue.mutedUntil ?? (issue.mutedUntilCount === null ? null : `until report ${issue.mutedUntilCount}`));
  line("reports", issue.count.toLocaleString("en-US"));
  line("seen", `${issue.firstSeen} to ${issue.lastSeen}`);
  line("note", escapeInvisible(issue.note ?? ""));
  line("why", escapeInvisible(issue.why));
  if (issue.deletedAt !== null) line("trash", `deleted ${issue.deletedAt}; undo: kit issue ${issue.id} --restore`);
  for (const { id, title, count } of merged) line("merged", `${id}  ${count} ×  ${escapeInvisible(title)}`);
  if (report === null) return;
  print("");
  line("report", `${report.number} at ${report.at}, event ${report.event}`);
  for (const text of report.message.split("\n")) line("message", escapeInvisible(text));
  for (const { function: name, file, line: at, inApp } of report.frames) {
    const where = file === null ? "" : ` in ${file}${at === null ? "" : `:${at}`}`;
    const text = escapeInvisible(`${name ?? "(no name)"}${where}`);
    line("stack", inApp ? text : styled("dim", text));
  }
  if (report.frames.length === 0)
    for (const text of report.stackTrace.split("\n")) line("stack", escapeInvisible(text));
  for (const { at, kind, text } of breadcrumbs) line("before", `${at}  ${kind}  ${escapeInvisible(text)}`);
  for (const { at, number, event } of occurrences.slice(0, occurrencesShown))
    line("stored", `${at}  ${number}  ${event}`);
}

/** The change that the flags ask for, or undefined if there is none. */
function requestedChange({
  resolve,
  reopen,
  mute,
  until,
  count,
  note,
}: IssueFlags): BodyOf<typeof changeIssue> | undefined {
  const named = { resolved: resolve, open: reopen, muted: mute };
  const states = (["resolved", "open", "muted"] as const).filter((state) => named[state]);
  if (states.length > 1) throw new InvalidSetting("Use only one of --resolve, --reopen and --mute.");
  if (!mute && (until !== undefined || count !== undefined))
    throw new InvalidSetting("--until and --count need --mute.");
  const [state] = states;
  const change = {
    ...(state && { state }),
    ...(until !== undefined && { mutedUntil: until }),
    ...(count !== undefined && { mutedForCount: count }),
    ...(note !== undefined && { note: note === "" ? null : note }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Applies the flags. Returns true if there is no issue left to show. */
async function apply({ client }: Connection, id: string, flags: IssueFlags): Promise<boolean> {
  const change = requestedChange(flags);
  const actions = [change, flags.merge, flags.split, flags.delete, flags.restore].filter((each) => each !== undefined);
  if (actions.length > 1)
    throw new InvalidSetting("Change, merge, split, delete or restore an issue, but only one of these at a time.");
  const params = { id };
  if (change !== undefined) await client.call(changeIssue, { params, body: change });
  if (flags.merge) await client.call(mergeIssues, { params, body: { ids: flags.merge } });
  if (flags.split) await client.call(splitIssue, { params });
  if (flags.restore) await client.call(restoreIssue, { params });
  if (!flags.delete) return false;
  const forever = flags.forever === true;
  await client.call(deleteIssue, { params, query: forever ? { forever } : {} });
  if (forever && flags.json) printJson({ removed: id });
  else if (forever) print("Deleted permanently.");
  else if (!flags.json) print(`Moved to the trash. Undo: kit issue ${escapeInvisible(id)} --restore`);
  return forever || !flags.json;
}

async function act(id: string, flags: IssueFlags): Promise<void> {
  const connection = await connect(configFromFlags(flags));
  if (await apply(connection, id, flags)) return;
  const query = flags.event === undefined ? {} : { event: flags.event };
  const detail = await connection.client.call(getIssue, { params: { id }, query });
  if (flags.json) printJson(detail);
  else if (flags.markdown) print(issueMarkdown(detail).trimEnd());
  else printIssue(detail);
}

export function issueCommand(): Command {
  return command("issue", "Show an issue; resolve, mute, note, merge, split, delete or restore it")
    .helpGroup(helpGroups.developers)
    .argument("<id>", "an issue's id, from `kit issues`")
    .option("--event <id>", "show the stored report of this event instead of the newest")
    .option("--markdown", "print Markdown to paste into an issue tracker")
    .option("--resolve", "mark it as resolved; a new report marks it as regressed")
    .option("--reopen", "open it again")
    .option("--mute", "keep counting without alerts")
    .option("--until <when>", "with --mute: a duration such as 8h or 7d, or a time", parseFutureTime)
    .option("--count <n>", "with --mute: for this many more reports", integerArgument(1, 999_999_999))
    .option("--note <text>", "set its note; an empty text removes the note")
    .option("--merge <ids...>", "merge these issues into it")
    .option("--split", "separate this id from the issue it was merged into")
    .option("--delete", "move it to the trash")
    .option("--forever", "with --delete: delete it from the trash permanently")
    .option("--restore", "restore it from the trash")
    .action(act);
}
