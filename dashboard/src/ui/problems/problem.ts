// Types for detecting problems: the facts that are known, and the problems that they show.
import type {
  EventKind,
  KitEvent,
  listGames,
  MessageOrText,
  RecorderReport,
  RecordingRule,
  Refusal,
  ReplyOf,
  WebOrigin,
} from "@kit/contract";
import type { FeedConnection } from "../../api/follow-feed.ts";

/** What is known when problems are looked for. A fact that is not loaded yet is undefined, and causes no problem. */
export type ProblemFacts = {
  readonly nowMs: number;
  readonly connection: FeedConnection["state"];
  /** The launcher's port. */
  readonly port: number;
  /** Newest first. */
  readonly events: readonly KitEvent[];
  /** For each event id, the newest reason in a receipt that arrived while the page was open. */
  readonly reasons: ReadonlyMap<string, MessageOrText>;
  /** Newest first. */
  readonly refusals: readonly Refusal[];
  readonly games?: ReplyOf<typeof listGames> | undefined;
  readonly origins?: readonly WebOrigin[] | undefined;
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
  /** Moves the focus to the consent cards at the top of the page. */
  | { readonly does: "consent"; readonly label: string };

export type DetectedProblem = {
  /** Identifies the problem in the next list of problems. */
  readonly key: string;
  /** `stops`: events have no effect. `loses`: something is lost. `notes`: a person should know it. */
  readonly severity: "stops" | "loses" | "notes";
  readonly says: string;
  /** What the person should do. */
  readonly todo: string;
  /** When the problem was last seen. */
  readonly at?: string;
  readonly actions: readonly ProblemAction[];
};
