// HTTP routes of notices.
import { changeNoticeSettings, getNoticeSettings, listNotices, markNoticesSeen, testNotice } from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { Notices } from "./notices.ts";

const defaultLimit = 30;

export function noticeRoutes(notices: Notices): readonly Route[] {
  return [
    route(listNotices, ({ query }) => notices.list(query.before, query.limit ?? defaultLimit)),
    route(markNoticesSeen, ({ body }) => notices.markSeen(body.upTo)),
    route(getNoticeSettings, () => notices.settings()),
    route(changeNoticeSettings, ({ body }) => notices.changeSettings(body)),
    route(testNotice, () => notices.showTest()),
  ];
}
