// What a fake launcher replies about posts, accounts and post rules. It keeps what the page changes.

import {
  type Account,
  type AccountTest,
  addAccount,
  addPostRule,
  approvePost,
  changeAccount,
  changePost,
  changePostRule,
  changePostSettings,
  type Given,
  getPost,
  getPostSettings,
  KitError,
  listAccounts,
  listPostRules,
  listPosts,
  type Post,
  type PostPreview,
  type PostRule,
  type PostSettings,
  postRuleDefaults,
  postSettingDefaults,
  previewPost,
  proposePost,
  removeAccount,
  removePostRule,
  settleDelivery,
  skipPost,
  testAccount,
  undoPost,
} from "@kit/contract";
import { accountOf, postIdOf } from "../post-samples.ts";
import type { FakeLauncher } from "./fake-launcher.ts";

/** What the launcher has. A test may change all of it at any time. */
export type FakePosts = {
  posts: Post[];
  accounts: Account[];
  rules: PostRule[];
  settings: PostSettings;
  test: AccountTest;
  /** The signing secret in the reply to a new webhook. */
  secret: string | null;
  /** What is checked when an account is connected. */
  connected: AccountTest["checked"];
};

const needsDecision = ({ state }: Post) => state === "draft" || state === "unsure" || state === "failed";

/** Decides the replies about posts. A page's filter by game and its paging are a matter of its query, which tests compare. */
function answerPosts({ when }: FakeLauncher, has: FakePosts): void {
  const find = (id: string) =>
    has.posts.find((post) => post.id === id) ?? raise(new KitError("not_found", "There is no such post."));
  const change = (id: string, members: (post: Post) => Partial<Post>): Post => {
    const changed = { ...find(id), ...members(find(id)) };
    has.posts = has.posts.map((post) => (post.id === id ? changed : post));
    return changed;
  };
  when(listPosts).reply(({ query: { needs, state, limit = 50 } = {} }) => ({
    posts: has.posts
      .filter((post) => (needs !== true || needsDecision(post)) && (state ?? post.state) === post.state)
      .slice(0, limit),
    more: false,
    drafts: has.posts.filter((post) => post.state === "draft").length,
    held: has.posts.filter((post) => post.state === "held").length,
  }));
  when(proposePost).reply(() => ({
    ...{ title: "Boss defeated", text: "Boss defeated in my game", altText: "Footage of my game", contentWarning: "" },
    ...{ visibility: "public", attach: "clip", accounts: has.accounts.slice(0, 2).map(({ id }) => id) },
  }));
  when(getPost).reply(({ params }) => find(params.id));
  when(approvePost).reply(({ params }) => {
    const sendsAt = new Date(Date.now() + has.settings.undoSeconds * 1_000).toISOString();
    return change(params.id, () => ({ state: "approved", sendsAt, expiresAt: null, asks: null }));
  });
  when(skipPost).reply(({ params }) => change(params.id, () => ({ state: "skipped", expiresAt: null })));
  when(undoPost).reply(({ params }) => change(params.id, () => ({ state: "draft", sendsAt: null })));
  when(changePost).reply(({ params, body: { part, ...members } }) =>
    change(params.id, ({ footage }) => ({
      ...members,
      footage: part === undefined ? footage : { ...footage, part },
    })),
  );
  when(settleDelivery).reply(({ params, body: { as } }) => {
    const state = ({ sent: "sent", again: "waiting", dropped: "dropped" } as const)[as];
    return change(params.id, ({ deliveries }) => ({
      state: as === "again" ? "sending" : "sent",
      deliveries: deliveries.map((each) => (each.account === params.account ? { ...each, state, says: null } : each)),
    }));
  });
}

function answerAccounts({ when }: FakeLauncher, has: FakePosts): void {
  when(listAccounts).reply(() => ({ accounts: has.accounts }));
  when(testAccount).reply(() => has.test);
  when(addAccount).reply(({ body: { network } }) => {
    const account = accountOf(network, { lastSentAt: null, sent: 0 });
    has.accounts = [...has.accounts, account];
    return { account, secret: has.secret, checked: has.connected };
  });
  when(changeAccount).reply(({ params: { id }, body: { fields: _fields, ...members } }) => {
    const changed = { ...members, ...(members.enabled === true && { stopped: null }) };
    has.accounts = has.accounts.map((each) => (each.id === id ? { ...each, ...changed } : each));
    return has.accounts.find((each) => each.id === id) ?? raise(new KitError("not_found", "There is no such account."));
  });
  when(removeAccount).reply(({ params }) => {
    has.accounts = has.accounts.filter(({ id }) => id !== params.id);
    return undefined;
  });
}

/** A text as each network shows it, with a problem if it is too long. */
export function previewsOf({ accounts }: FakePosts, body: Given<typeof previewPost>["body"]): PostPreview[] {
  const text = body.text.replaceAll("{{event}}", "boss defeated").replaceAll("{{game}}", "my game");
  const { length } = [...text];
  return accounts
    .filter(({ id }) => body.accounts?.includes(id) ?? true)
    .map(({ id, network, name, limits }) => {
      const over = length - limits.textMax;
      const problems = over > 0 ? [`It is ${over} over the limit: shorten it.`] : [];
      return { account: id, network, name, text, length, limits, problems };
    });
}

function answerRules({ when }: FakeLauncher, has: FakePosts): void {
  when(listPostRules).reply(() => ({ rules: has.rules }));
  when(previewPost).reply(({ body }) => ({ previews: previewsOf(has, body) }));
  when(addPostRule).reply(({ body }) => {
    const made = { id: postIdOf(has.rules.length), createdAt: new Date().toISOString(), posts: 0, held: 0 };
    const rule = { ...postRuleDefaults, ...made, lastPostAt: null, ...body };
    has.rules = [...has.rules, rule];
    return rule;
  });
  when(changePostRule).reply(({ params: { id }, body }) => {
    has.rules = has.rules.map((rule) => (rule.id === id ? { ...rule, ...body } : rule));
    return has.rules.find((rule) => rule.id === id) ?? raise(new KitError("not_found", "There is no such rule."));
  });
  when(removePostRule).reply(({ params }) => {
    has.rules = has.rules.filter(({ id }) => id !== params.id);
    return undefined;
  });
  when(getPostSettings).reply(() => has.settings);
  when(changePostSettings).reply(({ body }) => {
    has.settings = { ...has.settings, ...body };
    return has.settings;
  });
}

function raise(error: Error): never {
  throw error;
}

/** Lets the launcher reply about posts, accounts and post rules. Returns what it has. */
export function givePosts(launcher: FakeLauncher, given: Partial<FakePosts> = {}): FakePosts {
  const has: FakePosts = {
    posts: [],
    accounts: [accountOf("discord"), accountOf("bluesky"), accountOf("mastodon")],
    rules: [],
    settings: postSettingDefaults,
    test: { ok: true, says: "The network would accept a post now.", checked: [] },
    secret: null,
    connected: [],
    ...given,
  };
  for (const answer of [answerPosts, answerAccounts, answerRules]) answer(launcher, has);
  return has;
}
