// Posts: what a social trigger became, from the draft to each network's confirmation.
import { Type } from "typebox";
import { Network } from "./accounts.ts";
import { nullable } from "./issues.ts";
import { altTextCharsMax, contentWarningCharsMax, postsPageMax, postTextCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { Attachment, Visibility } from "./post-rules.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

/**
 * `sent` is only said when every network confirmed it. `unsure`: a network may have it, and did not say so. `failed`: at
 * least one will not have it.
 */
export const postStates = ["draft", "approved", "sending", "sent", "unsure", "failed", "skipped", "expired"] as const;
export const PostState = Type.Enum(postStates, {
  description:
    "draft: waits for a person; approved: the time to undo runs; sending; sent: every network confirmed it; unsure: a network may have it, and did not say so; failed: a network will not have it; skipped; expired: nobody decided in time",
});
export type PostState = (typeof postStates)[number];

export const deliveryStates = ["waiting", "preparing", "sending", "sent", "maybe", "failed", "dropped"] as const;
export const DeliveryState = Type.Enum(deliveryStates, {
  description:
    "waiting: for its turn or for the next try; preparing: its footage is made to fit; sending; sent: confirmed; maybe: a request went out whose answer nobody has, and it is not sent again by itself; failed: `says` tells why; dropped: given up by a person",
});
export type DeliveryState = (typeof deliveryStates)[number];

export const Delivery = Type.Object(
  {
    account: Type.String({ description: "The account's id" }),
    network: Network,
    name: Type.String({ description: "The account's name" }),
    state: DeliveryState,
    says: nullable(Type.String(), "What happened last, and what to do; null while there is nothing to say"),
    tries: Type.Integer({ description: "Requests that went out" }),
    nextTryAt: nullable(Instant, "When it is tried again; null where that is not planned"),
    progress: nullable(Type.Number(), "Of a delivery that is prepared: how much of its footage is done, 0 to 1"),
    sentAt: nullable(Instant, "When the network confirmed it"),
    link: nullable(Type.String(), "The post's page; null where it has none"),
    notes: Type.Array(Type.String(), { description: "What was changed so that the network takes it" }),
  },
  { description: "A post on its way to one account" },
);
export type Delivery = Type.Static<typeof Delivery>;

export const postFootageStates = ["none", "pending", "ready", "missing"] as const;
export const PostFootage = Type.Object(
  {
    state: Type.Enum(postFootageStates, {
      description:
        "none: it has none to show; pending: it is still being made; ready; missing: it cannot be had, `says` tells why",
    }),
    says: nullable(Type.String(), "Why it is missing"),
    clip: nullable(Type.String(), "The clip's id, once there is one"),
    seconds: nullable(Type.Number(), "Its length in seconds; null for a picture"),
  },
  { description: "What a post shows of its moment" },
);
export type PostFootage = Type.Static<typeof PostFootage>;

const edited = {
  text: Type.String({
    maxLength: postTextCharsMax,
    description: `the text as it is sent, up to ${postTextCharsMax} characters`,
  }),
  altText: Type.String({ maxLength: altTextCharsMax, description: "what the footage shows, for who cannot see it" }),
  contentWarning: Type.String({
    maxLength: contentWarningCharsMax,
    description: "shown before the post; empty for none",
  }),
  attach: Attachment,
  visibility: Visibility,
} as const;

export const Post = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    state: PostState,
    event: Type.String({ description: "Id of the event; its receipt is at /api/events/{id}" }),
    eventId: Type.String(),
    game: nullable(Type.String(), "null is unsorted"),
    rule: nullable(Type.String(), "Id of the rule that made it; null once that is gone"),
    ...edited,
    footage: PostFootage,
    happenedAt: Instant,
    createdAt: Instant,
    expiresAt: nullable(Instant, "When nobody is asked any more; of a draft only"),
    sendsAt: nullable(Instant, "Until then an approval can be taken back; of an approved post only"),
    asks: nullable(
      Type.String(),
      "What a person has to decide before it goes on, beside approving it; null for nothing",
    ),
    deliveries: Type.Array(Delivery, { description: "One an account" }),
  },
  { description: "A post and how far it came" },
);
export type Post = Type.Static<typeof Post>;

const params = Type.Object({ id: Type.String({ description: "The post's id" }) });

export const listPosts = operation({
  id: "listPosts",
  method: "GET",
  path: "/api/posts",
  access: "session",
  says: "Posts, the newest first, and how many wait for a person.",
  query: Type.Object({
    state: Type.Optional(PostState),
    needs: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Only what a person has to decide: drafts, and posts that are unsure or failed",
      }),
    ),
    game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for posts without one" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: postsPageMax, default: 50, description: `1 to ${postsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "A post's id: only older ones" })),
  }),
  status: 200,
  reply: Type.Object({
    posts: Type.Array(Post),
    more: Type.Boolean({ description: "The list goes on" }),
    drafts: Type.Integer({ description: "Posts that wait for a person, of all" }),
  }),
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

export const getPost = operation({
  id: "getPost",
  method: "GET",
  path: "/api/posts/{id}",
  access: "session",
  says: "One post.",
  params,
  status: 200,
  reply: Post,
  errors: [...sessionErrors, "not_found"],
});

export const changePost = operation({
  id: "changePost",
  method: "PUT",
  path: "/api/posts/{id}",
  access: "session",
  says: "Edits a draft; what is left out stays as it is.",
  params,
  body: Type.Partial(Type.Object(edited)),
  status: 200,
  reply: Post,
  errors: changeErrors,
});

export const approvePost = operation({
  id: "approvePost",
  method: "POST",
  path: "/api/posts/{id}/approve",
  access: "session",
  says: "Has a draft sent, when the time to undo is over and its footage is there. What no network would take so is refused with the reason.",
  params,
  status: 200,
  reply: Post,
  errors: changeErrors,
});

export const undoPost = operation({
  id: "undoPost",
  method: "POST",
  path: "/api/posts/{id}/undo",
  access: "session",
  says: "Takes an approval back before it is sent, or takes up again what was skipped or expired: it is a draft again.",
  params,
  status: 200,
  reply: Post,
  errors: changeErrors,
});

export const skipPost = operation({
  id: "skipPost",
  method: "POST",
  path: "/api/posts/{id}/skip",
  access: "session",
  says: "Decides that a draft is not sent.",
  params,
  status: 200,
  reply: Post,
  errors: changeErrors,
});

export const settleDelivery = operation({
  id: "settleDelivery",
  method: "POST",
  path: "/api/posts/{id}/deliveries/{account}",
  access: "session",
  says: "Decides on a delivery that may have arrived or has failed: it arrived, it is sent again, or it is given up.",
  params: Type.Object({
    id: Type.String({ description: "The post's id" }),
    account: Type.String({ description: "The account's id" }),
  }),
  body: Type.Object({
    as: Type.Enum(["sent", "again", "dropped"], {
      description: "sent: a person saw it there; again: it is sent once more; dropped: given up",
    }),
  }),
  status: 200,
  reply: Post,
  errors: changeErrors,
});
