// Tests of an issue as Markdown: text from a game cannot become a heading, a link or a mention, and cannot end a code block.
import assert from "node:assert/strict";
import { type IssueDetail, issueMarkdown } from "@kit/contract";
import { test } from "vitest";

const detailWith = (text: string): IssueDetail => ({
  issue: {
    id: "issue-1",
    title: text,
    game: text,
    state: "open",
    mutedUntil: null,
    mutedUntilCount: null,
    stateSince: "2026-05-03T10:20:30.000Z",
    firstSeen: "2026-05-03T10:20:30.000Z",
    lastSeen: "2026-05-03T10:20:31.000Z",
    firstBuild: null,
    lastBuild: null,
    resolvedBuild: null,
    count: 1_234,
    isNew: true,
    isOverflow: false,
    dialect: "gdscript",
    culprit: null,
    why: text,
    note: text,
    deletedAt: null,
    hours: [],
  },
  days: [],
  report: {
    event: "event-1",
    at: "2026-05-03T10:20:31.000Z",
    number: 1_234,
    message: text,
    stackTrace: text,
    frames: [{ function: text, file: text, line: 4, column: null, inApp: false, owner: "Godot", text }],
    framesTotal: 1,
    origin: null,
    client: text,
  },
  occurrences: [],
  breadcrumbs: [{ event: "event-0", kind: "recording", at: "2026-05-03T10:20:29.000Z", text }],
  merged: [],
});

/** The Markdown without its code. Trackers look for markup only there. */
function outsideCode(markdown: string): string {
  const blocks = markdown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, "");
  return blocks.replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, "");
}

test("the Markdown of an issue has its title, its numbers, its stack and the events before it", () => {
  const markdown = issueMarkdown(detailWith("No key"));
  for (const part of ["# `No key`", "| Reports | 1,234 |", "1. `No key` in `No key:4` (code of `Godot`)"])
    assert.ok(markdown.includes(part), `${part} in\n${markdown}`);
  assert.match(markdown, /- 2026-05-03T10:20:29\.000Z recording: `No key`/);
});

test("text from a game cannot break out of its code span or code block", () => {
  const evil = [
    "# @everyone",
    "[a](http://b)",
    "`",
    "``` \n# x",
    "````\n~~~\n<img src=x>",
    "`` ` ``",
    "|a|",
    "\\",
    "a`",
  ];
  for (const text of evil) {
    const outside = outsideCode(issueMarkdown(detailWith(text)));
    assert.doesNotMatch(outside, /@|\[|<|~|everyone|^# x/m, `${text}\n${issueMarkdown(detailWith(text))}`);
  }
});

test("control, hidden and invalid characters are shown as escapes with their code points", () => {
  const markdown = issueMarkdown(detailWith("a\u001b[31m\u202eb\ud800"));
  assert.ok(!markdown.includes("\u001b") && !markdown.includes("\u202e"));
  assert.ok(markdown.isWellFormed() && markdown.includes("\\u{1b}[31m\\u{202e}b\\u{d800}"));
});

test("the Markdown of an issue says when none of its reports is stored any more", () => {
  assert.match(issueMarkdown({ ...detailWith("No key"), report: null }), /No report of this issue is stored\./);
});
