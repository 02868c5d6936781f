// What a network is to the rest of social: how an account of it is connected, how it counts, and one try at a post.
import type {
  Account,
  AccountCheck,
  AccountLimits,
  Attachment,
  Network as NetworkKind,
  Visibility,
} from "@kit/contract";
import type { Outbound } from "../../outbound/outbound.ts";

/** What a person typed, by the names of the contract's `accountFields`. */
export type Given = Readonly<Record<string, string>>;

/** What opens an account. Kept in the secret store as JSON; nowhere else, and in no text that is shown or logged. */
export type Access = Readonly<Record<string, string>>;

export type Connected = {
  readonly access: Access;
  readonly shown: Pick<Account, "name" | "host" | "link" | "limits">;
  readonly checked: readonly AccountCheck[];
  /** Made by the launcher for who gave none: shown once. */
  readonly secret?: string;
};

/** A file as it will be sent: within the account's limits. */
export type Media = {
  readonly path: string;
  readonly kind: Exclude<Attachment, "none">;
  readonly mime: "video/mp4" | "image/jpeg";
  readonly bytes: number;
  readonly seconds: number;
  readonly width: number;
  readonly height: number;
};

export type Outgoing = {
  /** The same for every try at this delivery. */
  readonly key: string;
  readonly text: string;
  readonly contentWarning: string;
  readonly altText: string;
  readonly visibility: Visibility;
  readonly media: Media | null;
  /** For who gets a post as data. */
  readonly about: {
    readonly post: string;
    readonly event: string;
    readonly eventId: string;
    readonly game: string | null;
    readonly atMs: number;
  };
};

/** What a network gave for a later step, such as an uploaded video's id. */
export type Remembered = Readonly<Record<string, string>>;

export type TryNeeds = {
  readonly reach: Outbound;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly remembered: Remembered;
  /** Durable when it resolves: the next try begins with it. */
  remember(more: Remembered): Promise<void>;
  /**
   * To be awaited right before the request that makes the post, and before no other. Durable when it resolves: from then
   * on, an answer that does not come means "maybe".
   */
  committing(): Promise<void>;
  /** Of a long upload: 0 to 1. */
  onProgress(share: number): void;
};

export type Outcome =
  /** The network confirmed it. `restUntilMs`: it wants nothing more before. */
  | {
      readonly outcome: "sent";
      readonly link: string | null;
      readonly restUntilMs: number | null;
      readonly notes: readonly string[];
    }
  /** Certainly not taken; to be tried again, not before `notBeforeMs` where the network named a time. */
  | { readonly outcome: "later"; readonly says: string; readonly notBeforeMs: number | null }
  /** It may have been taken, whatever the answer meant. */
  | { readonly outcome: "maybe"; readonly says: string }
  /** It will never take this post; others it may. */
  | { readonly outcome: "refused"; readonly says: string }
  /** It takes nothing of this account until a person did something. */
  | { readonly outcome: "stopped"; readonly says: string };

export type Network = {
  readonly kind: NetworkKind;
  /** As far as they are known without an account. */
  readonly limits: AccountLimits;
  /** A text's length as the network counts it. */
  length(text: string): number;
  /** The text as it is sent, the warning in it where the network has none of its own. */
  composed(text: string, contentWarning: string): string;
  /**
   * For how long the same post under the same key is not taken twice. 0: a repeat is a second post, so that a try without
   * an answer is "maybe" and is not repeated. Infinity where whoever gets it can always tell.
   */
  readonly repeatsForMs: number;
  /** Throws KitError (path `/fields/<name>`) for what cannot be used; says what was looked at. Posts nothing. */
  connect(given: Given, needs: Pick<TryNeeds, "reach" | "signal" | "now">): Promise<Connected>;
  /** Looks again, with what is kept. Posts nothing, but for a webhook's marked test. Its limits may have changed. */
  look(
    access: Access,
    needs: Pick<TryNeeds, "reach" | "signal" | "now">,
  ): Promise<Pick<Connected, "shown" | "checked"> & { readonly outcome: Outcome }>;
  /**
   * One try. Rejects only when there was no answer (or no readable one): the caller asks `sentNothing(error)` of reach, and
   * whether `committing` was awaited.
   */
  send(access: Access, post: Outgoing, limits: AccountLimits, needs: TryNeeds): Promise<Outcome>;
};
