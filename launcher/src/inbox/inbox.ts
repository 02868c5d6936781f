// Takes events in: what is kept, with which notes, and what the game is answered. Acknowledges after COMMIT only.
import { randomUUIDv7 } from "node:crypto";
import {
  type Acknowledgement,
  clockDriftMsMax,
  type EventKind,
  type IgnoreReason,
  type KitEvent,
  listedStackCharsMax,
  messageCharsMax,
  stackTraceCharsMax,
} from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import { insertEvent } from "./inbox-store.ts";

export type Sent = {
  readonly kind: EventKind;
  readonly body: { eventId?: string; message?: string; stackTrace?: string | null; timestamp: string };
  readonly repeated: boolean;
  readonly origin: string | null;
  readonly client: string | null;
  /** The sender's end of the connection. */
  readonly socket: { readonly remotePort?: number | undefined };
  /** Where that is known already: of a run that the launcher itself reports on. */
  readonly sender?: number;
};

/** What the switches say of an event, and what has to be written down with it. */
type Verdict = {
  readonly ignored: IgnoreReason | null;
  /** The game the event is filed under; null is unsorted. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  /** Called once the writes are durable. */
  readonly committed?: () => void;
};

export type InboxNeeds = {
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly judge: (kind: EventKind, eventId: string | null, sender: number | null) => Verdict;
  /** Which run of a program or a page sent it; null where that is not known. Waited for, since the answer may end the connection. */
  readonly senderOf: (sent: Pick<Sent, "origin" | "client" | "socket">) => number | null | Sought;
  /** Called with each event whose sender was not known in time. */
  readonly follow: (late: Late) => void;
  /** Called with each event of a game; the sender only where it named the game itself. */
  readonly met: (game: string, sender: number | null) => void;
  readonly gate: Gate;
  readonly now: () => number;
  /** Called with each event, whatever becomes of it. */
  readonly onArrival: () => void;
  /** Called after each event that became durable. */
  readonly onStored: readonly ((kind: EventKind) => void)[];
};

type Sought = {
  /** For as long as an acknowledgement may wait. */
  readonly inTime: Promise<number | null>;
  readonly found: Promise<number | null>;
};
type Late = Pick<Sought, "found"> & {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** Resolves when the event is durable. */
  readonly stored: Promise<void>;
};

/** An error report as it arrives. */
type ErrorReport = {
  readonly origin: string | null;
  readonly client: string | null;
  readonly message: string;
  readonly stackTrace: string;
  readonly atMs: number;
};

/**
 * Asked of each report that is not switched off: it is to be kept, or it is one of a flood and was counted durably, with the
 * kept report that has this id.
 */
type Gate = {
  /** Before it is known who sent it, which costs more than counting. `in`: it is to be kept; undefined: nothing was decided. */
  countAlike(report: ErrorReport): Promise<string> | "in" | undefined;
  /** Undefined where it is to be kept. */
  countOnly(report: ErrorReport & { readonly game: string | null }): Promise<string | undefined>;
};

export type Inbox = { accept(sent: Sent): Promise<Acknowledgement> };

const clientCharsMax = 300;

/** Cuts a text to `charsMax` characters, never through the middle of one, and says how much is gone. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const end = text.charCodeAt(charsMax - 1) >> 10 === 0x36 ? charsMax - 1 : charsMax;
  return `${text.slice(0, end)}… [${text.length - end} more characters were cut]`;
}

/** An event for lists and the feed, where many stand together: the whole stack trace is in its receipt. */
export function briefly(event: KitEvent): KitEvent {
  const { stackTrace } = event.payload;
  if (stackTrace === undefined || stackTrace.length <= listedStackCharsMax) return event;
  return { ...event, payload: { ...event.payload, stackTrace: cutText(stackTrace, listedStackCharsMax) } };
}

