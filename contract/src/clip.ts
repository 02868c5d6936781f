// A clip: what recording made of the moments a game named, and what a person said of it.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { clipTagCharsMax } from "./limits.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

/** A word a person files clips under. Two that differ in case only are one. */
export const ClipTag = Type.String({
  minLength: 1,
  maxLength: clipTagCharsMax,
  pattern:
    "^[^\\s,\\u0000-\\u001f\\u007f-\\u009f](?:[^,\\u0000-\\u001f\\u007f-\\u009f]*[^\\s,\\u0000-\\u001f\\u007f-\\u009f])?$",
  description: `1 to ${clipTagCharsMax} characters in one line without a comma, and without a blank at either end`,
});

/** How a list of clips can be sorted. */
export const clipSorts = ["newest", "longest", "largest", "priority", "title"] as const;
export type ClipSort = (typeof clipSorts)[number];

/** What a moment became. A marker holds no footage and says so. */
export const clipKinds = ["clip", "screenshot", "marker"] as const;
export const ClipKind = Type.Enum(clipKinds, {
  description: "clip: a video; screenshot: one picture; marker: no footage",
});
export type ClipKind = (typeof clipKinds)[number];

/** `saved` is only said of a file that was probed; `marked` of a moment without footage. */
export const clipStates = ["pending", "saved", "failed", "marked"] as const;
export type ClipState = (typeof clipStates)[number];

export const clipStages = ["waiting", "cutting", "verifying"] as const;

export const ClipMoment = Type.Object(
  {
    id: Type.String({ description: "Id of the event; its receipt is at /api/events/{id}" }),
    kind: EventKind,
    eventId: Type.Union([Type.String(), Type.Null()], { description: "null for an error report" }),
    label: Type.String({ description: "The event in words; the chapter's name" }),
    at: Instant,
    offset: Type.Number({ description: "Seconds from the clip's first frame" }),
  },
  { description: "One event in a clip" },
);
export type ClipMoment = Type.Static<typeof ClipMoment>;

export const Clip = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    kind: ClipKind,
    state: Type.Enum(clipStates),
    reason: Type.Optional(Type.String({ description: "Why it failed, or why it is only a marker" })),
    stage: Type.Optional(Type.Enum(clipStages, { description: "Of a pending clip: what it is at" })),
    title: Type.String(),
    game: Type.Union([Type.String(), Type.Null()], { description: "null is unsorted" }),
    startedAt: Type.String({ description: "When its first frame was on the screen; ISO 8601, UTC, milliseconds" }),
    duration: Type.Number({ description: "Seconds, as probed; 0 until it is saved" }),
    path: Type.Union([Type.String(), Type.Null()], { description: "The file; null when there is none" }),
    bytes: Type.Integer(),
    width: Type.Integer(),
    height: Type.Integer(),
    frameRate: Type.Union([Type.Number(), Type.Null()], {
      description: "Pictures a second, on average; null without a video whose pictures were counted",
    }),
    backend: Type.Union([Type.Enum(["ffmpeg", "obs"]), Type.Null()], { description: "Who captured it" }),
    events: Type.Array(ClipMoment, { description: "In the order of their times" }),
    notes: Type.Array(Type.String(), { description: "What is not as it was asked for, e.g. `8 of 12 s before`" }),
    priority: Type.Integer({ minimum: 0, maximum: 1_000 }),
    pinned: Type.Boolean({ description: "Is never removed to make room" }),
    shared: Type.Boolean(),
    tags: Type.Array(Type.String(), { description: "A person's words for it, in the order of the alphabet" }),
    trimmedFrom: Type.Union([Type.String(), Type.Null()], {
      description: "Id of the clip it is a part of; null: it was cut from footage",
    }),
    hasError: Type.Boolean({ description: "An error report is among its events" }),
    missing: Type.Boolean({ description: "The file is no longer where it was saved" }),
    poster: Type.Boolean({ description: "A picture is at /api/clips/{id}/poster" }),
    preview: Type.Boolean({ description: "A short silent video is at /api/clips/{id}/preview" }),
    deletedAt: Type.Union([Instant, Type.Null()], { description: "Set while it lies in the bin" }),
  },
  { description: "A clip, a screenshot or a marker" },
);
export type Clip = Type.Static<typeof Clip>;
