// Where posts go: the accounts a person connected. What opens an account is written and never given out again.
import { Type } from "typebox";
import { nullable } from "./issues.ts";
import { accountFieldCharsMax, accountsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export const networks = ["discord", "bluesky", "mastodon", "webhook"] as const;
export const Network = Type.Enum(networks, {
  description:
    "discord: a channel's webhook; bluesky; mastodon: an account on any of its servers; webhook: any https address",
});
export type Network = (typeof networks)[number];

export type AccountField = {
  readonly name: string;
  readonly label: string;
  /** What a person has to do to get it. */
  readonly help: string;
  readonly example: string;
  /** It opens the account: nobody may look over a shoulder while it is typed. */
  readonly secret: boolean;
  readonly optional?: true;
};

/** What a person gives to connect an account, in the order in which it is asked for. */
export const accountFields: Readonly<Record<Network, readonly AccountField[]>> = {
  discord: [
    {
      name: "url",
      label: "Webhook URL",
      help: "In Discord: the channel's settings, Integrations, Webhooks, New Webhook, Copy Webhook URL.",
      example: "https://discord.com/api/webhooks/…",
      secret: true,
    },
  ],
  bluesky: [
    {
      name: "handle",
      label: "Handle",
      help: "The name your account has, without the @.",
      example: "mika.bsky.social",
      secret: false,
    },
    {
      name: "password",
      label: "App password",
      help: "In Bluesky: Settings, Privacy and security, App passwords. Never your own password.",
      example: "xxxx-xxxx-xxxx-xxxx",
      secret: true,
    },
    {
      name: "service",
      label: "Server",
      help: "Only for an account that does not lie with Bluesky itself.",
      example: "https://bsky.social",
      secret: false,
      optional: true,
    },
  ],
  mastodon: [
    {
      name: "server",
      label: "Server",
      help: "Where you sign in.",
      example: "https://mastodon.social",
      secret: false,
    },
    {
      name: "token",
      label: "Access token",
      help: "On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses; then the page of that application shows it.",
      example: "",
      secret: true,
    },
  ],
  webhook: [
    {
      name: "url",
      label: "Address",
      help: "It gets each post as JSON; plain http only for a server on this machine.",
      example: "https://example.com/posts",
      secret: true,
    },
    {
      name: "secret",
      label: "Signing secret",
      help: "As Standard Webhooks has them: whsec_ and base64. Without one the launcher makes one and shows it once.",
      example: "whsec_…",
      secret: true,
      optional: true,
    },
  ],
};

export const AccountLimits = Type.Object(
  {
    textMax: Type.Integer({ description: "Longest text, in what `counts` names" }),
    counts: Type.Enum(["characters", "graphemes"], {
      description:
        "characters: as the network counts them, links at their fixed length; graphemes: what a person sees as one character",
    }),
    imageBytesMax: Type.Integer({ description: "Largest picture, in bytes" }),
    videoBytesMax: Type.Integer({ description: "Largest video, in bytes; 0: it takes none" }),
    videoSecondsMax: nullable(Type.Number(), "Longest video, in seconds; null: as long as it fits in bytes"),
    videoPixelsMax: nullable(
      Type.Integer(),
      "Most pixels of a picture of a video, width times height; null: any number",
    ),
    videoFrameRateMax: nullable(Type.Number(), "Most pictures a second of a video; null: any number"),
    altTextMax: Type.Integer({
      description: "Longest description of a picture or video, in characters; 0: it takes none",
    }),
    visibility: Type.Boolean({ description: "It has posts that not everybody sees" }),
    contentWarning: Type.Boolean({
      description: "It has content warnings of its own; elsewhere the text begins with it",
    }),
  },
  { description: "What the network takes, as it says itself where it says so" },
);
export type AccountLimits = Type.Static<typeof AccountLimits>;

export const Account = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    network: Network,
    name: Type.String({ description: "As the network names it, or as the person did" }),
    host: Type.String({ description: "Host and port of its server. The rest of an address is never given out" }),
    link: nullable(Type.String(), "Its page for people; null where it has none"),
    enabled: Type.Boolean({ description: "False: no post is prepared for it, and what waits for it waits" }),
    addedAt: Instant,
    limits: AccountLimits,
    kept: Type.Enum(["keyring", "file"], {
      description: "Where what opens it lies: in the system's keyring, or sealed in a file beside its key",
    }),
    sent: Type.Integer({ description: "Posts the network confirmed" }),
    waiting: Type.Integer({ description: "Posts that are approved and not delivered yet" }),
    lastSentAt: nullable(Instant, "null while none was"),
    lastError: nullable(Type.String(), "What went wrong last; null once a post was delivered after it"),
    lastErrorAt: nullable(Instant, "When that was"),
    stopped: nullable(Type.String(), "Why nothing is sent until a person did something, and what to do"),
    waitsUntil: nullable(Instant, "Nothing is sent before this time"),
    waitsBecause: nullable(
      Type.Enum(["rate-limit", "failure"]),
      "rate-limit: the network asked for it; failure: the last try failed",
    ),
  },
  { description: "An account that posts go to" },
);
export type Account = Type.Static<typeof Account>;

