// Operations on posts and their deliveries, from the draft until each network has confirmed the post.
import { Type } from "typebox";
import { Network } from "./accounts.ts";
import { nullable } from "./issues.ts";
import {
  accountsMax,
  altTextCharsMax,
  contentWarningCharsMax,
  postPartSecondsMin,
  postsPageMax,
  postTextCharsMax,
} from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { Attachment, Visibility } from "./post-rules.ts";
import { fileErrors, inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

/**
 * `sent`: every network confirmed the post. `unsure`: a network may have it but did not confirm it. `failed`: a network
 * refused it. `held`: its rule or a limit held it back.
 */
export const postStates = [
  "draft",
  "held",
  "approved",
  "sending",
  "sent",
  "unsure",
  "failed",
  "skipped",
  "expired",
] as const;
export const PostState = Type.Enum(postStates, {
  description:
    "draft: waits for a person; held: held back by the cooldown of its rule or by a limit, see `held`; it can be approved; approved: can still be undone; sending; sent: every network confirmed it; unsure: it may have been posted without a confirmation; failed: a network refused it; skipped; expired: nobody decided in time",
});
export type PostState = (typeof postStates)[number];

export const deliveryStates = ["waiting", "preparing", "sending", "sent", "maybe", "failed", "dropped"] as const;
export const DeliveryState = Type.Enum(deliveryStates, {
  description:
    "waiting: for its turn or the next attempt; preparing: its footage is being converted; sending; sent: confirmed; maybe: a request got no answer, and it is not sent again automatically; failed: see `says`; dropped: given up by a person",
});
export type DeliveryState = (typeof deliveryStates)[number];

export const Delivery = Type.Object(
  {
    account: Type.String({ description: "The account's id" }),
    network: Network,
    name: Type.String({ description: "The account's name" }),
    state: DeliveryState,
    says: nullable(messageSchema(), "What happened last and what to do, or null"),
    tries: Type.Integer({ description: "Number of attempts" }),
    nextTryAt: nullable(Instant, "Time of the next attempt, or null"),
    progress: nullable(Type.Number(), "Progress of the preparation from 0 to 1, or null"),
    sentAt: nullable(Instant, "When the network confirmed it"),
    link: nullable(Type.String(), "URL of the post; null if it has none"),
    notes: Type.Array(messageSchema(), { description: "What was changed so that the network accepts it" }),
    already: Type.Boolean({
      description:
        "Whether another post of the same moment went to this account, or may have, or will; only for a draft or a post that is held back",
    }),
    demo: Type.Boolean({ description: "Whether it goes to the demo's account, where nobody else sees it" }),
  },
  { description: "The delivery of a post to one account" },
);
export type Delivery = Type.Static<typeof Delivery>;

export const PostPart = Type.Object(
  {
    fromSeconds: Type.Number({ minimum: 0, description: "seconds from the clip's first frame" }),
    toSeconds: Type.Number({
      minimum: 0,
      description: `seconds from the clip's first frame, at least ${postPartSecondsMin} after fromSeconds`,
    }),
  },
  { description: "The part of a clip that a post carries" },
);
export type PostPart = Type.Static<typeof PostPart>;

export const postFootageStates = ["none", "pending", "ready", "missing"] as const;
export const PostFootage = Type.Object(
  {
    state: Type.Enum(postFootageStates, {
      description: "none: not requested; pending: not finished yet; ready; missing: there is none, see `says`",
    }),
    says: nullable(messageSchema(), "Why it is missing"),
    clip: nullable(Type.String(), "Id of the clip, if it exists"),
    seconds: nullable(Type.Number(), "Length of what is posted, in seconds; null for a screenshot"),
    clipSeconds: nullable(Type.Number(), "Length of the whole clip in seconds; null for a screenshot"),
    part: nullable(PostPart, "The part of the clip that is posted; null for the whole clip"),
    momentPart: nullable(
      PostPart,
      "The part around its event, as long as its recording rule says; null if that is the whole clip",
    ),
    pictureSeconds: nullable(Type.Number(), "Where the clip shows the event; null if the clip's own picture shows it"),
  },
  { description: "The footage of a post" },
);
export type PostFootage = Type.Static<typeof PostFootage>;

const postContent = {
  text: Type.String({
    maxLength: postTextCharsMax,
    description: `the text as it is sent, up to ${postTextCharsMax} characters`,
  }),
  altText: Type.String({
    maxLength: altTextCharsMax,
    description: "a description of the footage for people who cannot see it",
  }),
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
    event: nullable(
      Type.String(),
      "Id of the event; its receipt is at /api/events/{id}. null: a person made the post from a clip",
    ),
    eventId: nullable(Type.String(), "null if a person made it from a clip without an event id"),
    fromClip: nullable(Type.String(), "Id of the clip that a person made the post from; null for a post of an event"),
    title: nullable(Type.String(), "Title of that clip; null for a post of an event"),
    game: nullable(Type.String(), "null is unsorted"),
    rule: nullable(Type.String(), "Id of its rule; null if the rule was removed"),
    ...postContent,
    footage: PostFootage,
    happenedAt: Instant,
    createdAt: Instant,
    expiresAt: nullable(Instant, "When the post expires; only for a draft or a post that is held back"),
    sendsAt: nullable(Instant, "Until when the approval can be undone; only for an approved post"),
    asks: nullable(messageSchema(), "What a person has to decide besides the approval, or null"),
    held: nullable(messageSchema(), "Why it was held back when its event arrived; null if it was not"),
    deliveries: Type.Array(Delivery, { description: "One for each account" }),
  },
  { description: "A post with its deliveries" },
);
export type Post = Type.Static<typeof Post>;

