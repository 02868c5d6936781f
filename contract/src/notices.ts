// Operations and types of notices: alerts about issues.
import { Type } from "typebox";
import { issueId, nullable } from "./issues.ts";
import { noticesPageMax, quietGamesMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

export const noticeKinds = ["new", "regressed", "woke", "times"] as const;
export const NoticeKind = Type.Enum(noticeKinds, {
  description:
    "new: a new issue; regressed: it occurred again after it was resolved; woke: it occurred again after its mute ended; times: its reports reached 10, 100, 1,000 and so on",
});
export type NoticeKind = (typeof noticeKinds)[number];

const noticeNumber = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const Notice = Type.Object(
  {
    number: Type.Integer({ description: "Increases with each notice and is never reused" }),
    kind: NoticeKind,
    issue: issueId.properties.id,
    title: Type.String({ description: "Of the issue" }),
    game: nullable(Type.String(), "null is unsorted"),
    at: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
    count: Type.Integer({ description: "Reports of the issue at that time" }),
    seen: Type.Boolean({ description: "Whether a person marked it as seen, in any browser" }),
    quiet: Type.Boolean({ description: "Whether its kind or game is quiet: it is listed without an alert" }),
  },
  { description: "An alert about an issue" },
);
export type Notice = Type.Static<typeof Notice>;

export const listNotices = operation({
  id: "listNotices",
  method: "GET",
  path: "/api/notices",
  access: "session",
  says: "Lists the notices of issues, newest first. The newest 500 are kept.",
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: noticesPageMax, default: 30, description: `1 to ${noticesPageMax}` }),
    ),
    before: Type.Optional(noticeNumber("Number of a notice: only older ones")),
  }),
  status: 200,
  reply: Type.Object({
    notices: Type.Array(Notice),
    more: Type.Boolean({ description: "Whether the list continues" }),
    unseen: Type.Integer({ description: "Of all stored notices, without quiet ones" }),
    gone: Type.Integer({ description: "Number of older notices that were deleted" }),
  }),
  errors: [...sessionErrors, "payload_invalid"],
});

export const markNoticesSeen = operation({
  id: "markNoticesSeen",
  method: "PUT",
  path: "/api/notices/seen",
  access: "session",
  says: "Marks a notice and all older ones as seen.",
  body: Type.Object({ upTo: noticeNumber("a notice's number") }),
  status: 200,
  reply: Type.Object({ unseen: Type.Integer({ description: "Newer notices that are unseen" }) }),
  errors: inputErrors,
});

const settings = {
  desktop: Type.Boolean({ description: "true or false: whether the desktop shows them too" }),
  kinds: Type.Array(NoticeKind, {
    maxItems: noticeKinds.length,
    description: "a list of the kinds that cause alerts",
  }),
  quietGames: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: quietGamesMax,
    description: `a list of up to ${quietGamesMax} games without alerts; \`unsorted\` for reports without a game`,
  }),
} as const;

export const NoticeSettings = Type.Object(settings, { description: "Which notices cause alerts, and where" });
export type NoticeSettings = Type.Static<typeof NoticeSettings>;

export const noticeSettingDefaults: NoticeSettings = { desktop: false, kinds: [...noticeKinds], quietGames: [] };

const trouble = nullable(messageSchema(), "Why the desktop cannot show notifications and what to do, or null");

export const NoticeSettingsReport = Type.Object({ ...settings, trouble }, { description: "Settings of notices" });
export type NoticeSettingsReport = Type.Static<typeof NoticeSettingsReport>;

export const getNoticeSettings = operation({
  id: "getNoticeSettings",
  method: "GET",
  path: "/api/notices/settings",
  access: "session",
  says: "Returns which notices cause alerts, and whether the desktop shows them and can.",
  status: 200,
  reply: NoticeSettingsReport,
  errors: sessionErrors,
});

export const changeNoticeSettings = operation({
  id: "changeNoticeSettings",
  method: "PUT",
  path: "/api/notices/settings",
  access: "session",
  says: "Changes which notices cause alerts, and whether the desktop shows them. Omitted members do not change.",
  body: Type.Object({
    desktop: Type.Optional(settings.desktop),
    kinds: Type.Optional(settings.kinds),
    quietGames: Type.Optional(settings.quietGames),
  }),
  status: 200,
  reply: NoticeSettingsReport,
  errors: inputErrors,
});

export const testNotice = operation({
  id: "testNotice",
  method: "POST",
  path: "/api/notices/test",
  access: "session",
  says: "Shows a desktop notification now, even if they are switched off.",
  status: 200,
  reply: Type.Object({
    ok: Type.Boolean({ description: "Whether the desktop accepted it" }),
    says: messageSchema("What happened, and what to do if it failed"),
  }),
  errors: inputErrors,
});
