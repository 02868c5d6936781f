// The operation that returns one issue with its stored reports, and the events that were sent before a report.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { Issue, issueId, nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const IssueFrame = Type.Object(
  {
    function: nullable(Type.String(), "null if it is anonymous"),
    file: nullable(Type.String(), "Path or URL as written; null if the engine gives none"),
    line: nullable(Type.Integer(), "null if the engine gives none"),
    column: nullable(Type.Integer(), "null if the engine gives none"),
    inApp: Type.Boolean({
      description: "False for code of the engine, of libraries and of the binding, and for unknown code",
    }),
    owner: nullable(
      Type.String(),
      "Whose code it is if it is not the game's, e.g. Unity; null if it is the game's or unknown",
    ),
    text: Type.String({ description: "The line of the stack trace" }),
    source: Type.Optional(
      nullable(
        Type.Object({
          path: Type.String({ description: "Path of the file on this computer, in the game's source folder" }),
          link: nullable(Type.String(), "Link that opens it in the editor; null if the editor has no links"),
        }),
        "null if no source file was found for it",
      ),
    ),
  },
  { description: "One frame of a stack trace" },
);
export type IssueFrame = Type.Static<typeof IssueFrame>;

export const IssueOccurrence = Type.Object(
  {
    event: Type.String({ description: "The event's id; its receipt is at /api/events/{id} while the journal has it" }),
    at: Instant,
    number: Type.Integer({ description: "Number of the report among all reports of the issue" }),
  },
  { description: "A report that is stored completely" },
);
export type IssueOccurrence = Type.Static<typeof IssueOccurrence>;

export const IssueReport = Type.Object(
  {
    ...IssueOccurrence.properties,
    message: Type.String(),
    stackTrace: Type.String(),
    frames: Type.Array(IssueFrame, { description: "Innermost frame first" }),
    framesTotal: Type.Integer({ description: "Number of frames in the stack, which can be more than `frames` has" }),
    origin: nullable(Type.String(), "The web origin that sent it; null for a native game"),
    client: nullable(Type.String(), "The sender's User-Agent"),
  },
  { description: "A stored report with its stack" },
);
export type IssueReport = Type.Static<typeof IssueReport>;

export const Breadcrumb = Type.Object(
  {
    event: Type.String({ description: "Id of the event" }),
    kind: EventKind,
    at: Instant,
    text: Type.String({ description: "The event id of a trigger, or the first line of an error report" }),
  },
  { description: "An earlier event of the same sender" },
);
export type Breadcrumb = Type.Static<typeof Breadcrumb>;

export const IssueDetail = Type.Object(
  {
    issue: Issue,
    days: Type.Array(Type.Integer(), {
      description: "Reports per day of the last 30 days, in UTC, oldest first; the last entry is today",
    }),
    report: nullable(IssueReport, "The newest stored report, or the requested one"),
    occurrences: Type.Array(IssueOccurrence, { description: "Stored reports, newest first, at most 120" }),
    breadcrumbs: Type.Array(Breadcrumb, { description: "Events before that report, oldest first" }),
    merged: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), count: Type.Integer() }), {
      description: "Issues merged into this one; each can be split off again",
    }),
  },
  { description: "An issue with its reports and the events before" },
);
export type IssueDetail = Type.Static<typeof IssueDetail>;

export const getIssue = operation({
  id: "getIssue",
  method: "GET",
  path: "/api/issues/{id}",
  access: "session",
  says: "One issue with a report, its stored occurrences and the events before that report. For a merged issue, returns the issue it was merged into.",
  params: issueId,
  query: Type.Object({
    event: Type.Optional(
      Type.String({ description: "Id of an event: returns the stored report of that event instead of the newest" }),
    ),
  }),
  status: 200,
  reply: IssueDetail,
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});
