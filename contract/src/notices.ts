// Notices: what is worth saying of issues, without being asked.
import { Type } from "typebox";
import { issueId, nullable } from "./issues.ts";
import { noticesPageMax, quietGamesMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

export const noticeKinds = ["new", "regressed", "woke", "times"] as const;
export const NoticeKind = Type.Enum(noticeKinds, {
  description:
    "new: the first of its kind; regressed: it was resolved and came back; woke: it came again after its mute was over; times: its reports reached 10, 100, 1,000 and so on",
});
export type NoticeKind = (typeof noticeKinds)[number];

const noticeNumber = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const Notice = Type.Object(
  {
    number: Type.Integer({ description: "Rises with each notice; never used twice" }),
    kind: NoticeKind,
    issue: issueId.properties.id,
    title: Type.String({ description: "Of the issue" }),
    game: nullable(Type.String(), "null is unsorted"),
    at: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
    count: Type.Integer({ description: "How many reports the issue had by then" }),
    seen: Type.Boolean({ description: "A person marked it as seen, in whichever browser" }),
    quiet: Type.Boolean({ description: "Its kind or its game is kept quiet: it is listed, and nobody is told" }),
  },
  { description: "Something worth saying of an issue" },
);
export type Notice = Type.Static<typeof Notice>;

export const listNotices = operation({
  id: "listNotices",
  method: "GET",
  path: "/api/notices",
  access: "session",
  says: "What was worth saying of issues, newest first. The newest 500 are kept.",
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: noticesPageMax, default: 30, description: `1 to ${noticesPageMax}` }),
    ),
    before: Type.Optional(noticeNumber("A notice's number: only older ones")),
  }),
  status: 200,
  reply: Type.Object({
    notices: Type.Array(Notice),
    more: Type.Boolean({ description: "The list goes on" }),
    unseen: Type.Integer({ description: "Of all that are kept, without the quiet ones" }),
    gone: Type.Integer({ description: "How many older ones are no longer kept" }),
  }),
  errors: [...sessionErrors, "payload_invalid"],
});

export const seeNotices = operation({
  id: "seeNotices",
  method: "PUT",
  path: "/api/notices/seen",
  access: "session",
  says: "Marks notices as seen: one, and all that are older.",
  body: Type.Object({ upTo: noticeNumber("a notice's number") }),
  status: 200,
  reply: Type.Object({ unseen: Type.Integer({ description: "Those that came later" }) }),
  errors: changeErrors,
});

const settings = {
  desktop: Type.Boolean({ description: "true or false: whether the desktop shows them too" }),
  kinds: Type.Array(NoticeKind, {
    maxItems: noticeKinds.length,
    description: "a list of the kinds that are told of",
  }),
  quietGames: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: quietGamesMax,
    description: `a list of up to ${quietGamesMax} games nobody is told of; \`unsorted\` for reports without a game`,
  }),
} as const;

export const NoticeSettings = Type.Object(settings, { description: "Which notices are told of, and where" });
export type NoticeSettings = Type.Static<typeof NoticeSettings>;

export const noticeDefaults: NoticeSettings = { desktop: false, kinds: [...noticeKinds], quietGames: [] };

const trouble = nullable(
  Type.String(),
  "Why the desktop cannot show anything, and what to do; null when nothing is known to be wrong",
);

export const NoticeSettingsReport = Type.Object({ ...settings, trouble }, { description: "How notices are set" });
export type NoticeSettingsReport = Type.Static<typeof NoticeSettingsReport>;

export const getNoticeSettings = operation({
  id: "getNoticeSettings",
  method: "GET",
  path: "/api/notices/settings",
  access: "session",
  says: "Which notices are told of, whether the desktop shows them too, and whether it can.",
  status: 200,
  reply: NoticeSettingsReport,
  errors: sessionErrors,
});

export const changeNoticeSettings = operation({
  id: "changeNoticeSettings",
  method: "PUT",
  path: "/api/notices/settings",
  access: "session",
  says: "Sets which notices are told of, and whether the desktop shows them too; what is left out stays as it is.",
  body: Type.Object({
    desktop: Type.Optional(settings.desktop),
    kinds: Type.Optional(settings.kinds),
    quietGames: Type.Optional(settings.quietGames),
  }),
  status: 200,
  reply: NoticeSettingsReport,
  errors: changeErrors,
});

export const testNotice = operation({
  id: "testNotice",
  method: "POST",
  path: "/api/notices/test",
  access: "session",
  says: "Shows a notification on the desktop now, whether that is switched on or not.",
  status: 200,
  reply: Type.Object({
    ok: Type.Boolean({ description: "The desktop took it" }),
    says: Type.String({ description: "What happened, and what to do when it did not work" }),
  }),
  errors: changeErrors,
});
