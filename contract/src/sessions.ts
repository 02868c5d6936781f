// Operations on sessions and their timelines, and the reports of `kit run`. A session is one run of one game.
import { Type } from "typebox";
import { ClipSubject, clipKinds, clipStates } from "./clips.ts";
import { ReceiptState } from "./events.ts";
import { gamePrefix } from "./games.ts";
import { EventKind, instantSchema } from "./ingest.ts";
import { nullable } from "./issues.ts";
import {
  buildCharsMax,
  runOutputCharsMax,
  sessionsComparedMax,
  sessionsPageMax,
  timelineEntriesMax,
  timelineGapMsMin,
} from "./limits.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

/**
 * How a session ended. Only `exited`, `crashed` and `killed` are certain, because the system reported them to `kit
 * run`.
 */
export const sessionEndings = ["running", "exited", "crashed", "killed", "ended", "quiet", "unseen"] as const;
export type SessionEnding = (typeof sessionEndings)[number];

export const GameSession = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    game: nullable(Type.String(), "null is unsorted: the game is not known yet"),
    knownBy: Type.Enum(["run", "program", "page", "events"], {
      description:
        "run: `kit run` started it; program: known by the process that sends its events; page: known by the web page that sends " +
        "them; events: only the game is known, so two runs within 10 minutes are one session",
    }),
    program: nullable(Type.String(), "The program that `kit run` started; null if it was started in another way"),
    startedAt: Type.String({
      description: "The start of its process if known, else its first event; ISO 8601, UTC, milliseconds",
    }),
    lastEventAt: nullable(Instant, "null while there is no event"),
    endedAt: nullable(Instant, "null while it runs"),
    ending: Type.Enum(sessionEndings, {
      description:
        "running: not ended; exited: with `exitCode`; crashed: by `signal`, or with an `exitCode` that means a crash; killed: by a " +
        "`signal` from a person or the system; ended: its process no longer exists; quiet: no event for 10 minutes; " +
        "unseen: it ended while the launcher was not running, at its last event or later",
    }),
    exitCode: nullable(Type.Integer(), "null if it is unknown"),
    signal: nullable(Type.String(), "e.g. SIGSEGV; null if there was none"),
    crash: nullable(Type.String(), "Id of the error report of its crash, or of the stored report it was counted with"),
    events: Type.Integer({ description: "Number of its events; of a flood of reports only the stored ones" }),
    errors: Type.Integer({ description: "Number of error reports among them" }),
    moments: Type.Integer({ description: "Number of recording triggers among them" }),
    posts: Type.Integer({ description: "Number of social triggers among them" }),
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
  says: "Sessions, newest first.",
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
    forgotten: Type.Integer({
      description: "Number of oldest sessions of all games that were deleted because of the limit",
    }),
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
    at: Type.String({ description: "The effective time of the event; ISO 8601, UTC, milliseconds" }),
    kind: EventKind,
    id: Type.String({ description: "Id of the event, whose receipt is at /api/events/{id}" }),
    eventId: nullable(Type.String(), "null for an error report"),
    label: Type.String({ description: "The name of the event, or the first line of the report" }),
    state: ReceiptState,
    count: Type.Integer({
      description: "1; the third of equal reports within a minute also counts all that follow",
    }),
    clip: nullable(Type.String(), "Id of the clip that contains it"),
    second: nullable(Type.Number(), "Position in that clip, in seconds from its first frame"),
    issue: nullable(Type.String(), "Id of its issue"),
    post: nullable(Type.String(), "Id of the post that was made from it"),
  },
  { description: "One event of a session" },
);
export type TimelineEntry = Type.Static<typeof TimelineEntry>;

