// `kit issue ID`: one issue in full, and what can be done with it.
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
import { BadSetting } from "../config.ts";
import { readUntil, readWhole } from "./arguments.ts";
import { type Connection, connect } from "./connection.ts";
import { stateText } from "./issues.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { visible } from "./visible.ts";

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
  line("title", visible(issue.title));
  line("game", visible(issue.game ?? "unsorted"));
  line("state", `${stateText(issue)} since ${issue.stateSince}`);
  line("wakes", issue.mutedUntil ?? (issue.mutedUntilCount === null ? null : `at report ${issue.mutedUntilCount}`));
  line("reports", issue.count.toLocaleString("en-US"));
  line("seen", `${issue.firstSeen} to ${issue.lastSeen}`);
  line("note", visible(issue.note ?? ""));
  line("why", visible(issue.why));
  if (issue.deletedAt !== null) line("bin", `deleted ${issue.deletedAt}; undo: kit issue ${issue.id} --restore`);
  for (const { id, title, count } of merged) line("merged", `${id}  ${count} ×  ${visible(title)}`);
  if (report === null) return;
  print("");
  line("report", `${report.number}, of ${report.at}, event ${report.event}`);
  for (const text of report.message.split("\n")) line("message", visible(text));
  for (const { function: name, file, line: at, inApp } of report.frames) {
    const where = file === null ? "" : ` in ${file}${at === null ? "" : `:${at}`}`;
    const text = visible(`${name ?? "(no name)"}${where}`);
    line("stack", inApp ? text : styled("dim", text));
  }
  if (report.frames.length === 0) for (const text of report.stackTrace.split("\n")) line("stack", visible(text));
  for (const { at, kind, text } of breadcrumbs) line("before", `${at}  ${kind}  ${visible(text)}`);
  for (const { at, number, event } of occurrences.slice(0, occurrencesShown))
    line("kept", `${at}  ${number}  ${event}`);
}

/** What the flags change; undefined when they change nothing. */
function changeOf({ resolve, reopen, mute, until, count, note }: IssueFlags): BodyOf<typeof changeIssue> | undefined {
  const named = { resolved: resolve, open: reopen, muted: mute };
  const states = (["resolved", "open", "muted"] as const).filter((state) => named[state]);
  if (states.length > 1) throw new BadSetting("Resolve, reopen or mute an issue: one at a time.");
  if (!mute && (until !== undefined || count !== undefined))
    throw new BadSetting("--until and --count go with --mute.");
  const [state] = states;
  const change = {
    ...(state && { state }),
    ...(until !== undefined && { mutedUntil: until }),
    ...(count !== undefined && { mutedForCount: count }),
    ...(note !== undefined && { note: note === "" ? null : note }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** Does what the flags ask for. True when there is nothing left to show. */
async function apply({ client }: Connection, id: string, flags: IssueFlags): Promise<boolean> {
  const change = changeOf(flags);
  const asked = [change, flags.merge, flags.split, flags.delete, flags.restore].filter((each) => each !== undefined);
  if (asked.length > 1) throw new BadSetting("Change, merge, split, delete or restore an issue: one at a time.");
  const params = { id };
  if (change !== undefined) await client.call(changeIssue, { params, body: change });
  if (flags.merge) await client.call(mergeIssues, { params, body: { ids: flags.merge } });
  if (flags.split) await client.call(splitIssue, { params });
  if (flags.restore) await client.call(restoreIssue, { params });
  if (!flags.delete) return false;
  const forever = flags.forever === true;
  await client.call(deleteIssue, { params, query: forever ? { forever } : {} });
  if (forever && flags.json) printJson({ removed: id });
  else if (forever) print("It is gone for good.");
  else if (!flags.json) print(`It lies in the bin. Undo: kit issue ${visible(id)} --restore`);
  return forever || !flags.json;
}

async function act(id: string, flags: IssueFlags): Promise<void> {
  const connection = await connect(configOf(flags));
  if (await apply(connection, id, flags)) return;
  const query = flags.event === undefined ? {} : { event: flags.event };
  const detail = await connection.client.call(getIssue, { params: { id }, query });
  if (flags.json) printJson(detail);
  else if (flags.markdown) print(issueMarkdown(detail).trimEnd());
  else printIssue(detail);
}

export function issueCommand(): Command {
  return command("issue", "Show an issue; resolve, mute, note, merge, split, delete or restore it")
    .argument("<id>", "an issue's id, from `kit issues`")
    .option("--event <id>", "show the kept report of this event instead of the newest")
    .option("--markdown", "print Markdown, ready to paste into a tracker")
    .option("--resolve", "it is mended; it comes back as regressed")
    .option("--reopen", "it is open again")
    .option("--mute", "count it without a word")
    .option("--until <when>", "with --mute: a length such as 8h or 7d, or a time", readUntil)
    .option("--count <n>", "with --mute: so many more reports", readWhole(1, 999_999_999))
    .option("--note <text>", "write a note on it; an empty one takes it away")
    .option("--merge <ids...>", "take these issues into it")
    .option("--split", "take it, by the id it had, out of the issue it was merged into")
    .option("--delete", "put it into the bin")
    .option("--forever", "with --delete: remove for good what lies in the bin")
    .option("--restore", "take it back out of the bin")
    .action(act);
}
