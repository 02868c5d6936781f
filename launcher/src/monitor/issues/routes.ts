// HTTP routes of issues.
import { changeIssue, deleteIssue, getIssue, listIssues, mergeIssues, restoreIssue, splitIssue } from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { Issues } from "./issues.ts";

const defaultLimit = 50;

export function issueRoutes(issues: Issues): readonly Route[] {
  return [
    route(listIssues, ({ query: { sort = "lastSeen", limit = defaultLimit, before = null, ...filter } }) =>
      issues.list(filter, sort, before, limit),
    ),
    route(getIssue, ({ params, query }) => issues.get(params.id, query.event)),
    route(changeIssue, ({ params, body }) => issues.change(params.id, body)),
    route(mergeIssues, ({ params, body }) => issues.merge(params.id, body.ids)),
    route(splitIssue, ({ params }) => issues.split(params.id)),
    route(deleteIssue, ({ params, query }) =>
      query.forever === true ? issues.deletePermanently(params.id) : issues.moveToTrash(params.id),
    ),
    route(restoreIssue, ({ params }) => issues.restore(params.id)),
  ];
}
