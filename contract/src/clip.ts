// Schema of a clip: its file, its moments, and what a person can change, such as title and tags.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { clipTagCharsMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

/** A tag that a person gives to clips. Tags that differ only in case are the same tag. */
export const ClipTag = Type.String({
  minLength: 1,
  maxLength: clipTagCharsMax,
  pattern:
    "^[^\\s,\\u0000-\\u001f\\u007f-\\u009f](?:[^,\\u0000-\\u001f\\u007f-\\u009f]*[^\\s,\\u0000-\\u001f\\u007f-\\u009f])?$",
  description: `1 to ${clipTagCharsMax} characters in one line without a comma, without a blank at either end`,
});

/** Sort orders of a list of clips. */
export const clipSorts = ["newest", "best", "longest", "largest", "title"] as const;
export type ClipSort = (typeof clipSorts)[number];

/** What Kit makes of a moment. A marker has no footage. */
export const clipKinds = ["clip", "screenshot", "marker"] as const;
export const ClipKind = Type.Enum(clipKinds, {
  description: "clip: a video; screenshot: one picture; marker: no footage",
});
export type ClipKind = (typeof clipKinds)[number];

/** `saved`: the file was verified. `marked`: the moment has no footage. */
export const clipStates = ["pending", "saved", "failed", "marked"] as const;
export type ClipState = (typeof clipStates)[number];

/** What a clip is of. */
export const clipSubjects = ["highlight", "error", "test"] as const;
export const ClipSubject = Type.Enum(clipSubjects, {
  description: "highlight: moments that a game reported; error: nothing but error reports; test: a test recording",
});
export type ClipSubject = (typeof clipSubjects)[number];

export const clipStages = ["waiting", "cutting", "verifying"] as const;

export const ClipMoment = Type.Object(
  {
    id: Type.String({ description: "The event's id; its receipt is at /api/events/{id}" }),
    kind: EventKind,
    eventId: Type.Union([Type.String(), Type.Null()], { description: "null for an error report" }),
    label: Type.String({ description: "The event's label; also the name of the chapter" }),
    at: Instant,
    offset: Type.Number({ description: "Seconds from the clip's first frame" }),
  },
  { description: "One event in a clip" },
);
export type ClipMoment = Type.Static<typeof ClipMoment>;

export const ReelPart = Type.Object(
  {
    clip: Type.String({ description: "Id of the clip that it was copied from, which may be gone" }),
    title: Type.String({ description: "Also the name of its chapter" }),
    offset: Type.Number({ description: "Seconds from the reel's first frame" }),
    fromSeconds: Type.Number({ description: "Where it starts in its clip" }),
    toSeconds: Type.Number({ description: "Where it ends in its clip" }),
    fades: Type.Optional(Type.Boolean({ description: "It fades in from black and out to black" })),
  },
  { description: "One part of a reel" },
);
export type ReelPart = Type.Static<typeof ReelPart>;

export const Clip = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    kind: ClipKind,
    state: Type.Enum(clipStates),
    reason: Type.Optional(messageSchema("Why the clip failed, or why it is only a marker")),
    stage: Type.Optional(Type.Enum(clipStages, { description: "Current step of a pending clip" })),
    progress: Type.Optional(
      Type.Object(
        {
          share: Type.Number({ minimum: 0, maximum: 1, description: "Share of the work that is done" }),
          secondsLeft: Type.Union([Type.Number(), Type.Null()], { description: "null: not known yet" }),
        },
        { description: "Progress of a reel that is being made" },
      ),
    ),
    subject: ClipSubject,
    title: Type.String({ description: "The label of its best moment, or the title that a person gave it" }),
    titleMessage: Type.Optional(
      messageSchema("The title as a message, to be shown in any language; only for a title that Kit made up"),
    ),
    game: Type.Union([Type.String(), Type.Null()], { description: "null: belongs to no game" }),
    startedAt: Type.String({ description: "When the first frame was on the screen; ISO 8601, UTC, milliseconds" }),
    duration: Type.Number({ description: "Length in seconds, measured in the file; 0 until the clip is saved" }),
    path: Type.Union([Type.String(), Type.Null()], { description: "Path of the file; null without a file" }),
    bytes: Type.Integer(),
    width: Type.Integer(),
    height: Type.Integer(),
    frameRate: Type.Union([Type.Number(), Type.Null()], {
      description: "Average frames per second; null if there is no video or its frames were not counted",
    }),
    backend: Type.Union([Type.Enum(["ffmpeg", "obs"]), Type.Null()], {
      description: "The capture backend that recorded it",
    }),
    events: Type.Array(ClipMoment, { description: "The clip's moments in chronological order" }),
    notes: Type.Array(messageSchema(), {
      description:
        "What a person who watches it should know, e.g. `Starts 1.2 s late: nothing was recorded before that`",
    }),
    microphone: Type.Optional(
      Type.Boolean({
        description: "true: its file has the microphone as a second sound track, beside that of the game",
      }),
    ),
    priority: Type.Integer({ minimum: 0, maximum: 1_000, description: "The priority of its best moment" }),
    pinned: Type.Boolean({ description: "Pinned clips are never removed to free space" }),
    shared: Type.Boolean(),
    tags: Type.Array(Type.String(), { description: "The clip's tags in alphabetical order" }),
    trimmedFrom: Type.Union([Type.String(), Type.Null()], {
      description: "Id of the clip that it was trimmed from; null: it was cut from footage",
    }),
    parts: Type.Optional(Type.Array(ReelPart, { description: "Only of a reel: its parts in order" })),
    missing: Type.Boolean({ description: "The file is no longer at its path" }),
    poster: Type.Boolean({ description: "An image is at /api/clips/{id}/poster" }),
    preview: Type.Boolean({ description: "A short silent video is at /api/clips/{id}/preview" }),
    deletedAt: Type.Union([Instant, Type.Null()], {
      description: "When the clip was moved to the trash; null outside the trash",
    }),
  },
  { description: "A clip, a screenshot or a marker" },
);
export type Clip = Type.Static<typeof Clip>;
