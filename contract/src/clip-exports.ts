// Operations on exports: copies of a clip in the size and format that a preset asks for.
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
export type ExportPreset = Sharing | "email" | "vertical" | "gif" | "webp";

export const exportFormats = ["mp4", "gif", "webp"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What a preset makes. Sizes are in pixels, and a picture is never enlarged. */
export type ExportRecipe = {
  readonly name: string;
  readonly format: ExportFormat;
  readonly bytesMax: number;
  readonly secondsMax?: number;
  /** Of the longer side. */
  readonly sideMax?: number;
  readonly frameRateMax?: number;
  /** True if the picture is cut to 9:16. */
  readonly isUpright?: true;
};

const sharing = networks.flatMap((kind) => {
  const { name, exportBytesMax: bytesMax } = networkDescriptions[kind];
  return bytesMax === undefined ? [] : [[kind, { name, format: "mp4" as const, bytesMax }] as const];
});
/** All export presets. The limit of a network is the one with which Kit posts to it. */
export const exportPresets = {
  ...Object.fromEntries(sharing),
  // An email carries it as base64, a third longer, and common servers accept 10 MB.
  email: { name: "Email", format: "mp4", bytesMax: 7_000_000 },
  vertical: { name: "Vertical 9:16", format: "mp4", bytesMax: 250_000_000, sideMax: 1920, isUpright: true },
  // A GIF has no compression to speak of: longer or larger ones do not fit into a chat.
  gif: { name: "GIF", format: "gif", bytesMax: 10_000_000, secondsMax: 15, sideMax: 480, frameRateMax: 15 },
  webp: { name: "WebP", format: "webp", bytesMax: 10_000_000, secondsMax: 15, sideMax: 640, frameRateMax: 20 },
} as Readonly<Record<ExportPreset, ExportRecipe>>;

export const clipExportStates = ["waiting", "encoding", "ready", "failed"] as const;

const presetSchema = Type.Enum(Object.keys(exportPresets) as ExportPreset[]);

export const ExportRange = Type.Object({
  fromSeconds: Type.Number({ minimum: 0, description: "Seconds from the clip's first frame" }),
  toSeconds: Type.Number({ minimum: 0, description: "At least 0.5 after fromSeconds" }),
});

export const ExportCrop = Type.Object(
  {
    position: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        "Where the kept part is: 0 at the left or top edge, 0.5 in the middle, 1 at the right or bottom edge",
    }),
  },
  { description: "Keeps the largest part of the picture that is 9:16" },
);

export const ClipExport = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    clip: Type.String({ description: "Id of the clip" }),
    preset: nullable(presetSchema, "null: a maximum size that a person chose"),
    format: Type.Enum(exportFormats),
    range: nullable(ExportRange, "The part of the clip that was requested; null: the whole clip"),
    crop: nullable(ExportCrop, "null: the whole picture"),
    microphone: Type.Boolean({ description: "The microphone is part of its sound" }),
    bytesMax: Type.Integer({ description: "Maximum size of the file in bytes" }),
    state: Type.Enum(clipExportStates, {
      description:
        "waiting: another export is running; encoding; ready: the file was verified and fits; failed: see `reason`",
    }),
    reason: nullable(messageSchema(), "Why the export failed, and what to do"),
    progress: Type.Number({ minimum: 0, maximum: 1, description: "Share of the work that is done" }),
    secondsLeft: nullable(Type.Integer(), "Estimated seconds until it is ready; null: not known"),
    bytes: Type.Integer({ description: "Size of the copy in bytes; 0 until it is ready" }),
    notes: Type.Array(messageSchema(), {
      description: "Differences from the clip, e.g. `854×480 instead of 1280×720`",
    }),
    fileName: Type.String({ description: "File name of the download" }),
    requestedAt: Type.String({ description: "ISO 8601, UTC, milliseconds" }),
  },
  { description: "A copy of a clip" },
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
  says:
    "Requests a copy of a clip, or of a part of it, as a preset makes it. A clip that already fits is copied unchanged. Kit forgets " +
    "copies when it stops, and the oldest ones when they need more than 2 GB.",
  body: Type.Object({
    clip: Type.String({ maxLength: 64, description: "the clip's id" }),
    preset: Type.Optional(presetSchema),
    bytesMax: Type.Optional(
      Type.Integer({
        minimum: 500_000,
        maximum: 10_000_000_000,
        description:
          "maximum size in bytes, from 500,000; required without a preset, replaces the preset's limit otherwise",
      }),
    ),
    range: Type.Optional(ExportRange),
    crop: Type.Optional(ExportCrop),
    microphone: Type.Optional(
      Type.Boolean({
        default: false,
        description: "true: mixes the microphone into the sound, if the clip has one. Otherwise it is left out",
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
  says: "Downloads the copy: a video, a GIF or WebP, or an image for a screenshot.",
  params: exportId,
  status: 200,
  file: "video/mp4",
  ranged: true,
  errors: fileErrors,
});
