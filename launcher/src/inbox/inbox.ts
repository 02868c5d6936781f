// Accepts events: decides what is stored and with which notes, and acknowledges only after COMMIT.

import { randomUUIDv7 } from "node:crypto";
import {
  type Acknowledgement,
  buildCharsMax,
  clockDriftMsMax,
  type EventKind,
  type IgnoreReason,
  type KitEvent,
  listedStackCharsMax,
  type Message,
  messageCharsMax,
  stackTraceCharsMax,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { insertEvent } from "./inbox-store.ts";

export type IncomingEvent = {
  readonly kind: EventKind;
  readonly body: {
    eventId?: string;
    message?: string;
    stackTrace?: string | null;
    build?: string | null;
    timestamp: string;
  };
  readonly repeated: boolean;
  readonly origin: string | null;
  readonly client: string | null;
  readonly socket: { readonly remotePort?: number | undefined };
  /** Set if the sender is already known, for a crash report that the launcher makes itself. */
  readonly sender?: number;
};

/** What Kit decides about an event: whether a switch ignores it, its game, and the statements to commit with it. */
type EventVerdict = {
  readonly ignored: IgnoreReason | null;
  /** The game of the event; null is unsorted. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  /** Called once the writes are durable. */
  readonly committed?: () => void;
};

/** Assigns events to games. */
export type GameAssignment = {
  judge(kind: EventKind, eventId: string | null, sender: number | null): EventVerdict;
  /**
   * Finds the sender, or null if it is unknown. Ingest waits for the result, because finding it needs the connection, which
   * the answer may close.
   */
  findSender(sent: Pick<IncomingEvent, "origin" | "client" | "socket">): number | null | PendingSender;
  /** Returns the build of a report: of the run that its sender is, else `reported`, else of the game. */
  buildOf(sender: number | null, game: string | null, reported: string | undefined): string | undefined;
  /** Called with each event whose sender was not found in time. */
  trackLateSender(late: LateSender): void;
};

export type InboxDeps = {
  readonly storage: Pick<Storage, "write">;
  readonly assignment: GameAssignment;
  /** Called with each event of a game, and again if its sender is found late. `sender` is null if it is unknown, and for each report. */
  readonly onGameEvent: (game: string, sender: number | null, kind: EventKind) => void;
  readonly floodLimiter: FloodLimiter;
  readonly now: () => number;
  /** Called with each event, including ignored and rate-limited ones. */
  readonly onArrival: () => void;
  /** Called after each event has become durable. */
  readonly onStored: readonly ((kind: EventKind) => void)[];
};

type PendingSender = {
  /** Resolves within the time that an acknowledgement may wait, with null if the sender was not found by then. */
  readonly inTime: Promise<number | null>;
  readonly found: Promise<number | null>;
};
type LateSender = Pick<PendingSender, "found"> & {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** Resolves once the event is durable. */
  readonly stored: Promise<void>;
};

/** An incoming error report. */
type ErrorReport = {
  readonly origin: string | null;
  readonly client: string | null;
  readonly message: string;
  readonly stackTrace: string;
  readonly build?: string | undefined;
  readonly atMs: number;
};

/** Decides for each report that no switch ignores: store it, or only count it durably, under the id of a report that was stored. */
type FloodLimiter = {
  /**
   * Runs before the sender lookup, which costs more than counting. Returns undefined if it cannot decide, "in" if the report
   * must be stored, and a promise if the report is being counted.
   */
  countBySender(report: ErrorReport): Promise<string> | "in" | undefined;
  /** Resolves to the id under which the report was counted, or to undefined if it must be stored. */
  countOrAdmit(report: ErrorReport & { readonly game: string | null }): Promise<string | undefined>;
};

export type Inbox = { accept(sent: IncomingEvent): Promise<Acknowledgement> };

const clientCharsMax = 300;

/** Shortens text to `charsMax` characters without splitting a surrogate pair, and appends the number of removed characters. */
export function truncateText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const end = text.charCodeAt(charsMax - 1) >> 10 === 0x36 ? charsMax - 1 : charsMax;
  return `${text.slice(0, end)}… [${text.length - end} more characters were cut]`;
}

/** Shortens the stack trace for lists and the feed. The receipt contains the whole stack trace. */
export function withShortStack(event: KitEvent): KitEvent {
  const { stackTrace } = event.payload;
  if (stackTrace === undefined || stackTrace.length <= listedStackCharsMax) return event;
  return { ...event, payload: { ...event.payload, stackTrace: truncateText(stackTrace, listedStackCharsMax) } };
}

type StoredPayload = Omit<KitEvent["payload"], "eventId"> & { eventId?: string | undefined };

function storedPayload({ kind, body }: IncomingEvent, notes: Message[]): StoredPayload {
  const { timestamp } = body;
  if (kind !== "monitor") return { eventId: body.eventId, timestamp };
  const shortMessage = truncateText(body.message ?? "", messageCharsMax);
  const stackTrace = truncateText(body.stackTrace ?? "", stackTraceCharsMax);
  if (shortMessage !== body.message) notes.push(message("event.message_shortened", { characters: messageCharsMax }));
  if (body.stackTrace == null) notes.push(message("event.no_stack"));
  else if (stackTrace !== body.stackTrace)
    notes.push(message("event.stack_shortened", { characters: stackTraceCharsMax }));
  const build = body.build?.trim().slice(0, buildCharsMax).toWellFormed() ?? "";
  return { message: shortMessage, stackTrace, timestamp, ...(build !== "" && { build }) };
}