function keptPayload({ kind, body }: Sent, notes: string[]) {
  const { timestamp } = body;
  if (kind !== "monitor") return { eventId: body.eventId, timestamp };
  const message = cutText(body.message ?? "", messageCharsMax);
  const stackTrace = cutText(body.stackTrace ?? "", stackTraceCharsMax);
  if (message !== body.message) notes.push(`message is kept to ${messageCharsMax} characters`);
  if (body.stackTrace == null) notes.push("stackTrace was missing and counts as empty");
  else if (stackTrace !== body.stackTrace) notes.push(`stackTrace is kept to ${stackTraceCharsMax} characters`);
  return { message, stackTrace, timestamp };
}

/** The event's own time; its arrival where the two disagree by too much or the event is from the future. */
function timeToActOn(timestamp: string, receivedAtMs: number, notes: string[]): number {
  const own = Date.parse(timestamp);
  if (own <= receivedAtMs && receivedAtMs - own <= clockDriftMsMax) return own;
  const seconds = Math.abs(receivedAtMs - own) / 1_000;
  notes.push(`the event's time lies ${seconds} s ${own > receivedAtMs ? "ahead" : "back"}: its arrival counts`);
  return receivedAtMs;
}

/** What is known of an event before it is known who sent it. */
function draftOf(sent: Sent, receivedAtMs: number) {
  const notes: string[] = [];
  const eventId = sent.body.eventId ?? null;
  const payload = keptPayload(sent, notes);
  const actsOnMs = timeToActOn(sent.body.timestamp, receivedAtMs, notes);
  if (sent.repeated) notes.push("a member came more than once: the last one counts");
  if (eventId?.isWellFormed() === false)
    notes.push("eventId holds half a character; it is filed with U+FFFD in its place");
  const client = sent.client?.slice(0, clientCharsMax) ?? null;
  const { kind, origin } = sent;
  return { kind, eventId: eventId?.toWellFormed() ?? null, origin, client, payload, actsOnMs, receivedAtMs, notes };
}
type Draft = ReturnType<typeof draftOf>;

function reportIn({ kind, payload, origin, client, actsOnMs }: Draft): ErrorReport | undefined {
  if (kind !== "monitor" || payload.message === undefined) return undefined;
  return { origin, client, message: payload.message, stackTrace: payload.stackTrace, atMs: actsOnMs };
}

const isSought = (asked: number | null | Sought): asked is Sought => typeof asked === "object" && asked !== null;
const taken = (id: string): Acknowledgement => ({ id, status: "accepted" });

export function createInbox(needs: InboxNeeds): Inbox {
  const { gate, senderOf, judge, write, onStored } = needs;
  const keep = async (
    draft: Draft,
    sender: number | null,
    verdict: Verdict,
    found: Sought["found"] | undefined,
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
    // What is known of an id by now counts its first event too.
    const stored = write(...verdict.writes, insertEvent(event));
    if (sender === null && found !== undefined) needs.follow({ ...event, found, stored });
    await stored;
    verdict.committed?.();
    for (const tell of onStored) tell(kind);
    return verdict.ignored === null ? taken(id) : { id, status: "ignored", reason: verdict.ignored };
  };
  const takeIn = async (sent: Sent, draft: Draft, report: ErrorReport | undefined): Promise<Acknowledgement> => {
    const asked = sent.sender ?? senderOf(sent);
    const sender = isSought(asked) ? await asked.inTime : asked;
    const verdict = judge(sent.kind, draft.eventId, sender);
    const { game } = verdict;
    if (game !== null) needs.met(game, draft.eventId === null ? null : sender);
    // What a switch turned off is kept as it is: nobody counts it.
    if (report !== undefined && verdict.ignored === null) {
      const countedWith = await gate.countOnly({ ...report, game });
      if (countedWith !== undefined) return taken(countedWith);
    }
    return keep(draft, sender, verdict, isSought(asked) ? asked.found : undefined);
  };
  return {
    accept(sent) {
      needs.onArrival();
      const draft = draftOf(sent, needs.now());
      const report = reportIn(draft);
      const decided = report && gate.countAlike(report);
      if (typeof decided === "object") return decided.then(taken);
      return takeIn(sent, draft, decided === "in" ? undefined : report);
    },
  };
}
