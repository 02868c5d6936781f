// Operations on post rules, and on the settings of all posts.

import { Type } from "typebox";
import { AccountLimits, Network } from "./accounts.ts";
import { nullable } from "./issues.ts";
import { accountsMax, altTextCharsMax, contentWarningCharsMax, postRulesMax, postTextCharsMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const attachments = ["clip", "screenshot", "none"] as const;
export const Attachment = Type.Enum(attachments, { description: "The footage that a post attaches" });
export type Attachment = (typeof attachments)[number];

export const visibilities = ["public", "unlisted", "followers"] as const;
export const Visibility = Type.Enum(visibilities, {
  description: "Who can see the post, if the network supports it: everybody; everybody, but unlisted; followers",
});
export type Visibility = (typeof visibilities)[number];

/** The variables that a post's text can contain, each with its meaning. No other data of an event gets into a post. */
export const postVariables = {
  event: "the event in words: `my_game_boss_defeated` is boss defeated",
  game: "the game's name in words",
  eventId: "the event's id as the game sent it",
  time: "when it happened, hours and minutes on this machine's clock",
  date: "the day it happened",
  clipLength: "the clip's length such as 17 s; empty without one",
} as const;
export type PostVariable = keyof typeof postVariables;

/** Whether an event id matches a pattern. In a pattern, * stands for any text, also for none. Takes linear time. */
export function matchesEventIdPattern(pattern: string, eventId: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return eventId === pattern;
  if (eventId.length < first.length + last.length) return false;
  if (!eventId.startsWith(first) || !eventId.endsWith(last)) return false;
  const end = eventId.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = eventId.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const members = {
  pattern: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
    description: "an event id of 1 to 200 characters, in which * matches any text",
  }),
  accounts: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: accountsMax,
    uniqueItems: true,
    description: "ids of the accounts to post to, at least one",
  }),
  text: Type.String({
    maxLength: postTextCharsMax,
    description: `the text with variables such as {{event}}, {{game}} and {{time}}; up to ${postTextCharsMax} characters`,
  }),
  attach: Attachment,
  without: Type.Enum(["ask", "post"], {
    description: "if there is no footage. ask: a person decides; post: post without it",
  }),
  altText: Type.String({
    maxLength: altTextCharsMax,
    description: "alternative text that describes the footage; may contain the same variables",
  }),
  contentWarning: Type.String({
    maxLength: contentWarningCharsMax,
    description: "content warning; empty for none",
  }),
  visibility: Visibility,
  approval: Type.Enum(["ask", "automatic"], {
    description: "ask: a person must approve each post; automatic: posts are sent without asking",
  }),
  cooldownSeconds: Type.Integer({
    minimum: 30,
    maximum: 86_400,
    description: "30 to 86,400 seconds in which the rule makes no further post of the same event id",
  }),
  enabled: Type.Boolean({ description: "false switches the rule off" }),
} as const;

export const PostRule = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    ...members,
    createdAt: Instant,
    posts: Type.Integer({ description: "Number of posts made by the rule" }),
    lastPostAt: nullable(Instant, "null if it made none"),
    held: Type.Integer({
      description: "Events whose posts were held back, by the cooldown, the hourly limit or the limit of drafts",
    }),
  },
  { description: "Turns social triggers into posts" },
);
export type PostRule = Type.Static<typeof PostRule>;

export const postRuleDefaults = {
  text: "{{event}} in {{game}}",
  attach: "clip",
  without: "ask",
  altText: "A clip of {{game}}: {{event}}",
  contentWarning: "",
  visibility: "public",
  approval: "ask",
  cooldownSeconds: 60,
  enabled: true,
} as const satisfies Partial<PostRule>;

const { pattern, accounts, ...others } = members;
const NewRule = Type.Object({ pattern, accounts, ...Type.Partial(Type.Object(others)).properties });
export type NewPostRule = Type.Static<typeof NewRule>;
const RuleChange = Type.Partial(Type.Object(members));
export type PostRuleChange = Type.Static<typeof RuleChange>;

