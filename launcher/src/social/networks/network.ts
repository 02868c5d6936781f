// The interface of a network: what people read about it, how to connect an account, count a text, and attempt to post.
import type {
  Account,
  AccountCheck,
  AccountLimits,
  Attachment,
  Message,
  NetworkDescription,
  Network as NetworkKind,
  Visibility,
} from "@kit/contract";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Answer } from "../../outbox/index.ts";

/** What a person entered, by the names of the network's `fields`. */
export type FieldValues = Readonly<Record<string, string>>;

/** Credentials of an account. Stored as JSON in the secret store only, and never shown or logged. */
export type Credentials = Readonly<Record<string, string>>;

export type Connected = {
  readonly credentials: Credentials;
  readonly shown: Pick<Account, "name" | "host" | "link" | "limits">;
  readonly checked: readonly AccountCheck[];
  /** A secret that the launcher generated, because none was entered. Shown once. */
  readonly secret?: string;
};

/** A file that is ready to send, within the limits of the account. */
export type Media = {
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
  readonly text: string;
  readonly contentWarning: string;
  readonly altText: string;
  readonly visibility: Visibility;
  readonly media: Media | null;
  /** Data for receivers of webhooks. */
  readonly source: {
    readonly post: string;
    readonly event: string;
    readonly eventId: string;
    readonly game: string | null;
    readonly atMs: number;
  };
};

/** Values stored between steps, such as the id of an uploaded video. */
export type StoredSteps = Readonly<Record<string, string>>;

export type AttemptContext = {
  readonly outbound: Outbound;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly stored: StoredSteps;
  /** Stores values for the next attempt. Durable when it resolves. */
  store(more: StoredSteps): Promise<void>;
  /**
   * Must be awaited right before the request that creates the post, and before no other request. Durable when it resolves:
   * from then on, a missing answer means "maybe".
   */
  markCommitted(): Promise<void>;
  /** Progress of a long upload, from 0 to 1. */
  onProgress(share: number): void;
};

export type SendOutcome = Answer<{ readonly link: string | null; readonly notes: readonly Message[] }>;

export type Network = NetworkDescription & {
  readonly kind: NetworkKind;
  /** Place in lists of networks, from 1. */
  readonly position: number;
  /** What it says of its own, in English, by code. The other languages are in `ja.json`. */
  readonly messages: Readonly<Record<string, string>>;
  /** Limits that are known without an account. */
  readonly limits: AccountLimits;
  /** Length of a text as the network counts it. */
  textLength(text: string): number;
  /** Returns the text as it is sent. Contains the content warning if the network has no field for it. */
  compose(text: string, contentWarning: string): string;
  /** Whether two connections with one link are the same account. Webhooks of one channel have one link. */
  readonly linkIsAccount: boolean;
  /**
   * How long the network ignores a repeated post with the same key. With 0, a repeat would be a second post, so an attempt
   * without an answer is "maybe" and is not repeated. Infinity if the receiver always recognises a repeat.
   */
  readonly idempotentForMs: number;
  /** Checks an account without posting. Throws KitError with the path `/fields/<name>` for invalid input. */
  connect(given: FieldValues, needs: Pick<AttemptContext, "outbound" | "signal" | "now">): Promise<Connected>;
  /** Checks a connected account and its limits again. Posts nothing, except a test message that `testSays` announces. */
  checkAccount(
    access: Credentials,
    needs: Pick<AttemptContext, "outbound" | "signal" | "now">,
  ): Promise<Pick<Connected, "shown" | "checked"> & { readonly outcome: SendOutcome }>;
  /**
   * Makes one attempt. Rejects only without a readable answer. The caller then checks `isNothingSent(error)` and whether
   * `markCommitted` was awaited.
   */
  send(access: Credentials, post: OutgoingPost, limits: AccountLimits, needs: AttemptContext): Promise<SendOutcome>;
};
