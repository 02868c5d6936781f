// Sessions: one run of one game each, with all that happened in it as one timeline; and what `kit run` says of a run.
import { Type } from "typebox";
import { clipKinds, clipStates } from "./clips.ts";
import { ReceiptState } from "./events.ts";
import { gamePrefix } from "./games.ts";
import { EventKind, exactTime } from "./ingest.ts";
import { nullable } from "./issues.ts";
import {
  runOutputCharsMax,
  sessionsComparedMax,
  sessionsPageMax,
  timelineEntriesMax,
  timelineGapMsMin,
} from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

/** Only `exited`, `crashed` and `killed` are known from the system itself: of what `kit run` started. */
export const sessionEndings = ["running", "exited", "crashed", "killed", "ended", "quiet", "unseen"] as const;
export type SessionEnding = (typeof sessionEndings)[number];

export const GameSession = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    game: nullable(Type.String(), "null is unsorted: nobody said yet which game it is"),
    knownBy: Type.Enum(["run", "program", "page", "events"], {
      description:
        "run: `kit run` started it; program: the process that sends its events; page: the web page that does; " +
        "events: only their game is known, so one who plays twice within 10 minutes has one session",
    }),
    program: nullable(Type.String(), "The program `kit run` started; null: another way"),
    startedAt: Type.String({
      description: "The start of its process where that is known, else its first event; ISO 8601, UTC, milliseconds",
    }),
    lastEventAt: nullable(Instant, "null while there is no event"),
    endedAt: nullable(Instant, "null while it runs"),
    ending: Type.Enum(sessionEndings, {
      description:
        "running: not ended; exited: with `exitCode`; crashed: by `signal`, or by `exitCode`, which says so; killed: by a " +
        "`signal` that a person or the system sends; ended: its process was gone when it was looked for; quiet: no event " +
        "for 10 minutes; unseen: it ended while no launcher ran, at its last event or later",
    }),
    exitCode: nullable(Type.Integer(), "null where it is not known"),
    signal: nullable(Type.String(), "e.g. SIGSEGV; null: none"),
    crash: nullable(
      Type.String(),
      "Id of the error report that was made of its crash, or of the kept one it is counted with",
    ),
    events: Type.Integer({ description: "Its events; of a flood of reports only those that were kept" }),
    errors: Type.Integer({ description: "Error reports among them" }),
    moments: Type.Integer({ description: "Recording triggers among them" }),
    posts: Type.Integer({ description: "Social triggers among them" }),
  },
  { description: "One run of one game" },
);
export type GameSession = Type.Static<typeof GameSession>;

const sessionId = Type.Object({ id: Type.String({ description: "The session's id" }) });

