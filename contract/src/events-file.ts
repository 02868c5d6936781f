// kit.events.json: what a game's developer knows of its events, as a file the game ships. A person imports it; it sends nothing.
import { Type } from "typebox";
import { eventIcons, gamePrefix, lineOfText } from "./games.ts";
import {
  eventIdCharsMax,
  eventLabelCharsMax,
  eventsFileIdsMax,
  gameNameCharsMax,
  proposedPostCharsMax,
} from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors } from "./problem.ts";
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
    label: Type.Optional(lineOfText(eventLabelCharsMax, "the event in words, e.g. Boss defeated")),
    icon: Type.Optional(Type.Enum(eventIcons, { description: "the picture it is shown with" })),
    recording: Type.Optional(
      Type.Object(Type.Partial(ruleMembers).properties, {
        additionalProperties: false,
        description: "what it makes of the screen",
      }),
    ),
    post: Type.Optional(
      Type.Object(
        {
          text: Type.String({
            minLength: 1,
            maxLength: proposedPostCharsMax,
            pattern: "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]+$",
            description: `a text a person can take over when they make a rule for posts; 1 to ${proposedPostCharsMax} characters`,
          }),
        },
        { additionalProperties: false, description: "a text for posts, only proposed: no file makes a post" },
      ),
    ),
  },
  { additionalProperties: false, description: "what is known of one event id" },
);
export type EventInFile = Type.Static<typeof EventInFile>;

export const EventsFile = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 200, description: "where the schema of this file is" })),
    kitEvents: Type.Literal(1, { description: "the version of this format: 1" }),
    game: gamePrefix,
    name: Type.Optional(
      Type.Union([lineOfText(gameNameCharsMax, "the game's name, e.g. My Game"), Type.Null()], {
        description: `the game's name, e.g. My Game: 1 to ${gameNameCharsMax} characters in one line; null: its prefix in words`,
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

/** The same as plain JSON Schema, for editors and for whoever writes such a file. */
export const eventsFileSchema = () => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:kit:kit.events.json:1",
  title: "kit.events.json",
  ...(JSON.parse(JSON.stringify(EventsFile)) as object),
});

export const EventsFileChange = Type.Object(
  {
    eventId: Type.Union([Type.String(), Type.Null()], { description: "null: of the game itself" }),
    what: Type.String({ description: "What changes, e.g. `recording.preSeconds`" }),
    from: Type.String({ description: "As it is now, in words; empty for nothing" }),
    to: Type.String({ description: "As the file has it, in words" }),
  },
  { description: "One thing an import changes" },
);
export type EventsFileChange = Type.Static<typeof EventsFileChange>;

export const exportEventsFile = operation({
  id: "exportEventsFile",
  method: "GET",
  path: "/api/rules/file",
  access: "session",
  says: "What is set for a game's event ids, as the `kit.events.json` its developer ships.",
  query: Type.Object({ game: Type.String({ description: "the game" }) }),
  status: 200,
  reply: EventsFile,
  errors: changeErrors,
});

export const importEventsFile = operation({
  id: "importEventsFile",
  method: "PUT",
  path: "/api/rules/file",
  access: "session",
  says:
    "Takes a game's `kit.events.json` over, all of it or nothing. What it does not name stays as it is. A game that is only the " +
    "launcher's guess is registered. `before` in the reply brings back the rest of what was, when it is imported with `replace`.",
  query: Type.Object({
    dryRun: Type.Optional(Type.Boolean({ default: false, description: "Says what would change and changes nothing" })),
    replace: Type.Optional(
      Type.Boolean({
        default: false,
        description: "What the file leaves out of an event id it names is set to the default",
      }),
    ),
  }),
  body: EventsFile,
  status: 200,
  reply: Type.Object({
    changes: Type.Array(EventsFileChange),
    before: EventsFile,
  }),
  errors: changeErrors,
});
