// Clips: what recording made of the moments a game named, and what a person does with them.
import { Type } from "typebox";
import { EventKind } from "./ingest.ts";
import { clipsPageMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });

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
    backend: Type.Union([Type.Enum(["ffmpeg", "obs"]), Type.Null()], { description: "Who captured it" }),
    events: Type.Array(ClipMoment, { description: "In the order of their times" }),
    notes: Type.Array(Type.String(), { description: "What is not as it was asked for, e.g. `8 of 12 s before`" }),
    priority: Type.Integer({ minimum: 0, maximum: 1_000 }),
    pinned: Type.Boolean({ description: "Is never removed to make room" }),
    shared: Type.Boolean(),
    hasError: Type.Boolean({ description: "An error report is among its events" }),
    missing: Type.Boolean({ description: "The file is no longer where it was saved" }),
    poster: Type.Boolean({ description: "A picture is at /api/clips/{id}/poster" }),
    preview: Type.Boolean({ description: "A short silent video is at /api/clips/{id}/preview" }),
    deletedAt: Type.Union([Instant, Type.Null()], { description: "Set while it lies in the bin" }),
  },
  { description: "A clip, a screenshot or a marker" },
);
export type Clip = Type.Static<typeof Clip>;

export const ClipFilter = Type.Object({
  game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for clips without one" })),
  kind: Type.Optional(ClipKind),
  state: Type.Optional(Type.Enum(clipStates)),
  event: Type.Optional(Type.String({ description: "Only what this event, by its id, is in" })),
  bin: Type.Optional(Type.Boolean({ default: false, description: "What lies in the bin instead" })),
});
export type ClipFilter = Type.Static<typeof ClipFilter>;

const clipId = Type.Object({ id: Type.String({ description: "The clip's id" }) });

export const listClips = operation({
  id: "listClips",
  method: "GET",
  path: "/api/clips",
  access: "session",
  says: "Clips, screenshots and markers, newest first, and how much of the disk they hold.",
  query: Type.Object({
    ...ClipFilter.properties,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: clipsPageMax, default: 50, description: `1 to ${clipsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "A clip's id: only older ones" })),
  }),
  status: 200,
  reply: Type.Object({
    clips: Type.Array(Clip, { description: "Newest first" }),
    more: Type.Boolean({ description: "Older ones exist" }),
    bytes: Type.Integer({ description: "What all files together hold, the bin included" }),
    quotaBytes: Type.Integer({ description: "What they may hold before old ones go" }),
  }),
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

export const getClip = operation({
  id: "getClip",
  method: "GET",
  path: "/api/clips/{id}",
  access: "session",
  says: "One clip.",
  params: clipId,
  status: 200,
  reply: Clip,
  errors: [...sessionErrors, "not_found"],
});

export const changeClip = operation({
  id: "changeClip",
  method: "PUT",
  path: "/api/clips/{id}",
  access: "session",
  says: "Pins a clip, names it anew, or marks it as shared; what is left out stays as it is.",
  params: clipId,
  body: Type.Object({
    pinned: Type.Optional(Type.Boolean()),
    shared: Type.Optional(Type.Boolean()),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
        description: "1 to 200 characters in one line",
      }),
    ),
  }),
  status: 200,
  reply: Clip,
  errors: changeErrors,
});

export const deleteClip = operation({
  id: "deleteClip",
  method: "DELETE",
  path: "/api/clips/{id}",
  access: "session",
  says: "Puts a clip into the bin, from where it can be taken back until the bin needs the room or 30 days are over.",
  params: clipId,
  query: Type.Object({
    forever: Type.Optional(Type.Boolean({ default: false, description: "Removes what already lies in the bin" })),
  }),
  status: 204,
  errors: changeErrors,
});

export const restoreClip = operation({
  id: "restoreClip",
  method: "POST",
  path: "/api/clips/{id}/restore",
  access: "session",
  says: "Takes a clip back out of the bin.",
  params: clipId,
  status: 200,
  reply: Clip,
  errors: changeErrors,
});

export const planCleanup = operation({
  id: "planCleanup",
  method: "GET",
  path: "/api/clips-cleanup",
  access: "session",
  says: "What would go, in which order and why, if the clips had to fit into so many bytes. Removes nothing.",
  query: Type.Object({
    quotaBytes: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "bytes; the set quota when left out" }),
    ),
  }),
  status: 200,
  reply: Type.Object({
    bytes: Type.Integer({ description: "What all files together hold" }),
    quotaBytes: Type.Integer(),
    freedBytes: Type.Integer(),
    goes: Type.Array(Type.Object({ clip: Clip, why: Type.String() }), { description: "First to go first" }),
    /** Pinned clips alone can exceed a quota. */
    fits: Type.Boolean({ description: "False when even then more is held than may be: what is pinned never goes" }),
  }),
  errors: [...sessionErrors, "payload_invalid"],
});

const media = {
  method: "GET",
  access: "media",
  params: clipId,
  status: 200,
  errors: ["unauthorized", "origin_refused", "misdirected", "not_found", "internal"],
} as const;

export const getClipVideo = operation({
  ...media,
  id: "getClipVideo",
  path: "/api/clips/{id}/video",
  says: "The clip's MP4, or a screenshot's picture; takes Range.",
  query: Type.Object({
    download: Type.Optional(
      Type.Boolean({ default: false, description: "As a file to save, under a name a person knows" }),
    ),
  }),
  file: "video/mp4",
});

export const getClipPoster = operation({
  ...media,
  id: "getClipPoster",
  path: "/api/clips/{id}/poster",
  says: "A picture of the clip's first moment.",
  file: "image/jpeg",
});

export const getClipPreview = operation({
  ...media,
  id: "getClipPreview",
  path: "/api/clips/{id}/preview",
  says: "A few silent seconds around the clip's first moment, small enough to play on hover.",
  file: "video/mp4",
});
