// Events that arrive while a component test runs: complete, typed by the contract, each with an id of its own.
import {
  allSwitchesOn,
  type EventIdRule,
  type Game,
  gameInWords,
  getReceipt,
  type KitEvent,
  listClips,
  type listEvents,
  type MessageOrText,
  type ReceiptEntry,
  type ReceiptState,
  type Refusal,
  type ReplyOf,
} from "@kit/contract";
import { createRefusal, nthEvent } from "../feed-samples.ts";
import type { FakeLauncher } from "./fake-launcher.ts";

let created = 0;

function arriving(members: Partial<KitEvent>): KitEvent {
  const at = new Date().toISOString();
  created += 1;
  const sender = { client: "GodotEngine/4.6 (Linux)" };
  return nthEvent(created, { receivedAt: at, actsOn: at, ...sender, ...members });
}

/** A recording trigger that arrives now. Its game is the first word of its id. */
export function triggerOf(eventId: string, members: Partial<KitEvent> = {}): KitEvent {
  const [game = null] = eventId.split("_");
  return arriving({ game, eventId, payload: { eventId, timestamp: new Date().toISOString() }, ...members });
}

/** An error report that arrives now, from a game that is not known yet. */
export function errorOf(message: string, stackTrace = "", members: Partial<KitEvent> = {}): KitEvent {
  const payload = { message, stackTrace, timestamp: new Date().toISOString() };
  return arriving({ kind: "monitor", game: null, eventId: null, payload, ...members });
}

/** A social trigger that was refused now because of its time. */
export const refusalOf = (members: Partial<Refusal> = {}): Refusal =>
  createRefusal({
    at: new Date().toISOString(),
    errors: [{ path: "/timestamp", message: "an ISO 8601 time like YYYY-MM-DDTHH:MM:SS.sssZ" }],
    path: "/api/social/trigger",
    kind: "social",
    body: '{"eventId":"mygame_win","timestamp":"yesterday"}',
    ...members,
  });

/** A state that an event reached now. */
export const entryOf = (state: ReceiptState, by: string, reason?: MessageOrText): ReceiptEntry => ({
  state,
  at: new Date().toISOString(),
  by,
  ...(reason !== undefined && { reason }),
});

/** The list of all these events, given oldest first. */
export const listOf = (...events: readonly KitEvent[]): ReplyOf<typeof listEvents> => ({
  events: events.toReversed(),
  cursor: "0",
  more: false,
});

/** Answers what the details of an event ask: its receipt, with these states, and its clips, of which there are none. */
export function answerDetails(launcher: FakeLauncher, event: KitEvent, ...states: readonly ReceiptEntry[]): void {
  const accepted = { ...entryOf("accepted", "inbox"), at: event.receivedAt };
  launcher.when(getReceipt).reply(() => ({ event, states: [accepted, ...states] }));
  launcher.when(listClips).reply(() => ({ clips: [], more: false, bytes: 0, quotaBytes: 1e10 }));
}

/** The rule of an event id that is accepted and that no person has changed. Its game is the first word of the id. */
export function eventIdRuleOf(eventId: string, members: Partial<EventIdRule> = {}): EventIdRule {
  const [game = null] = eventId.split("_");
  const names = { label: null, icon: null, postText: null, similarTo: null };
  const seen = { firstSeenAt: "2026-05-01T10:00:00.000Z", lastSeenAt: "2026-05-01T10:00:00.000Z", count: 1 };
  return { kind: "recording", eventId, game, assigned: false, enabled: true, ...names, ...seen, ...members };
}

/** A registered game. */
export const knownGameOf = (game: string, name = gameInWords(game)): Game => ({
  ...{ game, name, registered: true, switches: allSwitchesOn, firstSeenAt: "2026-05-01T10:00:00.000Z" },
});
