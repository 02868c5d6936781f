// Documentation examples for issues.
import type { Issue, IssueDetail, Notice, SourceFolder } from "@kit/contract";

const timestamp = "2026-03-14T09:26:53.589Z";

export const issue: Issue = {
  id: "019ceb4c-31aa-7c3e-9a40-2d9f6b1c8e55",
  title: "The save file of slot 3 is damaged",
  game: "my_game",
  state: "open",
  mutedUntil: null,
  mutedUntilCount: null,
  stateSince: timestamp,
  firstSeen: timestamp,
  lastSeen: "2026-03-14T09:41:07.004Z",
  firstBuild: "1.4.0",
  lastBuild: "1.5.2",
  resolvedBuild: null,
  count: 45,
  isNew: true,
  isOverflow: false,
  dialect: "gdscript",
  culprit: { function: "load_game", file: "res://save.gd" },
  why: "Grouped by the message “The save file of slot <number> is damaged” and the place it happened, load_game in res://save.gd.",
  note: null,
  deletedAt: null,
  hours: [...Array.from({ length: 22 }, () => 0), 4, 41],
};

const occurrence = { event: "019ceb4c-4f00-7b1d-8e21-6a5c4d3b2f10", at: "2026-03-14T09:41:07.004Z", number: 45 };

export const source: SourceFolder = { game: "my_game", root: "/home/kim/my_game", editor: "vscode", problem: null };

export const issueDetail: IssueDetail = {
  issue,
  days: [...Array.from({ length: 29 }, () => 0), 45],
  report: {
    ...occurrence,
    message: "The save file of slot 3 is damaged",
    stackTrace: "load_game: res://save.gd:41",
    frames: [
      {
        function: "load_game",
        file: "res://save.gd",
        line: 41,
        column: null,
        inApp: true,
        owner: null,
        text: "load_game: res://save.gd:41",
        source: { path: "/home/kim/my_game/save.gd", link: "vscode://file/home/kim/my_game/save.gd:41" },
      },
    ],
    framesTotal: 1,
    origin: null,
    client: "GodotEngine/4.6.stable (Linux)",
  },
  occurrences: [occurrence],
  breadcrumbs: [
    {
      event: "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41",
      kind: "recording",
      at: timestamp,
      text: "my_game_boss_defeated",
    },
  ],
  merged: [],
};

export const notice: Notice = {
  number: 17,
  kind: "times",
  issue: issue.id,
  title: issue.title,
  game: issue.game,
  at: issue.lastSeen,
  count: 10,
  seen: false,
  quiet: false,
};
