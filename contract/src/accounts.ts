// Operations on the accounts that posts are sent to. A client can set their credentials, but never read them.
import { Type } from "typebox";
import { demoGame } from "./demo.ts";
import { nullable } from "./issues.ts";
import { accountFieldCharsMax, accountsMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { describedNetworks } from "./networks.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

export type AccountField = {
  readonly name: string;
  readonly label: string;
  /** Tells a person where to find the field's value. */
  readonly help: string;
  readonly example: string;
  /** Whether the value is a credential, to be hidden while it is typed. */
  readonly secret: boolean;
  readonly optional?: true;
};

/** Texts about a network, shown to people. */
export type NetworkDescription = {
  readonly name: string;
  /** The network's name inside a sentence, if it differs from `name`. */
  readonly title?: string;
  /** Where posts go, e.g. "A channel, through its webhook". */
  readonly about: string;
  /** SVG path of the icon: 16 × 16, drawn as a line 1.4 wide. */
  readonly icon: string;
  /** The fields that a person fills in to connect an account, in order. */
  readonly fields: readonly AccountField[];
  /** Tells a person what a test of an account posted; left out if a test posts nothing. */
  readonly testSays?: string;
  /**
   * Maximum file size that the network states in its documentation. Clips can be exported only for networks that state
   * one.
   */
  readonly exportBytesMax?: number;
};

export type Network = keyof typeof describedNetworks;
export const networkDescriptions: Readonly<Record<Network, NetworkDescription>> = describedNetworks;
/** All networks, in display order. */
export const networks = Object.keys(describedNetworks) as Network[];
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
export const Network = Type.Enum(networks, {
  description: networks.map((kind) => `${kind}: ${lowerFirst(networkDescriptions[kind].about)}`).join("; "),
});

export const AccountLimits = Type.Object(
  {
    textMax: Type.Integer({ description: "Maximum length of a text, in the unit of `counts`" }),
    counts: Type.Enum(["characters", "graphemes"], {
      description:
        "characters: counted by the network's rules, with a fixed length for links; graphemes: what people see as one character",
    }),
    linkLength: Type.Optional(
      Type.Integer({
        description: "Length that each link in a text counts; left out if a link counts like other text",
      }),
    ),
    imageBytesMax: Type.Integer({ description: "Maximum size of a picture in bytes; 0: no pictures" }),
    videoBytesMax: Type.Integer({ description: "Maximum size of a video in bytes; 0: no videos" }),
    videoSecondsMax: nullable(Type.Number(), "Maximum length of a video in seconds; null: limited only by its size"),
    videoPixelsMax: nullable(Type.Integer(), "Maximum pixels of a video frame, width times height; null: no limit"),
    videoFrameRateMax: nullable(Type.Number(), "Maximum frame rate of a video; null: no limit"),
    altTextMax: Type.Integer({
      description: "Maximum characters of a media description; 0: no descriptions",
    }),
    visibility: Type.Boolean({ description: "Whether posts can have a limited visibility" }),
    contentWarning: Type.Boolean({
      description: "Whether the network has content warnings; otherwise the text begins with the warning",
    }),
  },
  { description: "Limits of the network, as reported by it if possible" },
);
export type AccountLimits = Type.Static<typeof AccountLimits>;

export const Account = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    network: Network,
    name: Type.String({ description: "The network's name for it, or a person's" }),
    host: Type.String({ description: "Host and port of its server. The rest of the address is never returned" }),
    link: nullable(Type.String(), "URL of its page; null if it has none"),
    enabled: Type.Boolean({ description: "If false, no new posts are made for it, and its deliveries wait" }),
    addedAt: Instant,
    limits: AccountLimits,
    kept: Type.Enum(["keyring", "file"], {
      description: "Where its credentials are stored: in the system's keyring, or encrypted in a file",
    }),
    sent: Type.Integer({ description: "Posts that the network confirmed" }),
    waiting: Type.Integer({ description: "Approved posts that are not delivered yet" }),
    lastSentAt: nullable(Instant, "null if there is none"),
    lastError: nullable(messageSchema(), "The last error; null after a later delivery"),
    lastErrorAt: nullable(Instant, "Time of the last error"),
    stopped: nullable(messageSchema(), "Why nothing is sent until a person acts, and what to do"),
    waitsUntil: nullable(Instant, "Nothing is sent before this time"),
    waitsBecause: nullable(
      Type.Enum(["rate-limit", "failure"]),
      "rate-limit: the network asked for it; failure: the last attempt failed",
    ),
    demo: Type.Boolean({
      description: "Whether it belongs to Kit's demo: it takes only the demo's posts, and shows them to nobody",
    }),
  },
  { description: "An account that posts go to" },
);
export type Account = Type.Static<typeof Account>;

