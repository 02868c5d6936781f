// Types of the problem finder: the facts it uses, and the problems it returns.
import type {
  EventKind,
  KitEvent,
  listGames,
  MessageOrText,
  Origin,
  RecorderReport,
  RecordingRule,
  Refusal,
  ReplyOf,
} from "@kit/contract";
import type { Connection } from "../../api/follow-feed.ts";

/** Input of the problem finder. Facts not loaded yet are undefined and cause no problems. */
export type ProblemFacts = {
  readonly nowMs: number;
  readonly connection: Connection["state"];
  /** The launcher's port. */
  readonly port: number;
  /** Newest first. */
  readonly events: readonly KitEvent[];
  /** The newest reason in the receipts that arrived while the page was open, by event id. */
  readonly reasons: ReadonlyMap<string, MessageOrText>;
  /** Newest first. */
  readonly refusals: readonly Refusal[];
  readonly games?: ReplyOf<typeof listGames> | undefined;
  readonly origins?: readonly Origin[] | undefined;
  readonly recorder?: RecorderReport | undefined;
  readonly recordingRules?: readonly RecordingRule[] | undefined;
};

/** What a person can do about a problem. */
export type ProblemAction =
  | { readonly does: "open"; readonly address: string; readonly label: string }
  | { readonly does: "service"; readonly service: EventKind; readonly label: string }
  | { readonly does: "game"; readonly game: string; readonly service: EventKind; readonly label: string }
  | { readonly does: "event"; readonly kind: EventKind; readonly eventId: string; readonly label: string }
  | { readonly does: "record"; readonly label: string }
  | { readonly does: "ask again"; readonly origin: string; readonly label: string }
  /** Focuses the consent cards at the top of the page. */
  | { readonly does: "consent"; readonly label: string };

export type DetectedProblem = {
  /** Identifies the problem across updates. */
  readonly key: string;
  /** `stops`: events have no effect. `loses`: something is lost. `notes`: good to know. */
  readonly severity: "stops" | "loses" | "notes";
  readonly says: string;
  /** Advice for the person. */
  readonly todo: string;
  /** When the problem was last seen. */
  readonly at?: string;
  readonly actions: readonly ProblemAction[];
};
