// The interface of a network: how to connect an account, count text, and attempt to post.
import type {
  Account,
  AccountCheck,
  AccountLimits,
  Attachment,
  Message,
  Network as NetworkKind,
  Visibility,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Outbound } from "../../outbound/outbound.ts";
import type { SendAnswer } from "../../outbox/index.ts";

/** What a person entered, by the names of the network's `fields`. */
export type FieldValues = Readonly<Record<string, string>>;

/** Credentials of an account. Stored as JSON in the secret store only, and never shown or logged. */
export type Credentials = Readonly<Record<string, string>>;

export type ConnectedAccount = {
  readonly credentials: Credentials;
  readonly shown: Pick<Account, "name" | "host" | "link" | "limits">;
  readonly checked: readonly AccountCheck[];
  /** A secret that the launcher generated, because none was entered. Shown once. */
  readonly secret?: string;
};

/** What is counted of a post. */
export type PostWords = Pick<OutgoingPost, "text" | "contentWarning">;
export type TextLimits = Pick<AccountLimits, "linkLength">;

/** A file to send, which fits the limits of the account. */
export type PostMedia = {
  readonly path: string;
  readonly kind: Exclude<Attachment, "none">;
  readonly mime: "video/mp4" | "image/jpeg";
  readonly bytes: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
};

export type OutgoingPost = {
  /** Idempotency key: the same in every attempt at this delivery. */
  readonly key: string;
  /** One line: what a channel of threads calls the post. */
  readonly title: string;
  readonly text: string;
  readonly contentWarning: string;
  readonly altText: string;
  readonly visibility: Visibility;
  readonly media: PostMedia | null;
  /** What the post is about. Only webhooks send it. */
  readonly source: {
    readonly post: string;
    /** Null if a person made the post from a clip. */
    readonly event: string | null;
    readonly eventId: string | null;
    readonly game: string | null;
    readonly atMs: number;
  };
};

/** What attempts at a delivery store for later ones, such as the id of an uploaded video. */
export type StoredSteps = Readonly<Record<string, string>>;

/** What refusals taught about a destination, such as a field that it needs. Later posts to the account begin with it. */
export type Learned = Readonly<Record<string, string>>;

export type AttemptContext = {
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly stored: StoredSteps;
  /** Adds values to `stored` for the next attempt. They are durable when it resolves. */
  store(more: StoredSteps): Promise<void>;
  readonly learned: Learned;
  /** Adds values to what is known about the destination. They are durable when it resolves. */
  learn(more: Learned): Promise<void>;
  /**
   * Must be awaited right before the request that creates the post, and never before another request. Resolves when that is on
   * disk: from then on, a missing answer means that the post may exist. A second request after a refusal needs no second mark.
   */
  markCommitted(): Promise<void>;
  /** To be called with the progress of an upload, from 0 to 1. */
  onProgress(share: number): void;
};

export type SendOutcome =
  | SendAnswer<{ readonly link: string | null; readonly notes: readonly Message[] }>
  /** Refused because of the size of the file: the post was certainly not created, and a smaller file may be accepted. */
  | { readonly outcome: "refused"; readonly says: Message; readonly isTooLarge: true };

export type Network = {
  readonly kind: NetworkKind;
  /** The messages that only this network uses, in English, by code. */
  readonly messages: Readonly<Record<string, string>>;
  /** The limits that hold until an account's own are known. */
  readonly limits: AccountLimits;
  /** The size to try next if a larger file was refused as too large. Half of its size if left out. */
  readonly smallerBytes?: number;
  /** Returns the length of a post as the network counts it: of all that counts towards `textMax`. */
  textLength(words: PostWords, limits: TextLimits): number;
  /** Returns the text as it is sent: with the content warning in it if the network has no field for one. */
  compose(text: string, contentWarning: string): string;
  /**
   * Whether two accounts with the same link are one. False for Discord, where the link is the channel, which can have several
   * webhooks.
   */
  readonly linkIsAccount: boolean;
  /**
   * For how long the network recognises a repeated post by its key, and creates no second one. 0 if it never does: an attempt
   * without an answer is then not repeated, and a person decides. Infinity if it always does.
   */
  readonly idempotentForMs: number;
  /** Checks what a person entered, without posting. Throws KitError with the path `/fields/<name>` for an invalid field. */
  connect(given: FieldValues, needs: Pick<AttemptContext, "outbound" | "signal" | "now">): Promise<ConnectedAccount>;
  /** Checks a connected account and reads its limits again. Posts nothing, unless the `testSays` of its description announces a test message. */
  checkAccount(
    access: Credentials,
    needs: Pick<AttemptContext, "outbound" | "signal" | "now">,
  ): Promise<Pick<ConnectedAccount, "shown" | "checked"> & { readonly outcome: SendOutcome }>;
  /**
   * Makes one attempt. Rejects only if there was no answer that can be read. The outbox then decides whether
   * the post may exist: by the error, and by whether `markCommitted` was awaited.
   */
  send(access: Credentials, post: OutgoingPost, limits: AccountLimits, needs: AttemptContext): Promise<SendOutcome>;
};

/** The result of a check that says that the account is signed in. */
export const signedInResult = (account: string): AccountCheck => ({
  what: message("account.signed_in"),
  ok: true,
  says: message("account.signed_in_as", { account }),
});
