// What a person wants told of an event: in which words, with which footage, where, and whether they are asked first.
import { Type } from "typebox";
import { AccountLimits, Network } from "./accounts.ts";
import { nullable } from "./issues.ts";
import { accountsMax, altTextCharsMax, contentWarningCharsMax, postRulesMax, postTextCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const attachments = ["clip", "screenshot", "none"] as const;
export const Attachment = Type.Enum(attachments, { description: "What a post shows of the moment" });
export type Attachment = (typeof attachments)[number];

export const visibilities = ["public", "unlisted", "followers"] as const;
export const Visibility = Type.Enum(visibilities, {
  description: "Who sees it, where the network has that: everybody; whoever looks for it; followers",
});
export type Visibility = (typeof visibilities)[number];

/** What a text can hold in double braces. Nothing else of an event is ever put into a post. */
export const postVariables = {
  event: "the event in words: `my_game_boss_defeated` is boss defeated",
  game: "the game's name in words",
  eventId: "the event's id as the game sent it",
  time: "when it happened, hours and minutes on this machine's clock",
  date: "the day it happened",
  clipLength: "the clip's length such as 17 s; empty without one",
} as const;
export type PostVariable = keyof typeof postVariables;

const members = {
  pattern: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
    description: "an event id, in which each * stands for any text; 1 to 200 characters",
  }),
  accounts: Type.Array(Type.String({ maxLength: 64 }), {
    minItems: 1,
    maxItems: accountsMax,
    uniqueItems: true,
    description: "ids of the accounts it goes to, at least one",
  }),
  text: Type.String({
    maxLength: postTextCharsMax,
    description: `the text; {{event}}, {{game}}, {{time}} and the other variables are filled in; up to ${postTextCharsMax} characters`,
  }),
  attach: Attachment,
  without: Type.Enum(["ask", "post"], {
    description: "when the footage cannot be had. ask: a person decides; post: it is posted without",
  }),
  altText: Type.String({
    maxLength: altTextCharsMax,
    description: "what the footage shows, for who cannot see it; variables as in the text",
  }),
  contentWarning: Type.String({
    maxLength: contentWarningCharsMax,
    description: "shown before the post; empty for none",
  }),
  visibility: Visibility,
  approval: Type.Enum(["ask", "automatic"], { description: "ask: nothing is sent before a person approved it" }),
  cooldownSeconds: Type.Integer({
    minimum: 30,
    maximum: 86_400,
    description: "seconds, 30 to 86,400: within them the same rule makes no second post",
  }),
  enabled: Type.Boolean({ description: "false: it makes no posts" }),
} as const;

export const PostRule = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    ...members,
    createdAt: Instant,
    posts: Type.Integer({ description: "Posts it made" }),
    lastPostAt: nullable(Instant, "null while it made none"),
    held: Type.Integer({ description: "Events it made no post of: within its cooldown, or too many in the hour" }),
  },
  { description: "What becomes of a social trigger" },
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
    account: nullable(Type.String(), "Its id; null where no account of that network is connected"),
    network: Network,
    name: Type.String(),
    text: Type.String({ description: "As it would be sent, the warning in it where the network has none of its own" }),
    length: Type.Integer({ description: "As the network counts it" }),
    limits: AccountLimits,
    problems: Type.Array(Type.String(), {
      description: "Why it could not be sent so, and what to do; empty when it can",
    }),
  },
  { description: "A text as one network would have it" },
);
export type PostPreview = Type.Static<typeof PostPreview>;

export const PostSettings = Type.Object(
  {
    undoSeconds: Type.Integer({
      minimum: 0,
      maximum: 600,
      description: "seconds between approving and sending, 0 to 600",
    }),
    expireHours: Type.Integer({
      minimum: 1,
      maximum: 720,
      description: "hours after which nobody is asked any more, 1 to 720",
    }),
    hourlyMax: Type.Integer({ minimum: 1, maximum: 60, description: "posts made in an hour at most, 1 to 60" }),
  },
  { description: "What holds for all posts" },
);
export type PostSettings = Type.Static<typeof PostSettings>;

export const postSettingDefaults: PostSettings = { undoSeconds: 10, expireHours: 72, hourlyMax: 20 };

const params = Type.Object({ id: Type.String({ description: "The rule's id" }) });

export const listPostRules = operation({
  id: "listPostRules",
  method: "GET",
  path: "/api/post-rules",
  access: "session",
  says: "What becomes of social triggers: the first rule whose pattern fits an event id is used, the most exact first.",
  status: 200,
  reply: Type.Object({ rules: Type.Array(PostRule, { description: "In the order in which they are tried" }) }),
  errors: sessionErrors,
});

export const addPostRule = operation({
  id: "addPostRule",
  method: "POST",
  path: "/api/post-rules",
  access: "session",
  says: `Adds a rule; what is left out is as by default. ${postRulesMax} at most.`,
  body: NewRule,
  status: 201,
  reply: PostRule,
  errors: changeErrors,
});

export const changePostRule = operation({
  id: "changePostRule",
  method: "PUT",
  path: "/api/post-rules/{id}",
  access: "session",
  says: "Changes a rule; what is left out stays as it is. Posts that were made stay as they were made.",
  params,
  body: RuleChange,
  status: 200,
  reply: PostRule,
  errors: changeErrors,
});

export const removePostRule = operation({
  id: "removePostRule",
  method: "DELETE",
  path: "/api/post-rules/{id}",
  access: "session",
  says: "Removes a rule. Its posts stay.",
  params,
  status: 204,
  errors: changeErrors,
});

export const previewPost = operation({
  id: "previewPost",
  method: "POST",
  path: "/api/post-rules/preview",
  access: "session",
  says: "What a text would be on each network, counted as that network counts. Keeps and sends nothing.",
  body: Type.Object({
    text: members.text,
    contentWarning: Type.Optional(members.contentWarning),
    altText: Type.Optional(members.altText),
    eventId: Type.Optional(Type.String({ maxLength: 200, description: "the event id to fill in" })),
    accounts: Type.Optional(members.accounts),
    filled: Type.Optional(
      Type.Boolean({ default: false, description: "the text is a post's own: nothing is filled in" }),
    ),
  }),
  status: 200,
  reply: Type.Object({
    previews: Type.Array(PostPreview, { description: "One an account; without accounts one a network" }),
  }),
  errors: changeErrors,
});

export const getPostSettings = operation({
  id: "getPostSettings",
  method: "GET",
  path: "/api/post-settings",
  access: "session",
  says: "What holds for all posts.",
  status: 200,
  reply: PostSettings,
  errors: sessionErrors,
});

export const changePostSettings = operation({
  id: "changePostSettings",
  method: "PUT",
  path: "/api/post-settings",
  access: "session",
  says: "Sets what holds for all posts; what is left out stays as it is.",
  body: Type.Partial(PostSettings),
  status: 200,
  reply: PostSettings,
  errors: changeErrors,
});
