// One issue with what is known of it: a report in full, the kept ones, what came before.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { Issue, issueId, nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const IssueFrame = Type.Object(
  {
    function: nullable(Type.String(), "null where it is anonymous"),
    file: nullable(Type.String(), "Path or URL as written; null where the engine gives none"),
    line: nullable(Type.Integer(), "null where the engine gives none"),
    column: nullable(Type.Integer(), "null where the engine gives none"),
    inApp: Type.Boolean({ description: "False for code of the engine, its libraries and the binding" }),
    text: Type.String({ description: "The line it was read from" }),
    source: Type.Optional(
      nullable(
        Type.Object({
          path: Type.String({ description: "On this machine, in the folder that was named for the game" }),
          link: nullable(Type.String(), "Opens it in the editor; null where the editor has no links"),
        }),
        "null where no file of the game's project was found for it",
      ),
    ),
  },
  { description: "One call on a stack" },
);
export type IssueFrame = Type.Static<typeof IssueFrame>;

export const IssueOccurrence = Type.Object(
  {
    event: Type.String({ description: "The event's id; its receipt is at /api/events/{id} while the journal has it" }),
    at: Instant,
    number: Type.Integer({ description: "The how manieth of its kind it was" }),
  },
  { description: "A report that was kept whole" },
);
export type IssueOccurrence = Type.Static<typeof IssueOccurrence>;

export const IssueReport = Type.Object(
  {
    ...IssueOccurrence.properties,
    message: Type.String(),
    stackTrace: Type.String(),
    frames: Type.Array(IssueFrame, { description: "Innermost first" }),
    framesTotal: Type.Integer({ description: "More than `frames` when the stack is deeper than is kept" }),
    origin: nullable(Type.String(), "The web origin that sent it; null for a native game"),
    client: nullable(Type.String(), "The sender's User-Agent"),
  },
  { description: "A kept report in full" },
);
export type IssueReport = Type.Static<typeof IssueReport>;

export const Breadcrumb = Type.Object(
  {
    event: Type.String({ description: "The event's id" }),
    kind: EventKind,
    at: Instant,
    text: Type.String({ description: "The event id of a trigger, the first line of a report" }),
  },
  { description: "What the same sender sent just before" },
);
export type Breadcrumb = Type.Static<typeof Breadcrumb>;

export const IssueDetail = Type.Object(
  {
    issue: Issue,
    days: Type.Array(Type.Integer(), {
      description: "Reports a day of the last 30, in UTC, oldest first; the last one is today",
    }),
    report: nullable(IssueReport, "The newest kept one, or the one that was asked for"),
    occurrences: Type.Array(IssueOccurrence, { description: "The kept ones, newest first, 120 at most" }),
    breadcrumbs: Type.Array(Breadcrumb, { description: "Before that report, oldest first" }),
    merged: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), count: Type.Integer() }), {
      description: "What was merged into it; each can be split off again",
    }),
  },
  { description: "An issue with what is known of it" },
);
export type IssueDetail = Type.Static<typeof IssueDetail>;

export const getIssue = operation({
  id: "getIssue",
  method: "GET",
  path: "/api/issues/{id}",
  access: "session",
  says: "One issue with a report in full, its kept occurrences and what came before. A merged one answers as what it was merged into.",
  params: issueId,
  query: Type.Object({
    event: Type.Optional(
      Type.String({ description: "An event's id: the kept report of that one instead of the newest" }),
    ),
  }),
  status: 200,
  reply: IssueDetail,
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});