/** Returns the event's own time, or its arrival time if the two differ too much or the event is from the future. */
function effectiveTimeMs(timestamp: string, receivedAtMs: number, notes: Message[]): number {
  const own = Date.parse(timestamp);
  if (own <= receivedAtMs && receivedAtMs - own <= clockDriftMsMax) return own;
  const seconds = Math.abs(receivedAtMs - own) / 1_000;
  notes.push(
    own > receivedAtMs ? message("event.time_in_future", { seconds }) : message("event.time_in_past", { seconds }),
  );
  return receivedAtMs;
}

/** Creates what can be stored of an event before its sender is known. */
function createDraft(sent: IncomingEvent, receivedAtMs: number) {
  const notes: Message[] = [];
  const eventId = sent.body.eventId ?? null;
  const payload = storedPayload(sent, notes);
  const actsOnMs = effectiveTimeMs(sent.body.timestamp, receivedAtMs, notes);
  if (sent.repeated) notes.push(message("event.repeated_member"));
  if (eventId?.isWellFormed() === false) notes.push(message("event.unpaired_surrogate"));
  const client = sent.client?.slice(0, clientCharsMax) ?? null;
  const { kind, origin } = sent;
  return { kind, eventId: eventId?.toWellFormed() ?? null, origin, client, payload, actsOnMs, receivedAtMs, notes };
}
type Draft = ReturnType<typeof createDraft>;

function reportIn({ kind, payload, origin, client, actsOnMs }: Draft): ErrorReport | undefined {
  if (kind !== "monitor" || payload.message === undefined) return undefined;
  return {
    origin,
    client,
    message: payload.message,
    stackTrace: payload.stackTrace ?? "",
    build: payload.build,
    atMs: actsOnMs,
  };
}

const isPending = (asked: number | null | PendingSender): asked is PendingSender =>
  typeof asked === "object" && asked !== null;
const acceptedReply = (id: string): Acknowledgement => ({ id, status: "accepted" });

export function createInbox(needs: InboxDeps): Inbox {
  const { floodLimiter, assignment, storage, onStored } = needs;
  const store = async (
    draft: Draft,
    sender: number | null,
    verdict: EventVerdict,
    found: PendingSender["found"] | undefined,
  ): Promise<Acknowledgement> => {
    const id = randomUUIDv7();
    const { kind } = draft;
    const status = verdict.ignored === null ? "accepted" : "ignored";
    const event = {
      ...draft,
      id,
      payload: JSON.stringify(draft.payload),
      status,
      reason: verdict.ignored,
      sender,
    } as const;
    // The rule is written before the event, so that the database counts the rule's first event too.
    const stored = storage.write(...verdict.writes, insertEvent(event));
    if (sender === null && found !== undefined) assignment.trackLateSender({ ...event, found, stored });
    await stored;
    verdict.committed?.();
    for (const tell of onStored) tell(kind);
    return verdict.ignored === null ? acceptedReply(id) : { id, status: "ignored", reason: verdict.ignored };
  };
  const noteGameEvent = (
    game: string,
    kind: EventKind,
    sender: number | null,
    asked: number | null | PendingSender,
  ) => {
    needs.onGameEvent(game, kind === "monitor" ? null : sender, kind);
    if (kind === "monitor" || sender !== null || !isPending(asked)) return;
    void asked.found.then((late) => late !== null && needs.onGameEvent(game, late, kind)).catch(() => undefined);
  };
  const process = async (
    sent: IncomingEvent,
    draft: Draft,
    report: ErrorReport | undefined,
  ): Promise<Acknowledgement> => {
    const asked = sent.sender ?? assignment.findSender(sent);
    const sender = isPending(asked) ? await asked.inTime : asked;
    const verdict = assignment.judge(sent.kind, draft.eventId, sender);
    const { game } = verdict;
    const build = assignment.buildOf(sender, game, draft.payload.build);
    if (sent.kind === "monitor" && build !== undefined) draft.payload.build = build;
    if (game !== null) noteGameEvent(game, sent.kind, sender, asked);
    // Events that a switch ignores bypass the rate limiter.
    if (report !== undefined && verdict.ignored === null) {
      const countedWith = await floodLimiter.countOrAdmit({ ...report, game, build: build ?? "" });
      if (countedWith !== undefined) return acceptedReply(countedWith);
    }
    return store(draft, sender, verdict, isPending(asked) ? asked.found : undefined);
  };
  return {
    accept(sent) {
      needs.onArrival();
      const draft = createDraft(sent, needs.now());
      const report = reportIn(draft);
      const decided = report && floodLimiter.countBySender(report);
      if (typeof decided === "object") return decided.then(acceptedReply);
      return process(sent, draft, decided === "in" ? undefined : report);
    },
  };
}
