// Exports: a copy of a clip that fits where a person wants to put it by hand.
import { Type } from "typebox";
import { nullable } from "./issues.ts";
import { operation } from "./operation.ts";
import { changeErrors, rangedErrors, sessionErrors } from "./problem.ts";

/** What is said of a target by those who run it: how many bytes a file may have. */
export const exportTargets = {
  discord: { name: "Discord", bytesMax: 10 * 1024 * 1024 },
  bluesky: { name: "Bluesky", bytesMax: 100_000_000 },
  mastodon: { name: "Mastodon", bytesMax: 99 * 1024 * 1024 },
  mail: { name: "Mail", bytesMax: 20_000_000 },
} as const;
export type ExportTarget = keyof typeof exportTargets;

export const clipExportStates = ["waiting", "encoding", "ready", "failed"] as const;

export const ClipExport = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    clip: Type.String({ description: "Id of the clip" }),
    target: nullable(Type.Enum(Object.keys(exportTargets) as ExportTarget[]), "null: a size of a person's own"),
    bytesMax: Type.Integer({ description: "What the file may have" }),
    state: Type.Enum(clipExportStates, {
      description: "waiting: another is made; encoding; ready: the file was probed and fits; failed: `reason`",
    }),
    reason: nullable(Type.String(), "Why it failed, and what to do"),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "How much of the work is done" }),
    bytes: Type.Integer({ description: "0 until it is ready" }),
    notes: Type.Array(Type.String(), { description: "What is not as in the clip, e.g. `854×480 instead of 1280×720`" }),
    fileName: Type.String({ description: "What it is called when it is saved" }),
    requestedAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  },
  { description: "A copy of a clip for a target" },
);
export type ClipExport = Type.Static<typeof ClipExport>;

const exportId = Type.Object({ id: Type.String({ description: "The export's id" }) });

export const listClipExports = operation({
  id: "listClipExports",
  method: "GET",
  path: "/api/clip-exports",
  access: "session",
  says: "Copies of clips that were asked for since the launcher began, newest first.",
  query: Type.Object({ clip: Type.Optional(Type.String({ description: "Only of this clip" })) }),
  status: 200,
  reply: Type.Object({ exports: Type.Array(ClipExport) }),
  errors: sessionErrors,
});

export const exportClip = operation({
  id: "exportClip",
  method: "POST",
  path: "/api/clip-exports",
  access: "session",
  says: "Asks for a copy of a clip that keeps to a target's limits; a clip that already does is copied as it is.",
  body: Type.Object({
    clip: Type.String({ maxLength: 64, description: "the clip's id" }),
    target: Type.Optional(Type.Enum(Object.keys(exportTargets) as ExportTarget[])),
    bytesMax: Type.Optional(
      Type.Integer({
        minimum: 500_000,
        maximum: 10_000_000_000,
        description: "bytes, from 500,000; needed without a target, and instead of its own with one",
      }),
    ),
  }),
  status: 202,
  reply: ClipExport,
  errors: [...changeErrors, "too_many_requests"],
});

export const cancelClipExport = operation({
  id: "cancelClipExport",
  method: "DELETE",
  path: "/api/clip-exports/{id}",
  access: "session",
  says: "Ends the work on a copy, or forgets it. The clip stays.",
  params: exportId,
  status: 204,
  errors: changeErrors,
});

export const getClipExportFile = operation({
  id: "getClipExportFile",
  method: "GET",
  path: "/api/clip-exports/{id}/file",
  access: "download",
  says: "The copy, as a file to save; that of a screenshot is a picture.",
  params: exportId,
  status: 200,
  file: "video/mp4",
  ranged: true,
  errors: rangedErrors,
});
