// Operations and types of issues: error reports grouped by fingerprint.
import { Type } from "typebox";
import { buildCharsMax, issueNoteCharsMax, issuesPageMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });
export const nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/**
 * A resolved issue whose error occurs again becomes `regressed`. A mute ends at a time, or after a number of
 * occurrences.
 */
export const issueStates = ["open", "resolved", "muted", "regressed"] as const;
export const IssueState = Type.Enum(issueStates, {
  description: "regressed: it occurred again after it was resolved; muted: it is counted without alerts",
});
export type IssueState = (typeof issueStates)[number];

export const issueSorts = ["lastSeen", "count", "firstSeen"] as const;
export type IssueSort = (typeof issueSorts)[number];

export const IssueCulprit = Type.Object(
  {
    function: nullable(Type.String(), "null if it has no name"),
    file: nullable(Type.String(), "null if the engine names none"),
  },
  { description: "Where it happens, with names that survive a new build" },
);
export type IssueCulprit = Type.Static<typeof IssueCulprit>;

export const Issue = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    title: Type.String({ description: "The first line of its first report, with the error's type" }),
    game: nullable(Type.String(), "null is unsorted"),
    state: IssueState,
    mutedUntil: nullable(Instant, "When the mute ends; null: not by time"),
    mutedUntilCount: nullable(Type.Integer(), "The count at which the mute ends; null: not by count"),
    stateSince: Instant,
    firstSeen: Instant,
    lastSeen: Instant,
    firstBuild: nullable(Type.String(), "The build of its first report that named one; null if none did"),
    lastBuild: nullable(Type.String(), "The build of its newest report that named one"),
    resolvedBuild: nullable(
      Type.String(),
      "The build in which a person resolved it. Reports of older builds do not make it regressed",
    ),
    count: Type.Integer({ description: "Exact number of its reports, including those that are not stored" }),
    isNew: Type.Boolean({ description: "First seen in the last 24 hours, and open" }),
    isOverflow: Type.Boolean({
      description: "Whether it counts the reports of issues that could not be created because there were too many",
    }),
    dialect: Type.String({
      description: "Format of its stack, e.g. gdscript; text if none could be read",
    }),
    culprit: nullable(IssueCulprit, "null if no stack could be read"),
    why: messageSchema("What its reports were grouped by"),
    note: nullable(Type.String(), "A person's note"),
    deletedAt: nullable(Instant, "Set while it is in the trash"),
    hours: Type.Array(Type.Integer(), {
      description: "Reports per hour in the last 24 hours, oldest first; the last is the current hour",
    }),
  },
  { description: "Error reports with the same cause" },
);
export type Issue = Type.Static<typeof Issue>;

export const IssueFilter = Type.Object({
  state: Type.Optional(IssueState),
  game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for those without one" })),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "up to 200 characters that its title, location, note or game contains, ignoring case; fewer than three are searched in the next 2,000 issues only",
    }),
  ),
  bin: Type.Optional(Type.Boolean({ default: false, description: "List the trash instead" })),
});
export type IssueFilter = Type.Static<typeof IssueFilter>;

export const issueId = Type.Object({ id: Type.String({ description: "The issue's id" }) });

export const listIssues = operation({
  id: "listIssues",
  method: "GET",
  path: "/api/issues",
  access: "session",
  says: "Lists issues, the most recently seen first, or in another order.",
  query: Type.Object({
    ...IssueFilter.properties,
    sort: Type.Optional(Type.Enum(issueSorts, { default: "lastSeen" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: issuesPageMax, default: 50, description: `1 to ${issuesPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "Id of an issue: only those after it in this order" })),
  }),
  status: 200,
  reply: Type.Object({
    issues: Type.Array(Issue),
    more: Type.Boolean({ description: "Whether the list continues or was not searched completely" }),
    forgotten: Type.Object(
      {
        issues: Type.Integer({ description: "Deleted issues" }),
        reports: Type.Integer({ description: "Number of their reports" }),
      },
      {
        description: "Issues that were deleted to make room, least relevant first; of the requested game, or of all",
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
  says: "Resolves, reopens or mutes an issue, or sets its note. Omitted members do not change.",
  params: issueId,
  body: Type.Object({
    state: Type.Optional(Type.Enum(["open", "resolved", "muted"])),
    resolvedBuild: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: buildCharsMax,
        description: "the first build without the error; only with the state resolved",
      }),
    ),
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
        description: "a whole number: the mute ends after this many reports; only with the state muted",
      }),
    ),
    note: Type.Optional(
      nullable(Type.String({ maxLength: issueNoteCharsMax }), `up to ${issueNoteCharsMax} characters; null removes it`),
    ),
  }),
  status: 200,
  reply: Issue,
  errors: inputErrors,
});

export const mergeIssues = operation({
  id: "mergeIssues",
  method: "POST",
  path: "/api/issues/{id}/merge",
  access: "session",
  says: "Merges other issues of the same game into this one, with their counts and their future reports. Can be undone by a split.",
  params: issueId,
  body: Type.Object({
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 100, description: "1 to 100 ids of other issues" }),
  }),
  status: 200,
  reply: Issue,
  errors: inputErrors,
});

export const splitIssue = operation({
  id: "splitIssue",
  method: "POST",
  path: "/api/issues/{id}/split",
  access: "session",
  says: "Splits a merged issue, named by its original id, from the issue it was merged into, with its own counts.",
  params: issueId,
  status: 200,
  reply: Issue,
  errors: inputErrors,
});

export const deleteIssue = operation({
  id: "deleteIssue",
  method: "DELETE",
  path: "/api/issues/{id}",
  access: "session",
  says: "Moves an issue to the trash, from where it can be restored for 30 days. Its reports are still counted.",
  params: issueId,
  query: Type.Object({
    forever: Type.Optional(
      Type.Boolean({ default: false, description: "Permanently deletes an issue that is in the trash" }),
    ),
  }),
  status: 204,
  errors: inputErrors,
});

export const restoreIssue = operation({
  id: "restoreIssue",
  method: "POST",
  path: "/api/issues/{id}/restore",
  access: "session",
  says: "Restores an issue from the trash.",
  params: issueId,
  status: 200,
  reply: Issue,
  errors: inputErrors,
});
