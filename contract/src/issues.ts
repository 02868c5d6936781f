// Issues: what the monitor made of error reports, and what a person does with them.
import { Type } from "typebox";
import { issueNoteCharsMax, issuesPageMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });
export const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** `regressed` is said of what was resolved and came back; a muted one wakes by itself when its time or count is over. */
export const issueStates = ["open", "resolved", "muted", "regressed"] as const;
export const IssueState = Type.Enum(issueStates, {
  description: "regressed: it was resolved and came back; muted: it is counted, and nobody is told",
});
export type IssueState = (typeof issueStates)[number];

export const issueSorts = ["lastSeen", "count", "firstSeen"] as const;
export type IssueSort = (typeof issueSorts)[number];

export const IssueCulprit = Type.Object(
  {
    function: nullable(Type.String(), "null where it has no name"),
    file: nullable(Type.String(), "null where the engine names none"),
  },
  { description: "Where it happens, in names that a new build keeps" },
);
export type IssueCulprit = Type.Static<typeof IssueCulprit>;

export const Issue = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    title: Type.String({ description: "The first line of its first report, with the error's type" }),
    game: nullable(Type.String(), "null is unsorted"),
    state: IssueState,
    mutedUntil: nullable(Instant, "When a muted one wakes; null: not by time"),
    mutedUntilCount: nullable(Type.Integer(), "At which count a muted one wakes; null: not by count"),
    stateSince: Instant,
    firstSeen: Instant,
    lastSeen: Instant,
    count: Type.Integer({ description: "All its reports, exactly, however few of them are kept" }),
    isNew: Type.Boolean({ description: "First seen in the last 24 hours, and open" }),
    isOverflow: Type.Boolean({ description: "It stands for all kinds of errors that were too many to be told apart" }),
    dialect: Type.String({
      description: "Whose words its stack is written in, e.g. gdscript; text where none was read",
    }),
    culprit: nullable(IssueCulprit, "null where no stack could be read"),
    why: Type.String({ description: "By what its reports were put together" }),
    note: nullable(Type.String(), "What a person wrote on it"),
    deletedAt: nullable(Instant, "Set while it lies in the bin"),
    hours: Type.Array(Type.Integer(), {
      description: "Reports an hour of the last 24, oldest first; the last one is this hour",
    }),
  },
  { description: "Error reports of one kind" },
);
export type Issue = Type.Static<typeof Issue>;

export const IssueFilter = Type.Object({
  state: Type.Optional(IssueState),
  game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for those without one" })),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "up to 200 characters that its title, place, note or game holds, in any case; fewer than three are looked for in the next 2,000 issues only",
    }),
  ),
  bin: Type.Optional(Type.Boolean({ default: false, description: "What lies in the bin instead" })),
});
export type IssueFilter = Type.Static<typeof IssueFilter>;

export const issueId = Type.Object({ id: Type.String({ description: "The issue's id" }) });

export const listIssues = operation({
  id: "listIssues",
  method: "GET",
  path: "/api/issues",
  access: "session",
  says: "Issues, those seen last first, or by another order.",
  query: Type.Object({
    ...IssueFilter.properties,
    sort: Type.Optional(Type.Enum(issueSorts, { default: "lastSeen" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: issuesPageMax, default: 50, description: `1 to ${issuesPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "An issue's id: only those after it in this order" })),
  }),
  status: 200,
  reply: Type.Object({
    issues: Type.Array(Issue),
    more: Type.Boolean({ description: "The list goes on, or not all of it was looked through" }),
    forgotten: Type.Object(
      {
        issues: Type.Integer({ description: "Issues that went" }),
        reports: Type.Integer({ description: "Reports that were counted in them" }),
      },
      {
        description:
          "What went for good to make room, the least relevant first; of the game that was asked for, or of all",
      },
    ),
  }),
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

export const changeIssue = operation({
  id: "changeIssue",
  method: "PUT",
  path: "/api/issues/{id}",
  access: "session",
  says: "Resolves an issue, opens it again, mutes it, or notes something on it; what is left out stays as it is.",
  params: issueId,
  body: Type.Object({
    state: Type.Optional(Type.Enum(["open", "resolved", "muted"])),
    mutedUntil: Type.Optional(
      Type.String({
        pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
        description: "an ISO 8601 time in UTC with milliseconds; only with the state muted",
      }),
    ),
    mutedForCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: "a whole number: so many more reports; only with the state muted",
      }),
    ),
    note: Type.Optional(
      nullable(
        Type.String({ maxLength: issueNoteCharsMax }),
        `up to ${issueNoteCharsMax} characters; null takes it away`,
      ),
    ),
  }),
  status: 200,
  reply: Issue,
  errors: changeErrors,
});

export const mergeIssues = operation({
  id: "mergeIssues",
  method: "POST",
  path: "/api/issues/{id}/merge",
  access: "session",
  says: "Takes other issues of the same game into this one, with their counts and all that comes of their kind later. Undone by a split.",
  params: issueId,
  body: Type.Object({
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 100, description: "1 to 100 ids of other issues" }),
  }),
  status: 200,
  reply: Issue,
  errors: changeErrors,
});

export const splitIssue = operation({
  id: "splitIssue",
  method: "POST",
  path: "/api/issues/{id}/split",
  access: "session",
  says: "Takes a merged issue, by the id it had, back out of the one it was merged into, with its own counts.",
  params: issueId,
  status: 200,
  reply: Issue,
  errors: changeErrors,
});

export const deleteIssue = operation({
  id: "deleteIssue",
  method: "DELETE",
  path: "/api/issues/{id}",
  access: "session",
  says: "Puts an issue into the bin, from where it can be taken back for 30 days; it is still counted there.",
  params: issueId,
  query: Type.Object({
    forever: Type.Optional(Type.Boolean({ default: false, description: "Removes what already lies in the bin" })),
  }),
  status: 204,
  errors: changeErrors,
});

export const restoreIssue = operation({
  id: "restoreIssue",
  method: "POST",
  path: "/api/issues/{id}/restore",
  access: "session",
  says: "Takes an issue back out of the bin.",
  params: issueId,
  status: 200,
  reply: Issue,
  errors: changeErrors,
});
