// What the problem finder looks at, and what it says: a problem, and what a person can do about it.
import type {
  EventKind,
  KitEvent,
  listGames,
  Origin,
  RecorderReport,
  RecordingRule,
  Refusal,
  ReplyOf,
} from "@kit/contract";
import type { Connection } from "../../api/follow-feed.ts";

/** What is looked at. What is not known yet is left out, and says nothing. */
export type Facts = {
  readonly nowMs: number;
  readonly connection: Connection["state"];
  /** Where this launcher listens. */
  readonly port: number;
  /** Newest first. */
  readonly events: readonly KitEvent[];
  /** Of receipts heard while the page was open: the newest reason, by event. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Newest first. */
  readonly refusals: readonly Refusal[];
  readonly games?: ReplyOf<typeof listGames> | undefined;
  readonly origins?: readonly Origin[] | undefined;
  readonly recorder?: RecorderReport | undefined;
  readonly recordingRules?: readonly RecordingRule[] | undefined;
};

/** What a person can do about it, right there. */
export type Remedy =
  | { readonly does: "open"; readonly address: string; readonly label: string }
  | { readonly does: "service"; readonly service: EventKind; readonly label: string }
  | { readonly does: "game"; readonly game: string; readonly service: EventKind; readonly label: string }
  | { readonly does: "event"; readonly kind: EventKind; readonly eventId: string; readonly label: string }
  | { readonly does: "record"; readonly label: string }
  | { readonly does: "ask again"; readonly origin: string; readonly label: string }
  /** Leads to the cards at the top of the page, which have the buttons. */
  | { readonly does: "consent"; readonly label: string };

export type Problem = {
  /** The same for the same problem. */
  readonly key: string;
  /** stops: nothing comes of it; loses: something does not; notes: worth knowing. */
  readonly weight: "stops" | "loses" | "notes";
  readonly says: string;
  /** What to do about it. */
  readonly todo: string;
  /** When it was last seen. */
  readonly at?: string;
  readonly remedies: readonly Remedy[];
};