export const listSessions = operation({
  id: "listSessions",
  method: "GET",
  path: "/api/sessions",
  access: "session",
  says: "Sessions, the one that began last first.",
  query: Type.Object({
    game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for those without one" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: sessionsPageMax, default: 50, description: `1 to ${sessionsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "A session's id: only older ones" })),
  }),
  status: 200,
  reply: Type.Object({
    sessions: Type.Array(GameSession, { description: "Newest first" }),
    more: Type.Boolean({ description: "Older ones exist" }),
    forgotten: Type.Integer({ description: "Sessions of all games that went to make room, the oldest first" }),
  }),
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

export const getSession = operation({
  id: "getSession",
  method: "GET",
  path: "/api/sessions/{id}",
  access: "session",
  says: "One session.",
  params: sessionId,
  status: 200,
  reply: GameSession,
  errors: [...sessionErrors, "not_found"],
});

export const TimelineEntry = Type.Object(
  {
    at: Type.String({ description: "The time the event counts by; ISO 8601, UTC, milliseconds" }),
    kind: EventKind,
    id: Type.String({ description: "The event's; its receipt is at /api/events/{id}" }),
    eventId: nullable(Type.String(), "null for an error report"),
    label: Type.String({ description: "The event in words, or the first line of the report" }),
    state: ReceiptState,
    count: Type.Integer({
      description: "1; of equal reports in one minute the third stands for all that follow, and counts them with it",
    }),
    clip: nullable(Type.String(), "Id of the clip it is in"),
    second: nullable(Type.Number(), "Where in that clip, in seconds from its first frame"),
    issue: nullable(Type.String(), "Id of the issue it counts to"),
    post: nullable(Type.String(), "Id of the post that was made of it"),
  },
  { description: "One event of a session" },
);
export type TimelineEntry = Type.Static<typeof TimelineEntry>;

export const TimelineClip = Type.Object(
  {
    id: Type.String({ description: "The clip's" }),
    kind: Type.Enum(clipKinds),
    state: Type.Enum(clipStates),
    from: Type.String({ description: "Of its first frame, or of what was asked for; ISO 8601, UTC, milliseconds" }),
    to: Instant,
    title: Type.String(),
    poster: Type.Boolean({ description: "A picture is at /api/clips/{id}/poster" }),
  },
  { description: "What a clip holds of a session" },
);
export type TimelineClip = Type.Static<typeof TimelineClip>;

export const Timeline = Type.Object(
  {
    session: GameSession,
    entries: Type.Array(TimelineEntry, { description: `In the order of their times, at most ${timelineEntriesMax}` }),
    clips: Type.Array(TimelineClip, {
      description: "Of its game and time, or with one of its events; not those in the bin; in the order of their times",
    }),
    gaps: Type.Array(Type.Object({ from: Instant, to: Instant }), {
      description: `Stretches of at least ${timelineGapMsMin / 60_000} minutes of its time without an event and without footage`,
    }),
    until: nullable(Type.String(), "Where this part ends, to be sent as `after`; null: there is nothing behind it"),
    forgotten: Type.Integer({ description: "Its events that the journal no longer has" }),
    compared: Type.Integer({
      description: `How many sessions of its game \`issues\` looks at: this one and those before it, up to ${sessionsComparedMax}; 0 in any but the first part`,
    }),
    issues: Type.Array(
      Type.Object({
        issue: Type.String(),
        sessions: Type.Integer({ description: "Of those compared, with this one" }),
      }),
      { description: "Its issues, and in how many of those sessions each occurred, as far as the journal has them" },
    ),
  },
  { description: "All that happened in one session" },
);
export type Timeline = Type.Static<typeof Timeline>;

export const getTimeline = operation({
  id: "getTimeline",
  method: "GET",
  path: "/api/sessions/{id}/timeline",
  access: "session",
  says: "All that happened in one session: its events with what became of them, its clips, and where nothing happened.",
  params: sessionId,
  query: Type.Object({
    after: Type.Optional(
      Type.String({ pattern: "^\\d{1,15}$", description: "`until` of the part before; the beginning when left out" }),
    ),
  }),
  status: 200,
  reply: Timeline,
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

const RunEnd = Type.Object({
  at: exactTime,
  exitCode: Type.Union([Type.Integer(), Type.Null()], {
    description: "a whole number, or null where a signal ended it",
  }),
  signal: Type.Union([Type.String({ maxLength: 20 }), Type.Null()], {
    description: "a signal's name of up to 20 characters, or null",
  }),
  output: Type.Optional(
    Type.String({
      maxLength: runOutputCharsMax,
      description: `up to ${runOutputCharsMax} characters: the last lines it wrote`,
    }),
  ),
});

/** Sent when a run begins and once more when it has ended; only the second where no launcher answered to the first. */
export const RunReport = Type.Object(
  {
    run: Type.String({
      pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
      description: "a UUID, which the game has as KIT_RUN in its environment",
    }),
    game: Type.Optional(gamePrefix),
    program: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "1 to 200 characters: the program's name, without its folder",
    }),
    likeness: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "1 to 64 characters: the same for runs of the same command in the same folder",
    }),
    pid: Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: "a whole number: the id of its process" }),
    startedAt: exactTime,
    ended: Type.Optional(RunEnd),
  },
  { description: "What `kit run` says of a run" },
);
export type RunReport = Type.Static<typeof RunReport>;

export const recordRun = operation({
  id: "recordRun",
  method: "POST",
  path: "/api/sessions/runs",
  access: "session",
  says: "Records a run of a game that `kit run` started or saw end. Of a crash it makes an error report, once.",
  body: RunReport,
  status: 200,
  reply: GameSession,
  errors: changeErrors,
});
