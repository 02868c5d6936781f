// The notices over the wire.
import { changeNoticeSettings, getNoticeSettings, listNotices, seeNotices, testNotice } from "@kit/contract";
import { type Route, route } from "../../http/route.ts";
import type { Notices } from "./notices.ts";

const defaultLimit = 30;

export function noticeRoutes(notices: Notices): readonly Route[] {
  return [
    route(listNotices, ({ query }) => notices.list(query.before, query.limit ?? defaultLimit)),
    route(seeNotices, ({ body }) => notices.see(body.upTo)),
    route(getNoticeSettings, () => notices.settings()),
    route(changeNoticeSettings, ({ body }) => notices.change(body)),
    route(testNotice, () => notices.test()),
  ];
}
