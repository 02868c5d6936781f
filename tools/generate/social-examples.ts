// Documentation examples for posts, post rules and accounts.
import {
  type Account,
  type AccountLimits,
  type AccountTest,
  addAccount,
  addPostRule,
  approvePost,
  changeAccount,
  changePost,
  changePostRule,
  changePostSettings,
  createPost,
  getPost,
  getPostSettings,
  listAccounts,
  listPostRules,
  listPosts,
  type Post,
  type PostPreview,
  type PostProposal,
  type PostRule,
  postSettingDefaults,
  previewPost,
  proposePost,
  settleDelivery,
  skipPost,
  testAccount,
  undoPost,
} from "@kit/contract";
import type { Show } from "./show.ts";

const limits: AccountLimits = {
  textMax: 2_000,
  counts: "characters",
  imageBytesMax: 20_971_520,
  videoBytesMax: 20_971_520,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 1_024,
  visibility: false,
  contentWarning: false,
};

const account: Account = {
  id: "019ceb40-5a10-7b36-9c02-6f4d1e8a2b70",
  network: "discord",
  name: "clips",
  host: "discord.com",
  link: null,
  enabled: true,
  addedAt: "2026-03-14T09:12:40.208Z",
  limits,
  kept: "keyring",
  sent: 12,
  waiting: 0,
  lastSentAt: "2026-03-14T09:27:18.870Z",
  lastError: null,
  lastErrorAt: null,
  stopped: null,
  waitsUntil: null,
  waitsBecause: null,
  demo: false,
};

const accountTest: AccountTest = {
  ok: true,
  says: "The network would accept a post now.",
  checked: [{ what: "the webhook", ok: true, says: "Discord knows it as “clips”." }],
};

const postRule: PostRule = {
  id: "019ceb41-0c44-7d18-8f5e-2a9b7c613d05",
  pattern: "my_game_boss_*",
  accounts: [account.id],
  text: "{{event}} in {{game}}{{#clipLength}}, {{clipLength}}{{/clipLength}}",
  attach: "clip",
  without: "ask",
  altText: "A clip of {{game}}: {{event}}",
  contentWarning: "",
  visibility: "public",
  approval: "ask",
  cooldownSeconds: 60,
  enabled: true,
  createdAt: "2026-03-14T09:13:28.260Z",
  posts: 12,
  lastPostAt: "2026-03-14T09:26:53.589Z",
  held: 3,
};

const postPreview: PostPreview = {
  account: account.id,
  network: "discord",
  name: "clips",
  text: "boss defeated in my game, 17 s",
  length: 30,
  limits,
  problems: [],
};

const post: Post = {
  id: "019ceb4c-1b9f-70e2-a6d4-91c05e7f3b28",
  state: "draft",
  event: "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c42",
  eventId: "my_game_boss_defeated",
  fromClip: null,
  title: null,
  game: "my_game",
  rule: postRule.id,
  text: "boss defeated in my game, 17 s",
  altText: "A clip of my game: boss defeated",
  contentWarning: "",
  attach: "clip",
  visibility: "public",
  footage: {
    state: "ready",
    says: null,
    clip: "019ceb4c-2f7a-7d01-8c55-0c9b6a1f7e20",
    seconds: 17,
    clipSeconds: 41.2,
    part: { fromSeconds: 12.2, toSeconds: 29.2 },
    momentPart: { fromSeconds: 12.2, toSeconds: 29.2 },
    pictureSeconds: 24.2,
  },
  happenedAt: "2026-03-14T09:26:53.589Z",
  createdAt: "2026-03-14T09:26:53.640Z",
  expiresAt: "2026-03-17T09:26:53.640Z",
  sendsAt: null,
  asks: null,
  held: null,
  deliveries: [
    {
      account: account.id,
      network: "discord",
      name: "clips",
      state: "waiting",
      says: null,
      tries: 0,
      nextTryAt: null,
      progress: null,
      sentAt: null,
      link: null,
      notes: [],
      already: false,
      demo: false,
    },
  ],
};

const clip = "019ceb4c-2f7a-7d01-8c55-0c9b6a1f7e20";
const proposal: PostProposal = {
  title: "boss defeated",
  text: "boss defeated in my game, 17 s",
  altText: "A clip of my game: boss defeated",
  contentWarning: "",
  attach: "clip",
  visibility: "public",
  accounts: [account.id],
};
const clipPost: Post = {
  ...post,
  event: null,
  fromClip: clip,
  title: proposal.title,
  rule: null,
  text: "At last!",
};

const approved = { ...post, expiresAt: null, state: "approved" } as const;
const approvedPost: Post = { ...approved, sendsAt: "2026-03-14T09:27:12.004Z" };

/** A post with an uncertain delivery that a person confirmed. */
const settledPost: Post = {
  ...approved,
  state: "sent",
  deliveries: post.deliveries.map((delivery) => ({
    ...delivery,
    state: "sent",
    says: "You saw it there.",
    tries: 1,
    sentAt: "2026-03-14T09:31:40.412Z",
  })),
};

export function showSocial(show: Show): void {
  show(listPosts, { reply: { posts: [post], more: false, drafts: 1, held: 0 } });
  show(getPost, { reply: post });
  show(proposePost, { reply: proposal });
  show(createPost, { body: { clip, accounts: [account.id], text: "At last!" }, reply: clipPost });
  show(changePost, { body: { text: "At last!" }, reply: { ...post, text: "At last!" } });
  show(approvePost, { reply: approvedPost });
  show(undoPost, { reply: post });
  show(skipPost, { reply: { ...post, state: "skipped", expiresAt: null } });
  show(settleDelivery, { body: { as: "sent" }, reply: settledPost });
  show(listPostRules, { reply: { rules: [postRule] } });
  show(addPostRule, {
    body: { pattern: postRule.pattern, accounts: [account.id], text: postRule.text },
    reply: postRule,
  });
  show(changePostRule, { body: { approval: "automatic" }, reply: { ...postRule, approval: "automatic" } });
  show(previewPost, {
    body: { text: postRule.text, eventId: "my_game_boss_defeated", accounts: [account.id] },
    reply: { previews: [postPreview] },
  });
  show(getPostSettings, { reply: postSettingDefaults });
  show(changePostSettings, { body: { undoSeconds: 30 }, reply: { ...postSettingDefaults, undoSeconds: 30 } });
  show(listAccounts, { reply: { accounts: [account] } });
  show(addAccount, {
    body: { network: "discord", fields: { url: "https://discord.com/api/webhooks/…" } },
    reply: { account, secret: null, checked: accountTest.checked },
  });
  show(changeAccount, { body: { enabled: false }, reply: { ...account, enabled: false } });
  show(testAccount, { reply: accountTest });
}
