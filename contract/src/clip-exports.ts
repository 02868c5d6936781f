// Operations on exports: copies of a clip that fit the size limit of a target, which is a network or email.
import { Type } from "typebox";
import { type Network, networkDescriptions, networks } from "./accounts.ts";
import { nullable } from "./issues.ts";
import { messageSchema } from "./message-schema.ts";
import type { describedNetworks } from "./networks.ts";
import { operation } from "./operation.ts";
import { fileErrors, inputErrors, sessionErrors } from "./problem.ts";

type Sharing = {
  [kind in Network]: (typeof describedNetworks)[kind] extends { exportBytesMax: number } ? kind : never;
}[Network];
export type ExportTarget = Sharing | "mail";

const sharing = networks.flatMap((kind) => {
  const { name, exportBytesMax: bytesMax } = networkDescriptions[kind];
  return bytesMax === undefined ? [] : [[kind, { name, bytesMax }] as const];
});
/** All export targets, each with its maximum file size in bytes. */
export const exportTargets = {
  ...Object.fromEntries(sharing),
  mail: { name: "Mail", bytesMax: 20_000_000 },
} as Readonly<Record<ExportTarget, { readonly name: string; readonly bytesMax: number }>>;

export const clipExportStates = ["waiting", "encoding", "ready", "failed"] as const;

export const ClipExport = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    clip: Type.String({ description: "Id of the clip" }),
    target: nullable(
      Type.Enum(Object.keys(exportTargets) as ExportTarget[]),
      "null: a maximum size that a person chose",
    ),
    bytesMax: Type.Integer({ description: "Maximum size of the file in bytes" }),
    state: Type.Enum(clipExportStates, {
      description:
        "waiting: another export is running; encoding; ready: the file was verified and fits; failed: see `reason`",
    }),
    reason: nullable(messageSchema(), "Why the export failed, and what to do"),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "Share of the work that is done" }),
    bytes: Type.Integer({ description: "Size of the copy in bytes; 0 until it is ready" }),
    notes: Type.Array(messageSchema(), {
      description: "Differences from the clip, e.g. `854×480 instead of 1280×720`",
    }),
    fileName: Type.String({ description: "File name of the download" }),
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
  says: "Lists the exports requested since the launcher started, newest first.",
  query: Type.Object({ clip: Type.Optional(Type.String({ description: "Only exports of this clip" })) }),
  status: 200,
  reply: Type.Object({ exports: Type.Array(ClipExport) }),
  errors: sessionErrors,
});

export const exportClip = operation({
  id: "exportClip",
  method: "POST",
  path: "/api/clip-exports",
  access: "session",
  says: "Requests a copy of a clip that fits a target's limits. A clip that already fits is copied unchanged.",
  body: Type.Object({
    clip: Type.String({ maxLength: 64, description: "the clip's id" }),
    target: Type.Optional(Type.Enum(Object.keys(exportTargets) as ExportTarget[])),
    bytesMax: Type.Optional(
      Type.Integer({
        minimum: 500_000,
        maximum: 10_000_000_000,
        description:
          "maximum size in bytes, from 500,000; required without a target, replaces the target's limit otherwise",
      }),
    ),
  }),
  status: 202,
  reply: ClipExport,
  errors: [...inputErrors, "too_many_requests"],
});

export const cancelClipExport = operation({
  id: "cancelClipExport",
  method: "DELETE",
  path: "/api/clip-exports/{id}",
  access: "session",
  says: "Cancels an export, or deletes the finished copy. The clip stays.",
  params: exportId,
  status: 204,
  errors: inputErrors,
});

export const getClipExportFile = operation({
  id: "getClipExportFile",
  method: "GET",
  path: "/api/clip-exports/{id}/file",
  access: "download",
  says: "Downloads the copy: a video, or an image for a screenshot.",
  params: exportId,
  status: 200,
  file: "video/mp4",
  ranged: true,
  errors: fileErrors,
});
