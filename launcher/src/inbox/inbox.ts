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
import { isOfProgram } from "../http/admission/origin.ts";
import type { Statement } from "../storage/sql.ts";
import { insertEvent, type NewEvent } from "./inbox-store.ts";

export type Sent = {
  readonly kind: EventKind;
  readonly body: { eventId?: string; message?: string; stackTrace?: string | null; timestamp: string };
  readonly repeated: boolean;
  readonly origin: string | null;
  readonly client: string | null;
  /** The sender's end of the connection. */
  readonly socket: { readonly remotePort?: number | undefined };
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
  readonly judge: (kind: EventKind, eventId: string | null) => Verdict;
  /**
   * Called with each event of a game, and the connection's port where a program of its own sent it: a browser would be
   * taken for the game, and the screen recorded while it runs. What it returns is waited for before the answer, which may
   * end the connection.
   */
  readonly met: (game: string, peerPort: number | undefined) => Promise<void> | undefined;
  readonly now: () => number;
  /** Called after each event that became durable. */
  readonly onStored: readonly ((kind: EventKind) => void)[];
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

export function createInbox(needs: InboxNeeds): Inbox {
  const prepare = (sent: Sent, verdict: Verdict): NewEvent => {
    const notes: string[] = [];
    const receivedAtMs = needs.now();
    const eventId = sent.body.eventId ?? null;
    const payload = JSON.stringify(keptPayload(sent, notes));
    const actsOnMs = timeToActOn(sent.body.timestamp, receivedAtMs, notes);
    if (sent.repeated) notes.push("a member came more than once: the last one counts");
    if (eventId?.isWellFormed() === false)
      notes.push("eventId holds half a character; it is filed with U+FFFD in its place");
    return {
      id: randomUUIDv7(),
      kind: sent.kind,
      eventId: eventId?.toWellFormed() ?? null,
      payload,
      actsOnMs,
      receivedAtMs,
      status: verdict.ignored === null ? "accepted" : "ignored",
      reason: verdict.ignored,
      notes,
      origin: sent.origin,
      client: sent.client?.slice(0, clientCharsMax) ?? null,
    };
  };
  return {
    async accept(sent) {
      const verdict = needs.judge(sent.kind, sent.body.eventId?.toWellFormed() ?? null);
      const event = prepare(sent, verdict);
      const peerPort = isOfProgram(sent.origin) ? sent.socket.remotePort : undefined;
      const meeting = verdict.game === null ? undefined : needs.met(verdict.game, peerPort);
      await needs.write(insertEvent(event), ...verdict.writes);
      if (meeting !== undefined) await meeting;
      verdict.committed?.();
      for (const tell of needs.onStored) tell(sent.kind);
      if (event.reason === null) return { id: event.id, status: "accepted" };
      return { id: event.id, status: "ignored", reason: event.reason };
    },
  };
}