export const PostPreview = Type.Object(
  {
    account: nullable(Type.String(), "Id of the account; null if none of that network is connected"),
    network: Network,
    name: Type.String(),
    text: Type.String({
      description: "The text as it would be sent, including the warning if the network has no separate field for it",
    }),
    length: Type.Integer({ description: "Length as the network counts it" }),
    limits: AccountLimits,
    problems: Type.Array(messageSchema(), {
      description: "Why the text cannot be sent, and what to do; empty if it can",
    }),
  },
  { description: "A text as one network would show it" },
);
export type PostPreview = Type.Static<typeof PostPreview>;

export const PostSettings = Type.Object(
  {
    undoSeconds: Type.Integer({
      minimum: 0,
      maximum: 600,
      description: "seconds between approval and sending, 0 to 600",
    }),
    expireHours: Type.Integer({
      minimum: 1,
      maximum: 720,
      description: "hours after which a draft expires, 1 to 720",
    }),
    hourlyMax: Type.Integer({ minimum: 1, maximum: 60, description: "maximum posts per hour, 1 to 60" }),
  },
  { description: "Settings for all posts" },
);
export type PostSettings = Type.Static<typeof PostSettings>;

export const postSettingDefaults: PostSettings = { undoSeconds: 10, expireHours: 72, hourlyMax: 20 };

const params = Type.Object({ id: Type.String({ description: "The rule's id" }) });

export const listPostRules = operation({
  id: "listPostRules",
  method: "GET",
  path: "/api/post-rules",
  access: "session",
  says: "The post rules, most specific first. The first rule whose pattern matches an event id applies.",
  status: 200,
  reply: Type.Object({ rules: Type.Array(PostRule, { description: "In the order in which the rules are tried" }) }),
  errors: sessionErrors,
});

export const addPostRule = operation({
  id: "addPostRule",
  method: "POST",
  path: "/api/post-rules",
  access: "session",
  says: `Adds a post rule. Omitted members get their defaults. At most ${postRulesMax} rules.`,
  body: NewRule,
  status: 201,
  reply: PostRule,
  errors: inputErrors,
});

export const changePostRule = operation({
  id: "changePostRule",
  method: "PUT",
  path: "/api/post-rules/{id}",
  access: "session",
  says: "Changes a post rule. Omitted members stay unchanged, and so do existing posts.",
  params,
  body: RuleChange,
  status: 200,
  reply: PostRule,
  errors: inputErrors,
});

export const removePostRule = operation({
  id: "removePostRule",
  method: "DELETE",
  path: "/api/post-rules/{id}",
  access: "session",
  says: "Removes a post rule. Its posts remain.",
  params,
  status: 204,
  errors: inputErrors,
});

export const previewPost = operation({
  id: "previewPost",
  method: "POST",
  path: "/api/post-rules/preview",
  access: "session",
  says: "Previews a text on each network, with its length as that network counts it. Stores and sends nothing.",
  body: Type.Object({
    text: members.text,
    contentWarning: Type.Optional(members.contentWarning),
    altText: Type.Optional(members.altText),
    eventId: Type.Optional(Type.String({ maxLength: 200, description: "the event id for the variables" })),
    game: Type.Optional(
      Type.String({ maxLength: 200, description: "the game for the variables; that of the event id if left out" }),
    ),
    accounts: Type.Optional(members.accounts),
    filled: Type.Optional(
      Type.Boolean({ default: false, description: "true if the text is that of a post and contains no variables" }),
    ),
  }),
  status: 200,
  reply: Type.Object({
    previews: Type.Array(PostPreview, {
      description: "One preview per account, or per network if no accounts are given",
    }),
  }),
  errors: inputErrors,
});

export const getPostSettings = operation({
  id: "getPostSettings",
  method: "GET",
  path: "/api/post-settings",
  access: "session",
  says: "The settings for all posts.",
  status: 200,
  reply: PostSettings,
  errors: sessionErrors,
});

export const changePostSettings = operation({
  id: "changePostSettings",
  method: "PUT",
  path: "/api/post-settings",
  access: "session",
  says: "Changes the settings for all posts. Omitted members stay unchanged.",
  body: Type.Partial(PostSettings),
  status: 200,
  reply: PostSettings,
  errors: inputErrors,
});
