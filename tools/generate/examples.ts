// What the documents show for each operation. The contract's types check every example; so does the OpenAPI lint.
import {
  type BodyOf,
  changeRule,
  createTicket,
  decideOrigin,
  type Game,
  getHealth,
  getReceipt,
  type KitEvent,
  listEvents,
  listGames,
  listOrigins,
  type Operation,
  type Origin,
  openSession,
  type ReplyOf,
  type Rule,
  registerGame,
  reportError,
  streamFeed,
  switchesOn,
  switchServices,
  triggerRecording,
  triggerSocial,
} from "@kit/contract";

export type Example = { readonly body?: unknown; readonly reply?: unknown };

const examples = new Map<string, Example>();

function show<O extends Operation>(operation: O, example: { body?: BodyOf<O>; reply?: ReplyOf<O> }): void {
  examples.set(operation.id, example as Example);
}

export const exampleOf = (operation: Operation): Example => examples.get(operation.id) ?? {};

const timestamp = "2026-03-14T09:26:53.589Z";
const receivedAt = "2026-03-14T09:26:53.612Z";
const id = "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41";
const accepted = { id, status: "accepted" } as const;

const event: KitEvent = {
  id,
  kind: "recording",
  game: "my_game",
  eventId: "my_game_boss_defeated",
  payload: { eventId: "my_game_boss_defeated", timestamp },
  receivedAt,
  actsOn: timestamp,
  status: "accepted",
  state: "handed-over",
  notes: [],
  origin: null,
  client: "GodotEngine/4.6.stable (Linux)",
  intact: true,
};

const game: Game = { game: "my_game", registered: true, switches: switchesOn, firstSeenAt: receivedAt };

const rule: Rule = {
  kind: "recording",
  eventId: "my_game_boss_defeated",
  game: "my_game",
  assigned: false,
  enabled: true,
  firstSeenAt: receivedAt,
};

const origin: Origin = {
  origin: "https://html-classic.itch.zone",
  state: "until-exit",
  shared: true,
  firstAskedAt: receivedAt,
  expiresAt: null,
  attempts: 3,
};

show(triggerRecording, { body: { eventId: "my_game_boss_defeated", timestamp }, reply: accepted });
show(reportError, {
  body: { message: "The save file is damaged", stackTrace: "load_game: res://save.gd:41", timestamp },
  reply: accepted,
});
show(triggerSocial, {
  body: { eventId: "my_game_all_stars", timestamp },
  reply: { id, status: "ignored", reason: "event_off" },
});
show(getHealth, {
  reply: {
    product: "kit",
    version: "0.1.0",
    capabilities: ["recording", "monitor", "social"],
    storage: { state: "ok", notices: [] },
    dropped: { evicted: 0, refusals: 0, events: 0 },
  },
});
show(listEvents, { reply: { events: [event], cursor: "42", more: false } });
show(getReceipt, {
  reply: {
    event,
    states: [
      { state: "accepted", at: receivedAt, by: "inbox" },
      { state: "handed-over", at: "2026-03-14T09:26:53.640Z", by: "recording" },
    ],
  },
});
show(streamFeed, { reply: { type: "event", event } });
show(listGames, { reply: { services: switchesOn, games: [game], rules: [rule] } });
show(registerGame, {
  body: { game: "my_game", switches: { social: false } },
  reply: { ...game, switches: { ...switchesOn, social: false } },
});
show(changeRule, { body: { kind: "recording", eventId: "my_game_boss_defeated", enabled: true }, reply: rule });
show(switchServices, { body: { social: false }, reply: { ...switchesOn, social: false } });
show(listOrigins, { reply: { origins: [origin], dropped: 0 } });
show(decideOrigin, {
  body: { origin: "https://html-classic.itch.zone", decision: "until-exit" },
  reply: origin,
});
show(createTicket, { reply: { ticket: "4nQ…", expiresAt: "2026-03-14T09:27:53.612Z" } });
show(openSession, {
  body: { ticket: "4nQ…" },
  reply: { token: "kR7…", expiresAt: "2026-04-13T09:26:53.612Z" },
});
