// Games, and the switches a player or developer sets: by service, by game, by event id.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { eventLabelCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors } from "./problem.ts";

export const Switches = Type.Object(
  { recording: Type.Boolean(), monitor: Type.Boolean(), social: Type.Boolean() },
  { description: "On or off, service by service" },
);
export type Switches = Type.Static<typeof Switches>;
export const switchesOn: Switches = { recording: true, monitor: true, social: true };

/** Some of the switches: what is left out stays as it is. */
const SwitchChange = Type.Object({
  recording: Type.Optional(Type.Boolean()),
  monitor: Type.Optional(Type.Boolean()),
  social: Type.Optional(Type.Boolean()),
});
export type SwitchChange = Type.Static<typeof SwitchChange>;

export const gamePrefix = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^[^\\s\\u0000-\\u001f\\u007f-\\u009f](.*[^\\s_\\u0000-\\u001f\\u007f-\\u009f])?$",
  description:
    "1 to 100 characters without a blank at either end or an underscore at the end, e.g. my_game for my_game_boss_defeated",
});

export const Game = Type.Object(
  {
    game: Type.String({ description: "The prefix its event ids begin with" }),
    registered: Type.Boolean({ description: "False while it is the launcher's guess from an event id" }),
    switches: Switches,
    firstSeenAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  },
  { description: "A game the launcher knows" },
);
export type Game = Type.Static<typeof Game>;

/** Blanks, then one character that is not blank, then anything but control characters: linear on any text. */
export const lineOfText = (most: number, what: string) =>
  Type.String({
    minLength: 1,
    maxLength: most,
    pattern:
      "^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
    description: `${what}; 1 to ${most} characters in one line, at least one not blank`,
  });

/** Pictures an event can be shown with; each is a name, never a file. */
// biome-ignore format: a list of names
export const eventIcons = [
  "star", "trophy", "sword", "skull", "heart", "flag", "key", "map", "clock", "bolt", "fire", "gift", "ghost", "bug",
] as const;
export type EventIcon = (typeof eventIcons)[number];

export const Rule = Type.Object(
  {
    kind: EventKind,
    eventId: Type.String({ description: "The event id it is for" }),
    game: Type.Union([
      Type.String({ description: "The game its events are filed under; null is unsorted" }),
      Type.Null(),
    ]),
    assigned: Type.Boolean({ description: "True when a person said which game it belongs to" }),
    enabled: Type.Boolean({ description: "False: its events are stored and ignored" }),
    firstSeenAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
    lastSeenAt: Type.Union([Type.String({ description: "ISO 8601, UTC, milliseconds" }), Type.Null()], {
      description: "When its newest event came, ignored ones too; null: none came yet",
    }),
    count: Type.Integer({
      description: "How many of its events came, ignored ones and those that left the journal too",
    }),
    label: Type.Union([Type.String(), Type.Null()], {
      description: "The event in a person's words; null: made of its id",
    }),
    icon: Type.Union([Type.String(), Type.Null()], {
      description: "The picture it is shown with; null: that of its kind",
    }),
    postText: Type.Union([Type.String(), Type.Null()], {
      description: "A text its developer proposes for posts; null: none. By itself it posts nothing",
    }),
    similarTo: Type.Union([Type.String(), Type.Null()], {
      description: "An older id of the same kind and game that differs by a letter or two: probably meant; null: none",
    }),
  },
  { description: "What the launcher does with one event id; created when it is first seen" },
);
export type Rule = Type.Static<typeof Rule>;

export const listGames = operation({
  id: "listGames",
  method: "GET",
  path: "/api/games",
  access: "session",
  says: "The known games, their rules, and the switches of the three services.",
  status: 200,
  reply: Type.Object({ services: Switches, games: Type.Array(Game), rules: Type.Array(Rule) }),
  errors: changeErrors,
});

export const registerGame = operation({
  id: "registerGame",
  method: "PUT",
  path: "/api/games",
  access: "session",
  says: "Names a game by its prefix or sets its switches; the events it already sent are filed anew.",
  body: Type.Object({ game: gamePrefix, switches: Type.Optional(SwitchChange) }),
  status: 200,
  reply: Game,
  errors: changeErrors,
});

export const forgetGame = operation({
  id: "forgetGame",
  method: "DELETE",
  path: "/api/games",
  access: "session",
  says: "Takes a registered prefix back; its events return to where they would be without it.",
  query: Type.Object({ game: Type.String({ description: "a registered prefix" }) }),
  status: 204,
  errors: changeErrors,
});

export const changeRule = operation({
  id: "changeRule",
  method: "PUT",
  path: "/api/rules",
  access: "session",
  says:
    "Switches one event id on or off, says what it is called, or which game it belongs to (null: decide by prefix again). " +
    "What it is called and its picture are those of the id, whichever service it is for.",
  body: Type.Object({
    kind: EventKind,
    eventId: Type.String({ description: "a string: the event id the rule is for" }),
    enabled: Type.Optional(Type.Boolean({ description: "true, or false to store its events and ignore them" })),
    game: Type.Optional(Type.Union([gamePrefix, Type.Null()])),
    label: Type.Optional(
      Type.Union([lineOfText(eventLabelCharsMax, "the event in words, e.g. Boss defeated"), Type.Null()], {
        description: `the event in words: 1 to ${eventLabelCharsMax} characters in one line, or null to make them of its id again`,
      }),
    ),
    icon: Type.Optional(
      Type.Union([Type.Enum(eventIcons), Type.Null()], {
        description: `one of ${eventIcons.join(", ")}, or null for the picture of its kind`,
      }),
    ),
  }),
  status: 200,
  reply: Rule,
  errors: changeErrors,
});

export const switchServices = operation({
  id: "switchServices",
  method: "PUT",
  path: "/api/services",
  access: "session",
  says: "Switches a whole service on or off for every game.",
  body: SwitchChange,
  status: 200,
  reply: Switches,
  errors: changeErrors,
});
