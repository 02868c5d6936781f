// Formats an issue as Markdown for a tracker. Text from games is formatted as code, so that it cannot become a heading, a link
// or a mention.

import { formatCount } from "./counts.ts";
import type { IssueDetail } from "./issue-detail.ts";
import { textOf } from "./message.ts";

/** Matches control and format characters (such as those that change the text direction), line ends and tabs. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const escapeCharacter = (character: string) =>
  /[\n\t]/.test(character) ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`;
const visible = (text: string) => text.replaceAll("\r\n", "\n").replace(invisible, escapeCharacter);

const longestRun = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Formats text as inline code, with a fence longer than any run of backquotes in it. */
function code(text: string): string {
  const line = visible(text).replace(/\s+/g, " ").trim() || "(nothing)";
  const fence = "`".repeat(longestRun(line) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

function block(text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${visible(text).trimEnd()}\n${fence}`;
}

function stackSection({ report }: IssueDetail): string {
  const frames = report?.frames ?? [];
  if (frames.length === 0) return "";
  const lines = frames.map(({ function: name, file, line, inApp, owner }) => {
    const where = file === null ? "" : ` in ${code(line === null ? file : `${file}:${line}`)}`;
    return `1. ${name === null ? "an unnamed function" : code(name)}${where}${ownerNote(inApp, owner)}`;
  });
  return `## Stack, innermost first\n\n${lines.join("\n")}`;
}

function ownerNote(inApp: boolean, owner: string | null): string {
  if (inApp) return "";
  return owner === null ? " (not the game's own code)" : ` (code of ${code(owner)})`;
}

function breadcrumbsSection({ breadcrumbs }: IssueDetail): string {
  if (breadcrumbs.length === 0) return "";
  const lines = breadcrumbs.map(({ at, kind, text }) => `- ${at} ${kind}: ${code(text)}`);
  return `## What came before\n\n${lines.join("\n")}`;
}

function reportSection({ report }: IssueDetail): string {
  if (report === null) return "No report of this issue is stored.";
  const stack = report.stackTrace === "" ? "" : `\n\n${block(report.stackTrace)}`;
  return `## Report ${report.number}, of ${report.at}\n\n${block(report.message)}${stack}`;
}

export function issueMarkdown(detail: IssueDetail): string {
  const { id, title, game, state, count, firstSeen, lastSeen, firstBuild, lastBuild, why, note } = detail.issue;
  const rows = [
    ["Game", game === null ? "unsorted" : code(game)],
    ["Reports", formatCount(count)],
    ["First seen", firstSeen],
    ["Last seen", lastSeen],
    ...(firstBuild === null || lastBuild === null ? [] : [["Builds", `${code(firstBuild)} to ${code(lastBuild)}`]]),
    ["State", state],
    ["Sent by", detail.report?.client ? code(detail.report.client) : "unknown"],
    ["Kit issue", id],
  ].map(([name, value]) => `| ${name} | ${value?.replaceAll("|", "\\|")} |`);
  const parts = [
    `# ${code(title)}`,
    `| | |\n|---|---|\n${rows.join("\n")}`,
    note === null ? "" : `## Note\n\n${block(note)}`,
    reportSection(detail),
    stackSection(detail),
    breadcrumbsSection(detail),
    `## Why these reports are one issue\n\n${code(textOf(why))}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
