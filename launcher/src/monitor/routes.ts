// HTTP routes of issues, forwarding targets and notices.
import {
  acceptInvitation,
  addForwardTarget,
  changeForwardTarget,
  changeIssue,
  changeNoticeSettings,
  checkInvitation,
  deleteIssue,
  getIssue,
  getNoticeSettings,
  listForwardTargets,
  listIssues,
  listNotices,
  listSentRequests,
  markNoticesSeen,
  mergeIssues,
  removeForwardTarget,
  restoreIssue,
  splitIssue,
  testForwardBucket,
  testForwardTarget,
  testNotice,
} from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import type { Forwarding } from "./forwarding/forwarding.ts";
import type { Issues } from "./issues/issues.ts";
import type { Notices } from "./notices/notices.ts";

const issuesPerPage = 50;
const noticesPerPage = 30;

export function issueRoutes(issues: Issues): readonly Route[] {
  return [
    route(listIssues, ({ query: { sort = "lastSeen", limit = issuesPerPage, before = null, ...filter } }) =>
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

/** Returns what the operation declares. What the code adds to a target, such as a consent, must not come from a caller. */
const declared = <Body extends object>(
  { body }: { readonly body: { readonly properties: object } },
  given: Body,
): Body => Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(body.properties, name))) as Body;

export function forwardingRoutes({
  targets,
  invitations,
}: Pick<Forwarding, "targets" | "invitations">): readonly Route[] {
  return [
    route(listForwardTargets, async () => ({ targets: await targets.list() })),
    route(addForwardTarget, ({ body }) => targets.add(declared(addForwardTarget, body))),
    route(changeForwardTarget, ({ params, body }) => targets.change(params.id, declared(changeForwardTarget, body))),
    route(removeForwardTarget, ({ params }) => targets.remove(params.id)),
    route(testForwardTarget, ({ params }) => targets.test(params.id)),
    route(testForwardBucket, ({ params }) => targets.testBucket(params.id)),
    route(listSentRequests, async ({ params }) => ({ requests: await targets.sentRequests(params.id) })),
    route(checkInvitation, ({ body }) => invitations.check(body)),
    route(acceptInvitation, ({ body }) => invitations.accept(declared(acceptInvitation, body))),
  ];
}

export function noticeRoutes(notices: Notices): readonly Route[] {
  return [
    route(listNotices, ({ query }) => notices.list(query.before, query.limit ?? noticesPerPage)),
    route(markNoticesSeen, ({ body }) => notices.markSeen(body.upTo)),
    route(getNoticeSettings, () => notices.settings()),
    route(changeNoticeSettings, ({ body }) => notices.changeSettings(body)),
    route(testNotice, () => notices.showTest()),
  ];
}
