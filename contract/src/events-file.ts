// kit.events.json: a file in which a developer describes the event ids of a game. A person imports it into Kit, which
// changes settings but creates no events or posts.
import { Type } from "typebox";
import { eventIcons, gamePrefix, singleLineText } from "./games.ts";
import {
  buildCharsMax,
  eventIdCharsMax,
  eventLabelCharsMax,
  eventsFileIdsMax,
  gameNameCharsMax,
  proposedPostCharsMax,
} from "./limits.ts";
import { operation } from "./operation.ts";
import { inputErrors } from "./problem.ts";
import { RecordingRule } from "./recorder.ts";

const { action, preSeconds, postSeconds, mergeGapSeconds, longestSeconds, cooldownSeconds, priority } =
  RecordingRule.properties;
const ruleMembers = Type.Object({
  action,
  preSeconds,
  postSeconds,
  mergeGapSeconds,
  longestSeconds,
  cooldownSeconds,
  priority,
});

export const EventInFile = Type.Object(
  {
    label: Type.Optional(singleLineText(eventLabelCharsMax, "the event's label, e.g. Boss defeated")),
    icon: Type.Optional(Type.Enum(eventIcons, { description: "the event's icon" })),
    recording: Type.Optional(
      Type.Object(Type.Partial(ruleMembers).properties, {
        additionalProperties: false,
        description: "its recording rule",
      }),
    ),
    post: Type.Optional(
      Type.Object(
        {
          text: Type.String({
            minLength: 1,
            maxLength: proposedPostCharsMax,
            pattern: "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]+$",
            description: `a text that a person can use in a post rule; 1 to ${proposedPostCharsMax} characters`,
          }),
        },
        { additionalProperties: false, description: "a proposed post text; a file never creates a post" },
      ),
    ),
  },
  { additionalProperties: false, description: "the settings of one event id" },
);
export type EventInFile = Type.Static<typeof EventInFile>;

export const EventsFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200, description: "the location of this file's schema" })),
    kitEvents: Type.Literal(1, { description: "the version of this format: 1" }),
    game: gamePrefix,
    name: Type.Optional(
      Type.Union([singleLineText(gameNameCharsMax, "the game's name, e.g. My Game"), Type.Null()], {
        description: `the game's name, e.g. My Game: 1 to ${gameNameCharsMax} characters in one line; null for its prefix in words`,
      }),
    ),
    build: Type.Optional(
      Type.Union([singleLineText(buildCharsMax, "the game's version, e.g. 1.4.2"), Type.Null()], {
        description: `the game's version, e.g. 1.4.2, for error reports that name none: 1 to ${buildCharsMax} characters in one line; null for none`,
      }),
    ),
    events: Type.Record(Type.String({ minLength: 1, maxLength: eventIdCharsMax }), EventInFile, {
      maxProperties: eventsFileIdsMax,
      description: `event ids, each beginning with the game and an underscore; up to ${eventsFileIdsMax}`,
    }),
  },
  { additionalProperties: false, description: "a kit.events.json" },
);
export type EventsFile = Type.Static<typeof EventsFile>;

/** Returns the schema of kit.events.json as plain JSON Schema, for editors. */
export const eventsFileSchema = () => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:kit:kit.events.json:1",
  title: "kit.events.json",
  ...(JSON.parse(JSON.stringify(EventsFile)) as object),
});

export const EventsFileChange = Type.Object(
  {
    eventId: Type.Union([Type.String(), Type.Null()], { description: "null for a change of the game itself" }),
    what: Type.String({ description: "The changed setting, e.g. `recording.preSeconds`" }),
    from: Type.String({ description: "The current value as text; empty if not set" }),
    to: Type.String({ description: "The value in the file, as text" }),
  },
  { description: "One change of an import" },
);
export type EventsFileChange = Type.Static<typeof EventsFileChange>;

export const exportEventsFile = operation({
  id: "exportEventsFile",
  method: "GET",
  path: "/api/rules/file",
  access: "session",
  says: "Exports the settings of a game's event ids as `kit.events.json`.",
  query: Type.Object({ game: Type.String({ description: "the game" }) }),
  status: 200,
  reply: EventsFile,
  errors: inputErrors,
});

export const importEventsFile = operation({
  id: "importEventsFile",
  method: "PUT",
  path: "/api/rules/file",
  access: "session",
  says:
    "Imports a game's `kit.events.json` completely or not at all. Settings that the file does not name are unchanged. A game that " +
    "Kit only guessed becomes registered. To undo the import, import `before` from the reply with `replace`.",
  query: Type.Object({
    dryRun: Type.Optional(Type.Boolean({ default: false, description: "Only reports what would change" })),
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Resets settings that the file leaves out of an event id to the default",
      }),
    ),
  }),
  body: EventsFile,
  status: 200,
  reply: Type.Object({
    changes: Type.Array(EventsFileChange),
    before: EventsFile,
  }),
  errors: inputErrors,
});