const fields = Type.Record(Type.String(), Type.String({ maxLength: accountFieldCharsMax }), {
  maxProperties: 8,
  description: `the network's fields, each up to ${accountFieldCharsMax} characters; never given out again`,
});

export const AccountCheck = Type.Object(
  { what: Type.String(), ok: Type.Boolean(), says: Type.String({ description: "What was seen" }) },
  { description: "One thing that was looked at" },
);
export type AccountCheck = Type.Static<typeof AccountCheck>;

export const AccountTest = Type.Object(
  {
    ok: Type.Boolean(),
    says: Type.String({ description: "The result in one sentence, with what to do when it is no" }),
    checked: Type.Array(AccountCheck, { description: "In order; nothing is posted" }),
  },
  { description: "Whether an account would take a post now" },
);
export type AccountTest = Type.Static<typeof AccountTest>;

const params = Type.Object({ id: Type.String({ description: "The account's id" }) });

export const listAccounts = operation({
  id: "listAccounts",
  method: "GET",
  path: "/api/accounts",
  access: "session",
  says: "The accounts that posts go to, and how each fares.",
  status: 200,
  reply: Type.Object({ accounts: Type.Array(Account, { description: "The oldest first" }) }),
  errors: sessionErrors,
});

export const addAccount = operation({
  id: "addAccount",
  method: "POST",
  path: "/api/accounts",
  access: "session",
  says: `Connects one more account, once its network knows it; ${accountsMax} at most.`,
  body: Type.Object({ network: Network, fields, name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }),
  status: 201,
  reply: Type.Object({
    account: Account,
    secret: nullable(
      Type.String(),
      "Of a webhook that was given none: what its requests are signed with. Shown this once",
    ),
  }),
  errors: changeErrors,
});

export const changeAccount = operation({
  id: "changeAccount",
  method: "PUT",
  path: "/api/accounts/{id}",
  access: "session",
  says: "Changes an account; what is left out stays as it is. `enabled` true also starts one again that was stopped.",
  params,
  body: Type.Object({
    enabled: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    fields: Type.Optional(fields),
  }),
  status: 200,
  reply: Account,
  errors: changeErrors,
});

export const removeAccount = operation({
  id: "removeAccount",
  method: "DELETE",
  path: "/api/accounts/{id}",
  access: "session",
  says: "Forgets an account with what opens it. What waits for it is dropped; what was sent stays in the list of posts.",
  params,
  status: 204,
  errors: changeErrors,
});

export const testAccount = operation({
  id: "testAccount",
  method: "POST",
  path: "/api/accounts/{id}/test",
  access: "session",
  says: "Asks the network whether the account would take a post now. Posts nothing, but for a webhook: it gets a message marked as a test. A yes starts a stopped account again.",
  params,
  status: 200,
  reply: AccountTest,
  errors: changeErrors,
});
