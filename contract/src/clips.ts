// Clips over the wire: listed, filed, trimmed, binned, and their files.
import { Type } from "typebox";
import { Clip, ClipKind, ClipTag, clipSorts, clipStates } from "./clip.ts";
import { clipsPageMax, clipTagCharsMax, clipTagsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, rangedErrors, sessionErrors } from "./problem.ts";

export * from "./clip.ts";

export const ClipFilter = Type.Object({
  game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for clips without one" })),
  kind: Type.Optional(ClipKind),
  state: Type.Optional(Type.Enum(clipStates)),
  event: Type.Optional(
    Type.String({
      description: "Only what this event, by its id, is in; parts that were trimmed from that are left out",
    }),
  ),
  text: Type.Optional(
    Type.String({ maxLength: 200, description: "Only those whose title, events or tags hold each of these words" }),
  ),
  tag: Type.Optional(Type.String({ maxLength: clipTagCharsMax, description: "Only those with this tag" })),
  pinned: Type.Optional(Type.Boolean({ description: "Only those that are pinned, or only those that are not" })),
  bin: Type.Optional(Type.Boolean({ default: false, description: "What lies in the bin instead" })),
});
export type ClipFilter = Type.Static<typeof ClipFilter>;

const clipId = Type.Object({ id: Type.String({ description: "The clip's id" }) });

export const listClips = operation({
  id: "listClips",
  method: "GET",
  path: "/api/clips",
  access: "session",
  says: "Clips, screenshots and markers, newest first unless asked otherwise, and how much of the disk they hold.",
  query: Type.Object({
    ...ClipFilter.properties,
    sort: Type.Optional(
      Type.Enum(clipSorts, {
        default: "newest",
        description:
          "newest, longest, largest or most important (priority) first, or by title; of equals the newest first",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: clipsPageMax, default: 50, description: `1 to ${clipsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "A clip's id: only those behind it in this order" })),
  }),
  status: 200,
  reply: Type.Object({
    clips: Type.Array(Clip, { description: "In the order asked for" }),
    more: Type.Boolean({ description: "More exist behind them" }),
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
  says: "Pins a clip, names it anew, tags it, or marks it as shared; what is left out stays as it is.",
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
    tags: Type.Optional(
      Type.Array(ClipTag, { maxItems: clipTagsMax, description: `All it has from then on, up to ${clipTagsMax}` }),
    ),
  }),
  status: 200,
  reply: Clip,
  errors: changeErrors,
});

export const listClipTags = operation({
  id: "listClipTags",
  method: "GET",
  path: "/api/clips-tags",
  access: "session",
  says: "The tags clips have, in the order of the alphabet.",
  status: 200,
  reply: Type.Object({ tags: Type.Array(Type.Object({ tag: Type.String(), clips: Type.Integer() })) }),
  errors: sessionErrors,
});

export const trimClip = operation({
  id: "trimClip",
  method: "POST",
  path: "/api/clips/{id}/trim",
  access: "session",
  says:
    "Makes a part of a clip a clip of its own; the first stays as it is. The reply is the new one, pending until its file was " +
    "probed; it is not encoded anew where a player can be told exactly where it begins.",
  params: clipId,
  body: Type.Object({
    fromSeconds: Type.Number({ minimum: 0, description: "seconds from the clip's first frame" }),
    toSeconds: Type.Number({
      minimum: 0,
      description: "seconds from the clip's first frame, at least 0.5 behind fromSeconds",
    }),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
        description: "1 to 200 characters in one line; that of the clip when left out",
      }),
    ),
  }),
  status: 202,
  reply: Clip,
  errors: [...changeErrors, "too_many_requests"],
});

export const revealClip = operation({
  id: "revealClip",
  method: "POST",
  path: "/api/clips/{id}/reveal",
  access: "session",
  says: "Shows the clip's file in the file manager of the machine the launcher runs on.",
  params: clipId,
  status: 204,
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
  ranged: true,
  errors: rangedErrors,
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