export const TimelineClip = Type.Object(
  {
    id: Type.String({ description: "Id of the clip" }),
    kind: Type.Enum(clipKinds),
    state: Type.Enum(clipStates),
    from: Type.String({
      description: "Time of its first frame, or of the requested start; ISO 8601, UTC, milliseconds",
    }),
    to: Instant,
    subject: ClipSubject,
    title: Type.String(),
    priority: Type.Integer({ description: "The priority of its best moment" }),
    pinned: Type.Boolean(),
    poster: Type.Boolean({ description: "A picture is at /api/clips/{id}/poster" }),
  },
  { description: "A clip of a session" },
);
export type TimelineClip = Type.Static<typeof TimelineClip>;

export const Timeline = Type.Object(
  {
    session: GameSession,
    entries: Type.Array(TimelineEntry, { description: `Ordered by time, at most ${timelineEntriesMax}` }),
    clips: Type.Array(TimelineClip, {
      description: "Clips of its game and time, or with one of its events, ordered by time; without clips in the trash",
    }),
    gaps: Type.Array(Type.Object({ from: Instant, to: Instant }), {
      description: `Gaps of at least ${timelineGapMsMin / 60_000} minutes without an event or footage`,
    }),
    until: nullable(
      Type.String(),
      "The end of this part, for the next request's `after`; null if this is the last part",
    ),
    forgotten: Type.Integer({ description: "Number of its events that are no longer in the journal" }),
    compared: Type.Integer({
      description: `Number of sessions of its game that \`issues\` compares: this one and earlier ones, up to ${sessionsComparedMax}; 0 in all parts but the first`,
    }),
    issues: Type.Array(
      Type.Object({
        issue: Type.String(),
        sessions: Type.Integer({ description: "Number of compared sessions with this issue, including this session" }),
      }),
      {
        description:
          "Its issues, and in how many of the compared sessions each occurred, as far as the journal reaches",
      },
    ),
  },
  { description: "The timeline of a session" },
);
export type Timeline = Type.Static<typeof Timeline>;

export const getTimeline = operation({
  id: "getTimeline",
  method: "GET",
  path: "/api/sessions/{id}/timeline",
  access: "session",
  says: "The timeline of a session: its events with their clips, issues and posts, its clips, and gaps without events.",
  params: sessionId,
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        pattern: "^\\d{1,15}$",
        description: "`until` of the previous part; if left out, the timeline starts at the beginning",
      }),
    ),
  }),
  status: 200,
  reply: Timeline,
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

const RunEnd = Type.Object({
  at: instantSchema,
  exitCode: Type.Union([Type.Integer(), Type.Null()], {
    description: "a whole number, or null if a signal ended the run",
  }),
  signal: Type.Union([Type.String({ maxLength: 20 }), Type.Null()], {
    description: "a signal's name of up to 20 characters, or null",
  }),
  output: Type.Optional(
    Type.String({
      maxLength: runOutputCharsMax,
      description: `up to ${runOutputCharsMax} characters: the last lines of its output`,
    }),
  ),
});

/**
 * `kit run` sends one report when a run starts and one when it ends. If no launcher answers the first, only the second
 * arrives.
 */
export const RunReport = Type.Object(
  {
    run: Type.String({
      pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
      description: "a UUID, which is also KIT_RUN in the environment of the game",
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
      description: "1 to 64 characters: equal for runs of the same command in the same folder",
    }),
    pid: Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: "a whole number: the process id" }),
    startedAt: instantSchema,
    build: Type.Optional(
      Type.String({ minLength: 1, maxLength: buildCharsMax, description: "the build, from `kit run --build`" }),
    ),
    ended: Type.Optional(RunEnd),
  },
  { description: "A report of `kit run` about a run" },
);
export type RunReport = Type.Static<typeof RunReport>;

/** The client of the error report of a crash: its stack is what the program printed last. */
export const runClient = "kit-run";

export const reportRun = operation({
  id: "reportRun",
  method: "POST",
  path: "/api/sessions/runs",
  access: "session",
  says: "Reports the start or end of a run of `kit run`. A crash becomes one error report.",
  body: RunReport,
  status: 200,
  reply: GameSession,
  errors: inputErrors,
});