/** Returns the deliveries to accounts that have the moment already. Such a draft is approved on its own, never with others. */
export const repeatedDeliveries = ({ deliveries }: Pick<Post, "deliveries">): readonly Delivery[] =>
  deliveries.filter(({ already }) => already);

const params = Type.Object({ id: Type.String({ description: "The post's id" }) });

export const listPosts = operation({
  id: "listPosts",
  method: "GET",
  path: "/api/posts",
  access: "session",
  says: "Lists posts, newest first, and how many drafts are waiting.",
  query: Type.Object({
    state: Type.Optional(PostState),
    needs: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Only posts that need a decision: drafts, unsure and failed posts",
      }),
    ),
    game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for posts without one" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: postsPageMax, default: 50, description: `1 to ${postsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "Id of a post: only older ones" })),
  }),
  status: 200,
  reply: Type.Object({
    posts: Type.Array(Post),
    more: Type.Boolean({ description: "Whether the list continues" }),
    drafts: Type.Integer({ description: "Number of all drafts" }),
    held: Type.Integer({ description: "Number of all posts that are held back" }),
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

export const PostProposal = Type.Object(
  {
    title: Type.String({ description: "The clip's title" }),
    ...postContent,
    accounts: Type.Array(Type.String(), {
      description:
        "Ids of accounts: those of the rule that matches the clip's events, else those of the newest post, else the only one; may be empty",
    }),
  },
  { description: "What a post of a clip would contain" },
);
export type PostProposal = Type.Static<typeof PostProposal>;

const language = Type.Optional(
  Type.String({
    maxLength: 35,
    description: "language of what Kit itself says in the text, e.g. ja; by default that of the system",
  }),
);

export const proposePost = operation({
  id: "proposePost",
  method: "GET",
  path: "/api/post-proposals/{clip}",
  access: "session",
  says: "Proposes a post of a clip: its text, from the post rule of its events if there is one, and its accounts. Stores nothing.",
  params: Type.Object({ clip: Type.String({ description: "The clip's id" }) }),
  query: Type.Object({ language }),
  status: 200,
  reply: PostProposal,
  errors: inputErrors,
});

const { attach: _, ...createdContent } = postContent;

export const createPost = operation({
  id: "createPost",
  method: "POST",
  path: "/api/posts",
  access: "session",
  says:
    "Makes a post of a clip or a screenshot: a draft, which is sent after approval like any other. Omitted members are as in its " +
    "proposal. A clip that is still being made is posted once it is saved.",
  body: Type.Object({
    clip: Type.String({ maxLength: 64, description: "the id of a clip or a screenshot" }),
    accounts: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        minItems: 1,
        maxItems: accountsMax,
        uniqueItems: true,
        description: "ids of the accounts to post to, at least one",
      }),
    ),
    ...Type.Partial(Type.Object(createdContent)).properties,
    language,
    approve: Type.Optional(
      Type.Boolean({
        default: false,
        description: "true: approves it too. Nothing is created if a network would not accept it",
      }),
    ),
  }),
  status: 201,
  reply: Post,
  errors: inputErrors,
});
export type NewClipPost = Type.Static<typeof createPost.body>;

export const changePost = operation({
  id: "changePost",
  method: "PUT",
  path: "/api/posts/{id}",
  access: "session",
  says: "Edits a draft, or a post that is held back. Omitted members do not change.",
  params,
  body: Type.Partial(
    Type.Object({
      ...postContent,
      part: nullable(PostPart, "the part of the clip to post; null for the whole clip"),
    }),
  ),
  status: 200,
  reply: Post,
  errors: inputErrors,
});

export const approvePost = operation({
  id: "approvePost",
  method: "POST",
  path: "/api/posts/{id}/approve",
  access: "session",
  says: "Approves a draft, or a post that is held back. It is sent when the undo time is over and its footage is ready. Refuses one that a network would not accept.",
  params,
  status: 200,
  reply: Post,
  errors: inputErrors,
});

export const undoPost = operation({
  id: "undoPost",
  method: "POST",
  path: "/api/posts/{id}/undo",
  access: "session",
  says: "Makes an approved, skipped or expired post a draft again.",
  params,
  status: 200,
  reply: Post,
  errors: inputErrors,
});

const media = {
  method: "GET",
  access: "media",
  params,
  status: 200,
  ranged: true,
  errors: fileErrors,
} as const;

export const getPostVideo = operation({
  ...media,
  id: "getPostVideo",
  path: "/api/posts/{id}/video",
  says: "Returns the MP4 that the post carries, cut from its clip without encoding. A copy may be made smaller for a network. Accepts Range.",
  file: "video/mp4",
});

export const getPostPicture = operation({
  ...media,
  id: "getPostPicture",
  path: "/api/posts/{id}/picture",
  says: "Returns an image of what the post is about.",
  file: "image/jpeg",
});

export const skipPost = operation({
  id: "skipPost",
  method: "POST",
  path: "/api/posts/{id}/skip",
  access: "session",
  says: "Skips a draft, or a post that is held back: it is not sent.",
  params,
  status: 200,
  reply: Post,
  errors: inputErrors,
});

export const settleDelivery = operation({
  id: "settleDelivery",
  method: "POST",
  path: "/api/posts/{id}/deliveries/{account}",
  access: "session",
  says: "Settles a failed or uncertain delivery: it arrived, it is sent again, or it is given up.",
  params: Type.Object({
    id: Type.String({ description: "The post's id" }),
    account: Type.String({ description: "The account's id" }),
  }),
  body: Type.Object({
    as: Type.Enum(["sent", "again", "dropped"], {
      description: "sent: a person confirmed it; again: it is sent again; dropped: given up",
    }),
  }),
  status: 200,
  reply: Post,
  errors: inputErrors,
});
