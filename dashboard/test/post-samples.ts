// Sample posts, accounts and rules for the browser tests: complete objects in which a test can replace fields.
import {
  type Account,
  type AccountLimits,
  type Delivery,
  type Network,
  type Post,
  type PostFootage,
  type PostRule,
  postRuleDefaults,
} from "@kit/contract";

export const postIdOf = (n: number): string => `01990000-0000-7000-9000-${String(n).padStart(12, "0")}`;
const agoOf = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const limits: AccountLimits = {
  textMax: 2_000,
  counts: "characters",
  imageBytesMax: 10_000_000,
  videoBytesMax: 10_000_000,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 1_024,
  visibility: false,
  contentWarning: false,
};
const withBoth = { visibility: true, contentWarning: true } as const;

type Sample = { readonly host: string; readonly name: string; readonly limits: AccountLimits };
const samples: { readonly [kind in Network]?: Sample } = {
  discord: { host: "discord.com", name: "#clips", limits },
  bluesky: {
    host: "bsky.social",
    name: "mika.bsky.social",
    limits: {
      ...limits,
      textMax: 300,
      counts: "graphemes",
      imageBytesMax: 2_000_000,
      videoBytesMax: 100_000_000,
      videoSecondsMax: 180,
      altTextMax: 2_000,
    },
  },
  mastodon: {
    host: "indie.example",
    name: "@mika@indie.example",
    limits: {
      ...limits,
      ...withBoth,
      textMax: 500,
      imageBytesMax: 16_000_000,
      videoBytesMax: 99_000_000,
      altTextMax: 1_500,
    },
  },
  webhook: {
    host: "127.0.0.1:4000",
    name: "127.0.0.1:4000",
    limits: { ...limits, ...withBoth, textMax: 5_000, videoBytesMax: 0, altTextMax: 1_500 },
  },
};
const sampleOf = (network: Network): Sample =>
  samples[network] ?? { host: `${network}.example`, name: network, limits };

export const accountOf = (network: Network, members: Partial<Account> = {}): Account => ({
  id: `account-${network}`,
  network,
  name: sampleOf(network).name,
  host: sampleOf(network).host,
  link: network === "discord" || network === "webhook" ? null : `https://${sampleOf(network).host}/mika`,
  enabled: true,
  addedAt: agoOf(3_000),
  limits: sampleOf(network).limits,
  kept: "keyring",
  sent: 12,
  waiting: 0,
  lastSentAt: agoOf(44),
  lastError: null,
  lastErrorAt: null,
  stopped: null,
  waitsUntil: null,
  waitsBecause: null,
  demo: false,
  ...members,
});

export const deliveryOf = (network: Network, members: Partial<Delivery> = {}): Delivery => ({
  account: `account-${network}`,
  network,
  name: sampleOf(network).name,
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
  ...members,
});

/** A delivery that succeeded, with a link to the post. */
export const deliveredOf = (network: Network, members: Partial<Delivery> = {}): Delivery =>
  deliveryOf(network, {
    state: "sent",
    tries: 1,
    sentAt: agoOf(30),
    link: `https://${sampleOf(network).host}/posts/1`,
    ...members,
  });

export const noFootage: PostFootage = {
  state: "pending",
  says: null,
  clip: null,
  seconds: null,
  clipSeconds: null,
  part: null,
  momentPart: null,
  pictureSeconds: null,
};
export const readyFootage: PostFootage = {
  ...noFootage,
  state: "ready",
  clip: "01990000-0000-7000-8000-000000000001",
  seconds: 17,
  clipSeconds: 17,
};

/** The nth post, `n` minutes old: a draft with its clip. */
export function postOf(n: number, members: Partial<Post> = {}): Post {
  const eventId = members.eventId ?? "mygame_boss_defeated";
  return {
    id: postIdOf(999 - n),
    state: "draft",
    event: `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    eventId,
    fromClip: null,
    title: null,
    game: "mygame",
    rule: "rule-1",
    text: `${eventId.replace("mygame_", "").replaceAll("_", " ")} in my game`,
    altText: "A clip of my game: boss defeated",
    contentWarning: "",
    attach: "clip",
    visibility: "public",
    footage: readyFootage,
    happenedAt: agoOf(n),
    createdAt: agoOf(n),
    expiresAt: members.state === undefined || members.state === "draft" ? agoOf(-4_000) : null,
    sendsAt: null,
    asks: null,
    held: null,
    deliveries: [deliveryOf("discord"), deliveryOf("bluesky")],
    ...members,
  };
}

export const postRuleOf = (pattern: string, members: Partial<PostRule> = {}): PostRule => ({
  ...postRuleDefaults,
  id: `rule-${pattern}`,
  pattern,
  accounts: ["account-discord"],
  createdAt: agoOf(9_000),
  posts: 3,
  lastPostAt: agoOf(12),
  held: 0,
  ...members,
});

const missing = "No recorder ran: ffmpeg was not found";

/** Posts that wait for a decision. */
const waitingPosts = (): Post[] => [
  postOf(2, { text: "The Hollow King is down!\n\nFirst try, with three hearts left.", contentWarning: "Spoilers" }),
  postOf(3, {
    eventId: "mygame_lap_record",
    text: "A new lap record in my game.",
    visibility: "unlisted",
    footage: noFootage,
    deliveries: [deliveryOf("mastodon")],
  }),
  postOf(5, {
    eventId: "mygame_all_friends",
    text: "Everybody is a friend now.",
    asks: `No clip: ${missing}. Post without it, or skip.`,
    footage: { ...noFootage, state: "missing", says: missing },
  }),
  postOf(8, {
    eventId: "mygame_secret_found",
    state: "unsure",
    deliveries: [
      deliveredOf("bluesky"),
      deliveryOf("discord", {
        state: "maybe",
        tries: 1,
        says: "The connection ended before Discord answered. Check in the channel whether the post is there.",
      }),
    ],
  }),
  postOf(9, {
    eventId: "mygame_cup_won",
    state: "failed",
    deliveries: [
      deliveryOf("mastodon", {
        state: "failed",
        tries: 3,
        says: "The server does not take this picture (422). Attach nothing, or another one, and send it again.",
      }),
    ],
  }),
];

/** One post of each state that the page can show. */
export const everyPost = (): Post[] => [
  ...waitingPosts(),
  postOf(12, {
    eventId: "mygame_first_flight",
    state: "sending",
    deliveries: [
      deliveryOf("bluesky", { state: "preparing", progress: 0.62 }),
      deliveryOf("mastodon", { state: "sending", tries: 1 }),
      deliveryOf("webhook", { nextTryAt: agoOf(-3), tries: 2, says: "The server was too busy (503)." }),
    ],
  }),
  postOf(30, {
    eventId: "mygame_bridge_built",
    state: "sent",
    deliveries: [
      deliveredOf("discord", { notes: ["The clip was made smaller: 24 MB became 9.6 MB"] }),
      deliveredOf("bluesky"),
    ],
  }),
  postOf(50, { eventId: "mygame_step_taken", state: "skipped", attach: "none" }),
  postOf(5_000, { eventId: "mygame_long_ago", state: "expired", game: null, attach: "screenshot" }),
];
