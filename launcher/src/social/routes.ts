// HTTP routes of posts, their rules and settings, and accounts.
import {
  addAccount,
  addPostRule,
  approvePost,
  changeAccount,
  changePost,
  changePostRule,
  changePostSettings,
  createPost,
  getPost,
  getPostPicture,
  getPostSettings,
  getPostVideo,
  listAccounts,
  listPostRules,
  listPosts,
  previewPost,
  proposePost,
  removeAccount,
  removePostRule,
  settleDelivery,
  skipPost,
  testAccount,
  undoPost,
} from "@kit/contract";
import { type Route, route } from "../http/route.ts";
import { sendMedia } from "../http/send-media.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Deliveries } from "./delivery/deliveries.ts";
import type { ClipPosts } from "./posts/clip-posts.ts";
import type { PostMediaFiles } from "./posts/post-media.ts";
import type { Posts } from "./posts/posts.ts";
import type { createPostPreview, PostRules, StoredPostSettings } from "./rules/rules.ts";

const defaultLimit = 50;

export type SocialRouteDeps = {
  readonly posts: Posts;
  readonly media: PostMediaFiles;
  readonly clipPosts: ClipPosts;
  readonly settle: Deliveries["settle"];
  readonly rules: PostRules;
  readonly preview: ReturnType<typeof createPostPreview>;
  readonly settings: StoredPostSettings;
  readonly accounts: Accounts;
};

/** Aborts when the client is gone, so that nothing is cut for nobody. */
function untilClosed({ raw }: { readonly raw: NodeJS.EventEmitter }): AbortSignal {
  const closed = new AbortController();
  raw.once("close", () => closed.abort(new Error("the client is gone")));
  return closed.signal;
}

export function socialRoutes({
  posts,
  media,
  clipPosts,
  settle,
  rules,
  preview,
  settings,
  accounts,
}: SocialRouteDeps): readonly Route[] {
  return [
    route(listPosts, ({ query: { state = null, needs = false, game = null, before = null, limit = defaultLimit } }) =>
      posts.list({ state, needs, game, before }, limit),
    ),
    route(getPost, ({ params }) => posts.get(params.id)),
    route(getPostVideo, async ({ params }, reply) =>
      sendMedia(reply, await media.video(params.id, untilClosed(reply))),
    ),
    route(getPostPicture, async ({ params }, reply) =>
      sendMedia(reply, await media.picture(params.id, untilClosed(reply))),
    ),
    route(proposePost, ({ params, query }) => clipPosts.propose(params.clip, query.language)),
    route(createPost, async ({ body }) => posts.get(await clipPosts.create(body))),
    route(changePost, ({ params, body }) => posts.change(params.id, body)),
    route(approvePost, ({ params }) => posts.approve(params.id)),
    route(undoPost, ({ params }) => posts.undo(params.id)),
    route(skipPost, ({ params }) => posts.skip(params.id)),
    route(settleDelivery, async ({ params: { id, account }, body }) => {
      await settle(id, account, body.as);
      return posts.get(id);
    }),
    route(listPostRules, async () => ({ rules: await rules.list() })),
    route(addPostRule, ({ body }) => rules.add(body)),
    route(changePostRule, ({ params, body }) => rules.change(params.id, body)),
    route(removePostRule, ({ params }) => rules.remove(params.id)),
    route(previewPost, async ({ body }) => ({ previews: await preview(body) })),
    route(getPostSettings, () => settings.get()),
    route(changePostSettings, ({ body }) => settings.change(body)),
    route(listAccounts, async () => ({ accounts: await accounts.all() })),
    route(addAccount, ({ body }) => accounts.add(body)),
    route(changeAccount, ({ params, body }) => accounts.change(params.id, body)),
    route(removeAccount, ({ params }) => accounts.remove(params.id)),
    route(testAccount, ({ params }) => accounts.test(params.id)),
  ];
}
