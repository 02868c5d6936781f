// Operations on clips: list, change, trim, delete, restore and download them.
import { Type } from "typebox";
import { Clip, ClipKind, ClipSubject, ClipTag, clipSorts, clipStates } from "./clip.ts";
import { instantSchema } from "./ingest.ts";
import { clipsPageMax, clipTagCharsMax, clipTagsMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { fileErrors, inputErrors, sessionErrors } from "./problem.ts";

export * from "./clip.ts";

/** With `from` and `to`, only clips that show a part of the time between them. Either may be left out. */
export const ClipFilter = Type.Object({
  game: Type.Optional(Type.String({ description: "Only clips of this game; `unsorted` for clips without a game" })),
  kind: Type.Optional(ClipKind),
  state: Type.Optional(Type.Enum(clipStates)),
  subject: Type.Optional(ClipSubject),
  event: Type.Optional(
    Type.String({
      description: "Only the clip that contains this event (by id), without clips trimmed from it",
    }),
  ),
  text: Type.Optional(
    Type.String({ maxLength: 200, description: "Only clips whose title, events or tags contain all of these words" }),
  ),
  tag: Type.Optional(Type.String({ maxLength: clipTagCharsMax, description: "Only clips with this tag" })),
  pinned: Type.Optional(
    Type.Boolean({ description: "true: only pinned clips; false: only clips that are not pinned" }),
  ),
  bin: Type.Optional(Type.Boolean({ default: false, description: "true: only clips in the trash" })),
  from: Type.Optional(instantSchema),
  to: Type.Optional(instantSchema),
});
export type ClipFilter = Type.Static<typeof ClipFilter>;

const clipId = Type.Object({ id: Type.String({ description: "The clip's id" }) });

export const listClips = operation({
  id: "listClips",
  method: "GET",
  path: "/api/clips",
  access: "session",
  says:
    "Lists clips, screenshots and markers, newest first by default, and the disk space they use. Test recordings are listed " +
    "only if `subject` asks for them.",
  query: Type.Object({
    ...ClipFilter.properties,
    sort: Type.Optional(
      Type.Enum(clipSorts, {
        default: "newest",
        description:
          "newest, longest or largest first, or by title; best: pinned ones first, then those of the highest priority; equal " +
          "clips are sorted newest first",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: clipsPageMax, default: 50, description: `1 to ${clipsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "Id of a clip: only clips after it in this order" })),
  }),
  status: 200,
  reply: Type.Object({
    clips: Type.Array(Clip, { description: "In the requested order" }),
    more: Type.Boolean({ description: "True if more clips follow" }),
    bytes: Type.Integer({ description: "Total size of all clip files, including the trash" }),
    quotaBytes: Type.Integer({ description: "Total size above which clips are removed" }),
  }),
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

export const getClip = operation({
  id: "getClip",
  method: "GET",
  path: "/api/clips/{id}",
  access: "session",
  says: "Returns one clip.",
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
  says: "Pins, renames or tags a clip, or marks it as shared. Members that are left out stay unchanged.",
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
      Type.Array(ClipTag, {
        maxItems: clipTagsMax,
        description: `Replaces all tags of the clip; at most ${clipTagsMax}`,
      }),
    ),
  }),
  status: 200,
  reply: Clip,
  errors: inputErrors,
});

export const listClipTags = operation({
  id: "listClipTags",
  method: "GET",
  path: "/api/clips-tags",
  access: "session",
  says: "Lists the tags in use, in alphabetical order.",
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
    "Trims a clip: makes a shorter clip from a range of it. The original stays unchanged. Replies with the new clip, which is pending " +
    "until its file is verified. The frames are copied if the file allows an exact start, otherwise the range is encoded again.",
  params: clipId,
  body: Type.Object({
    fromSeconds: Type.Number({ minimum: 0, description: "seconds from the clip's first frame" }),
    toSeconds: Type.Number({
      minimum: 0,
      description: "seconds from the clip's first frame, at least 0.5 after fromSeconds",
    }),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
        description: "1 to 200 characters in one line; the title of the clip if left out",
      }),
    ),
  }),
  status: 202,
  reply: Clip,
  errors: [...inputErrors, "too_many_requests"],
});

export const revealClip = operation({
  id: "revealClip",
  method: "POST",
  path: "/api/clips/{id}/reveal",
  access: "session",
  says: "Shows the clip's file in the file manager of the computer that the launcher runs on.",
  params: clipId,
  status: 204,
  errors: inputErrors,
});

export const getClipFrame = operation({
  id: "getClipFrame",
  method: "GET",
  path: "/api/clips/{id}/frame",
  access: "session",
  says: "Returns the picture that the clip shows at a time, as a PNG in full size. It is not kept.",
  params: clipId,
  query: Type.Object({
    at: Type.Number({ minimum: 0, maximum: 100_000, description: "Seconds from the clip's first frame" }),
  }),
  status: 200,
  file: "image/png",
  errors: [...inputErrors, "too_many_requests"],
});

/** How many clips can be put on the clipboard together. */
export const copiedClipsMax = 50;

export const copyClipFiles = operation({
  id: "copyClipFiles",
  method: "POST",
  path: "/api/clips-clipboard",
  access: "session",
  says:
    "Puts the files of clips on the clipboard of the computer that the launcher runs on, so that they can be pasted into a chat, an " +
    "email or a folder. `canCopyFiles` of the recorder says whether that computer has a desktop.",
  body: Type.Object({
    clips: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: copiedClipsMax,
      description: `ids of clips and screenshots, at most ${copiedClipsMax}`,
    }),
  }),
  status: 204,
  errors: inputErrors,
});

export const deleteClip = operation({
  id: "deleteClip",
  method: "DELETE",
  path: "/api/clips/{id}",
  access: "session",
  says: "Moves a clip to the trash. It can be restored for 30 days of use, unless its space is needed earlier.",
  params: clipId,
  query: Type.Object({
    forever: Type.Optional(
      Type.Boolean({ default: false, description: "true: permanently deletes a clip that is in the trash" }),
    ),
  }),
  status: 204,
  errors: inputErrors,
});

export const restoreClip = operation({
  id: "restoreClip",
  method: "POST",
  path: "/api/clips/{id}/restore",
  access: "session",
  says: "Restores a clip from the trash.",
  params: clipId,
  status: 200,
  reply: Clip,
  errors: inputErrors,
});

/** Which clips a cleanup removes first. Clips in the trash always go first. */
export const cleanupOrders = ["importance", "age"] as const;
export type CleanupOrder = (typeof cleanupOrders)[number];

export const CleanupRequest = Type.Object({
  quotaBytes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Into how many bytes the clips have to fit; the current quota if left out",
    }),
  ),
  freeBytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "How many bytes to free, instead of `quotaBytes`",
    }),
  ),
  by: Type.Optional(
    Type.Enum(cleanupOrders, { default: "importance", description: "The least important or the oldest clips first" }),
  ),
  game: Type.Optional(Type.String({ description: "Only clips of this game; `unsorted` for clips without a game" })),
});
export type CleanupRequest = Type.Static<typeof CleanupRequest>;

export const planCleanup = operation({
  id: "planCleanup",
  method: "GET",
  path: "/api/clips-cleanup",
  access: "session",
  says: "Lists the clips that a quota would remove, or that free some space, in order and with reasons. Removes nothing.",
  query: CleanupRequest,
  status: 200,
  reply: Type.Object({
    bytes: Type.Integer({ description: "Total size of all clip files" }),
    quotaBytes: Type.Integer(),
    freedBytes: Type.Integer(),
    freeableBytes: Type.Integer({ description: "Total size of the clips that may be removed" }),
    goes: Type.Array(Type.Object({ clip: Clip, why: messageSchema() }), { description: "In order of removal" }),
    fits: Type.Boolean({
      description:
        "False if that is not enough: pinned clips and those of other games are never removed. To free space, clips that posts need are not removed either, and nothing is listed if all others are not enough",
    }),
  }),
  errors: [...sessionErrors, "payload_invalid"],
});

const media = {
  method: "GET",
  access: "media",
  params: clipId,
  status: 200,
  ranged: true,
  errors: fileErrors,
} as const;

export const getClipVideo = operation({
  ...media,
  id: "getClipVideo",
  path: "/api/clips/{id}/video",
  says: "Returns the clip's MP4, or the image of a screenshot. Accepts Range.",
  query: Type.Object({
    download: Type.Optional(
      Type.Boolean({ default: false, description: "true: as a download, with a readable file name" }),
    ),
  }),
  file: "video/mp4",
});

export const getClipPoster = operation({
  ...media,
  id: "getClipPoster",
  path: "/api/clips/{id}/poster",
  says: "Returns an image of the clip's best moment.",
  query: Type.Object({
    small: Type.Optional(
      Type.Boolean({ default: false, description: "true: 320 instead of 480 pixels wide, for lists" }),
    ),
  }),
  file: "image/jpeg",
});

export const getClipPreview = operation({
  ...media,
  id: "getClipPreview",
  path: "/api/clips/{id}/preview",
  says: "Returns a short silent video around the clip's best moment, small enough to play on hover.",
  file: "video/mp4",
});