/** Returns whether posts of this game may go to the account. */
export const accountTakes = ({ demo }: Pick<Account, "demo">, game: string | null): boolean =>
  !demo || game === demoGame;

const fields = Type.Record(Type.String(), Type.String({ maxLength: accountFieldCharsMax }), {
  maxProperties: 8,
  description: `the network's fields, each up to ${accountFieldCharsMax} characters; never returned again`,
});

export const AccountCheck = Type.Object(
  { what: messageSchema(), ok: Type.Boolean(), says: messageSchema("The result") },
  { description: "The result of one check" },
);
export type AccountCheck = Type.Static<typeof AccountCheck>;

export const AccountTest = Type.Object(
  {
    ok: Type.Boolean(),
    says: messageSchema("The result in one sentence, with what to do if it failed"),
    checked: Type.Array(AccountCheck, { description: "The checks in order; nothing is posted" }),
  },
  { description: "Whether an account would accept a post now" },
);
export type AccountTest = Type.Static<typeof AccountTest>;

const params = Type.Object({ id: Type.String({ description: "The account's id" }) });

export const listAccounts = operation({
  id: "listAccounts",
  method: "GET",
  path: "/api/accounts",
  access: "session",
  says: "Lists accounts with their state.",
  status: 200,
  reply: Type.Object({ accounts: Type.Array(Account, { description: "Oldest first" }) }),
  errors: sessionErrors,
});

export const addAccount = operation({
  id: "addAccount",
  method: "POST",
  path: "/api/accounts",
  access: "session",
  says: `Connects an account after checking it with its network; ${accountsMax} at most.`,
  body: Type.Object({
    network: Network,
    fields,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    demo: Type.Optional(Type.Boolean({ description: "Whether it is for the demo's posts only" })),
  }),
  status: 201,
  reply: Type.Object({
    account: Account,
    secret: nullable(Type.String(), "The generated signing secret of a webhook, or null. Shown only once"),
    checked: Type.Array(AccountCheck, { description: "The checks in order, also of what was not tried" }),
  }),
  errors: inputErrors,
});

export const changeAccount = operation({
  id: "changeAccount",
  method: "PUT",
  path: "/api/accounts/{id}",
  access: "session",
  says: "Changes an account. Omitted members do not change. `enabled: true` also restarts a stopped account.",
  params,
  body: Type.Object({
    enabled: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    fields: Type.Optional(fields),
  }),
  status: 200,
  reply: Account,
  errors: inputErrors,
});

export const removeAccount = operation({
  id: "removeAccount",
  method: "DELETE",
  path: "/api/accounts/{id}",
  access: "session",
  says: "Removes an account with its credentials. Its waiting deliveries are dropped; sent posts stay in the list.",
  params,
  status: 204,
  errors: inputErrors,
});

export const testAccount = operation({
  id: "testAccount",
  method: "POST",
  path: "/api/accounts/{id}/test",
  access: "session",
  says: "Asks the network whether the account would accept a post now. Posts nothing, except a test message to a webhook. A success restarts a stopped account.",
  params,
  status: 200,
  reply: AccountTest,
  errors: inputErrors,
});
