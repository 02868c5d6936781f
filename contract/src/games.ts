// Operations on games and event ids, and on the switches of services, games and event ids.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { eventLabelCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";

export const Switches = Type.Object(
  { recording: Type.Boolean(), monitor: Type.Boolean(), social: Type.Boolean() },
  { description: "On or off for each service" },
);
export type Switches = Type.Static<typeof Switches>;
export const allSwitchesOn: Switches = { recording: true, monitor: true, social: true };

/** Changes some switches. A switch that is left out stays as it is. */
const SwitchChange = Type.Object({
  recording: Type.Optional(Type.Boolean()),
  monitor: Type.Optional(Type.Boolean()),
  social: Type.Optional(Type.Boolean()),
});
export type SwitchChange = Type.Static<typeof SwitchChange>;

export const gamePrefixCharsMax = 100;
export const gamePrefix = Type.String({
  minLength: 1,
  maxLength: gamePrefixCharsMax,
  pattern: "^[^\\s\\u0000-\\u001f\\u007f-\\u009f](.*[^\\s_\\u0000-\\u001f\\u007f-\\u009f])?$",
  description:
    "1 to 100 characters without a blank at either end or an underscore at the end, e.g. my_game for my_game_boss_defeated",
});

export const Game = Type.Object(
  {
    game: Type.String({ description: "The prefix of its event ids" }),
    name: Type.String({
      description: "The name from a person or from the game's `kit.events.json`, else its prefix in words",
    }),
    registered: Type.Boolean({ description: "False if Kit only guessed the game from an event id" }),
    switches: Switches,
    firstSeenAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  },
  { description: "A game the launcher knows" },
);
export type Game = Type.Static<typeof Game>;

/** Schema of text of one line with at least one character that is not blank. The pattern matches in linear time. */
export const singleLineText = (most: number, what: string) =>
  Type.String({
    minLength: 1,
    maxLength: most,
    pattern:
      "^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
    description: `${what}; 1 to ${most} characters in one line, at least one not blank`,
  });

/** Names of the icons that an event can have. */
// biome-ignore format: a list of names
export const eventIcons = [
  "star", "trophy", "sword", "skull", "heart", "flag", "key", "map", "clock", "bolt", "fire", "gift", "ghost", "bug",
] as const;
export type EventIcon = (typeof eventIcons)[number];

export const EventIdRule = Type.Object(
  {
    kind: EventKind,
    eventId: Type.String({ description: "The event id of the rule" }),
    game: Type.Union([Type.String({ description: "The game of its events; null is unsorted" }), Type.Null()]),
    assigned: Type.Boolean({ description: "True if a person assigned the game" }),
    enabled: Type.Boolean({ description: "If false, its events are stored and ignored" }),
    firstSeenAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
    lastSeenAt: Type.Union([Type.String({ description: "ISO 8601, UTC, milliseconds" }), Type.Null()], {
      description: "Arrival of its newest event, including ignored ones; null if there was none",
    }),
    count: Type.Integer({
      description: "Number of its events, including ignored ones and those no longer in the journal",
    }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: "The event's label; null if it is shown as its id in words",
    }),
    icon: Type.Union([Type.String(), Type.Null()], {
      description: "The event's icon; null for the icon of its kind",
    }),
    postText: Type.Union([Type.String(), Type.Null()], {
      description: "A post text that the developer proposes, or null. It does not create a post",
    }),
    similarTo: Type.Union([Type.String(), Type.Null()], {
      description:
        "An older, almost equal id of the same kind and game, which was probably meant; null if there is none",
    }),
  },
  { description: "What the launcher does with an event id; created when the id is first seen" },
);
export type EventIdRule = Type.Static<typeof EventIdRule>;

export const listGames = operation({
  id: "listGames",
  method: "GET",
  path: "/api/games",
  access: "session",
  says: "The known games, their rules, and the switches of the three services.",
  status: 200,
  reply: Type.Object({ services: Switches, games: Type.Array(Game), rules: Type.Array(EventIdRule) }),
  errors: inputErrors,
});

export const registerGame = operation({
  id: "registerGame",
  method: "PUT",
  path: "/api/games",
  access: "session",
  says: "Registers a game by its prefix, or sets its switches. Its past events are assigned to it as well.",
  body: Type.Object({ game: gamePrefix, switches: Type.Optional(SwitchChange) }),
  status: 200,
  reply: Game,
  errors: inputErrors,
});

export const forgetGame = operation({
  id: "forgetGame",
  method: "DELETE",
  path: "/api/games",
  access: "session",
  says: "Unregisters a prefix. Its events are assigned as if it had never been registered.",
  query: Type.Object({ game: Type.String({ description: "a registered prefix" }) }),
  status: 204,
  errors: inputErrors,
});

export const changeEventIdRule = operation({
  id: "changeEventIdRule",
  method: "PUT",
  path: "/api/rules",
  access: "session",
  says:
    "Switches an event id on or off, sets its label and icon, or assigns it to a game (null: the prefix decides again). " +
    "Label and icon are the same for all services.",
  body: Type.Object({
    kind: EventKind,
    eventId: Type.String({ description: "a string: the event id of the rule" }),
    enabled: Type.Optional(Type.Boolean({ description: "true, or false to store its events and ignore them" })),
    game: Type.Optional(Type.Union([gamePrefix, Type.Null()])),
    label: Type.Optional(
      Type.Union([singleLineText(eventLabelCharsMax, "the event's label, e.g. Boss defeated"), Type.Null()], {
        description: `the event's label: 1 to ${eventLabelCharsMax} characters in one line, or null to show its id in words`,
      }),
    ),
    icon: Type.Optional(
      Type.Union([Type.Enum(eventIcons), Type.Null()], {
        description: `one of ${eventIcons.join(", ")}, or null for the icon of its kind`,
      }),
    ),
  }),
  status: 200,
  reply: EventIdRule,
  errors: inputErrors,
});

export const switchServices = operation({
  id: "switchServices",
  method: "PUT",
  path: "/api/services",
  access: "session",
  says: "Switches a service on or off for all games.",
  body: SwitchChange,
  status: 200,
  reply: Switches,
  errors: inputErrors,
});
