// Exports: copies of clips that fit a target, made one at a time. Kit forgets them when it stops.

import { randomUUIDv7 } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { extname } from "node:path";
import {
  type BodyOf,
  type Clip,
  type ClipExport,
  clipExportsMax,
  type ExportRecipe,
  type exportClip,
  exportPresets,
  fieldError,
  KitError,
  type Message,
  payloadInvalid,
} from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { ClipLibrary } from "../clips/library.ts";
import { formatBytes, type MediaLimits } from "./encode.ts";
import type { CopyShape, MediaFitter, ShapedMedia } from "./media-fitter.ts";

type ExportsDeps = {
  readonly library: Pick<ClipLibrary, "get" | "mediaFile">;
  readonly makeCopy: MediaFitter["makeCopy"];
  readonly now: () => number;
  readonly onChanged: () => void;
};

type ExportRequest = Pick<BodyOf<typeof exportClip>, "preset" | "bytesMax" | "range" | "crop" | "microphone"> & {
  readonly clip: string;
};
type ExportedFile = { readonly path: string; readonly type: string; readonly saveAs: string };
export type Exports = ReturnType<typeof createExports>;

type ExportEntry = {
  status: ClipExport;
  file: ShapedMedia | null;
  startedMs: number;
  readonly abort: AbortController;
};

/** Progress is reported in steps of at least this. */
const progressStep = 0.05;
/** Before this share is done, the time that is left cannot be told; after the other one, only the check of the file is left. */
const shareMin = 0.03;
const shareMax = 0.98;
const shortestSeconds = 0.5;
/** Tolerance, because the dashboard rounds lengths. */
const roundedSeconds = 0.05;
const middle = 0.5;
const fileDeleted = message("export.file_deleted");

/** Throws KitError payload_invalid if the request has neither a preset nor a size. */
function recipeFor({ preset, bytesMax }: ExportRequest): ExportRecipe {
  if (preset !== undefined) return { ...exportPresets[preset], ...(bytesMax !== undefined && { bytesMax }) };
  if (bytesMax !== undefined) return { name: "", format: "mp4", bytesMax };
  const presets = Object.keys(exportPresets).join(", ");
  throw payloadInvalid(
    message("export.size_missing"),
    fieldError("/bytesMax", message("field.expected_size_or_preset", { presets })),
  );
}

/** Throws KitError payload_invalid if a range or a crop does not suit the clip. */
function shapeFor(
  { range, crop, microphone: wanted = false }: ExportRequest,
  { format, isUpright }: ExportRecipe,
  clip: Clip,
): CopyShape | undefined {
  const position = crop?.position ?? (isUpright ? middle : undefined);
  if (clip.kind !== "clip") {
    if (format === "mp4" && range === undefined && position === undefined) return undefined;
    throw payloadInvalid(message("export.only_of_video"));
  }
  const microphone = wanted && format === "mp4" && clip.microphone === true;
  if (range === undefined) return { format, range, cropPosition: position, microphone };
  const { fromSeconds } = range;
  const toSeconds = Math.min(range.toSeconds, clip.duration);
  if (range.toSeconds > clip.duration + roundedSeconds || toSeconds - fromSeconds < shortestSeconds) {
    const values = { length: clip.duration.toFixed(2), seconds: shortestSeconds };
    throw payloadInvalid(message("export.bad_range", values));
  }
  return { format, range: { fromSeconds, seconds: toSeconds - fromSeconds }, cropPosition: position, microphone };
}

const limitsOf = ({ bytesMax, secondsMax, sideMax, frameRateMax }: ExportRecipe): MediaLimits => ({
  bytesMax,
  ...(secondsMax !== undefined && { secondsMax }),
  ...(sideMax !== undefined && { widthMax: sideMax, heightMax: sideMax }),
  ...(frameRateMax !== undefined && { frameRateMax }),
});

/** The same file and request give the same name, so an existing copy is used again. */
function copyName({ id, bytes }: Clip, { bytesMax, sideMax = 0 }: ExportRecipe, shape: CopyShape | undefined): string {
  const { range, cropPosition, microphone = false } = shape ?? {};
  const ms = (seconds: number) => Math.round(seconds * 1_000);
  const part = range === undefined ? "" : `-${ms(range.fromSeconds)}-${ms(range.seconds)}`;
  const cut = cropPosition === undefined ? "" : `-c${ms(cropPosition)}`;
  return `export-${id}-${bytes}-${bytesMax}-${sideMax}${part}${cut}${microphone ? "-m" : ""}`;
}

/** Returns whether it is a clip or a screenshot. Throws KitError payload_invalid, with advice, if it has no file to export. */
function checkFootage({ kind, state, deletedAt, missing }: Clip): "clip" | "screenshot" {
  const clipError = (problem: Message) => fieldError("/clip", problem);
  if (kind === "marker")
    throw payloadInvalid(message("export.of_marker"), clipError(message("field.expected_clip_or_screenshot")));
  if (state !== "saved")
    throw payloadInvalid(message("export.of_no_file"), clipError(message("field.expected_saved_clip", { state })));
  if (deletedAt !== null)
    throw payloadInvalid(message("export.of_trash"), clipError(message("field.expected_clip_outside_trash")));
  if (missing) throw payloadInvalid(message("clip.its_file_gone"), clipError(message("field.expected_clip_with_file")));
  return kind;
}

/** Adds what was asked for to the name of the clip's file. */
function exportFileName(downloadName: string, { preset }: ExportRequest, { bytesMax, format }: ExportRecipe): string {
  const extension = extname(downloadName);
  const name = downloadName.slice(0, -extension.length);
  return format === "mp4" ? `${name} ${preset ?? formatBytes(bytesMax)}${extension}` : `${name}.${format}`;
}

const firstStatus = (
  { preset, range }: ExportRequest,
  { bytesMax, format }: ExportRecipe,
  shape: CopyShape | undefined,
  about: Pick<ClipExport, "clip" | "requestedAt" | "fileName">,
): ClipExport => ({
  id: randomUUIDv7(),
  preset: preset ?? null,
  format,
  range: range ?? null,
  crop: shape?.cropPosition === undefined ? null : { position: shape.cropPosition },
  microphone: shape?.microphone ?? false,
  bytesMax,
  state: "waiting",
  reason: null,
  progress: 0,
  secondsLeft: null,
  bytes: 0,
  notes: [],
  ...about,
});

export function createExports({ library, makeCopy, now, onChanged }: ExportsDeps) {
  /** Exports by id, oldest first. */
  const entries = new Map<string, ExportEntry>();

  const updateStatus = (entry: ExportEntry, change: Partial<ClipExport>) => {
    entry.status = { ...entry.status, ...change };
    // A cancelled export is no longer listed, so no page needs to know of its change.
    if (entries.has(entry.status.id)) onChanged();
  };
  const isInProgress = ({ status }: ExportEntry) => status.state === "waiting" || status.state === "encoding";
  const dropOldest = () => {
    const oldest = [...entries.values()].find((entry) => !isInProgress(entry));
    if (entries.size < clipExportsMax) return;
    if (oldest === undefined) {
      throw new KitError("too_many_requests", message("export.too_many", { limit: clipExportsMax }));
    }
    entries.delete(oldest.status.id);
  };
  type Order = { kind: "clip" | "screenshot"; path: string; recipe: ExportRecipe; shape: CopyShape | undefined };
  const runExport = async (entry: ExportEntry, clip: Clip, { kind, path, recipe, shape }: Order) => {
    const { id } = entry.status;
    const { duration: seconds, width, height, bytes } = clip;
    const onProgress = (progress: number) => {
      if (progress - entry.status.progress >= progressStep) updateStatus(entry, { progress });
    };
    try {
      const options = {
        name: copyName(clip, recipe, shape),
        signal: entry.abort.signal,
        copies: true as const,
        onBegin() {
          entry.startedMs = now();
          updateStatus(entry, { state: "encoding" });
        },
        onProgress,
        ...(shape && { shape }),
      };
      const fitted = await makeCopy({ path, kind, seconds, width, height, bytes }, limitsOf(recipe), options);
      entry.file = fitted;
      updateStatus(entry, { state: "ready", progress: 1, bytes: fitted.bytes, notes: [...fitted.notes] });
    } catch (error) {
      if (!entries.has(id)) return;
      updateStatus(entry, { state: "failed", reason: reasonOf(error) });
    }
  };
  const find = (id: string): ExportEntry => {
    const entry = entries.get(id);
    if (entry === undefined) throw new KitError("not_found", message("export.unknown"));
    return entry;
  };
  /** Notices if the file was deleted. That happens to the least recently used copies when newer ones need the space. */
  const refreshStatus = async (entry: ExportEntry): Promise<ClipExport> => {
    if (entry.status.state === "ready" && entry.file !== null) {
      const isThere = await stat(entry.file.path).catch(() => undefined);
      if (isThere === undefined)
        entry.status = { ...entry.status, state: "failed", reason: fileDeleted, progress: 0, bytes: 0 };
    }
    const { state, progress } = entry.status;
    const isTold = state === "encoding" && progress >= shareMin && progress <= shareMax;
    const elapsed = (now() - entry.startedMs) / 1_000;
    return { ...entry.status, secondsLeft: isTold ? Math.ceil((elapsed * (1 - progress)) / progress) : null };
  };

  return {
    /** Returns the exports of a clip, or of all, newest first. */
    async list(clip?: string): Promise<ClipExport[]> {
      const all = [...entries.values()].filter(({ status }) => clip === undefined || status.clip === clip);
      return (await Promise.all(all.map(refreshStatus))).toReversed();
    },
    /** Starts an export. Throws KitError if the clip or the limit does not allow one, or there are too many. */
    async export(request: ExportRequest): Promise<ClipExport> {
      const recipe = recipeFor(request);
      const clip = await library.get(request.clip);
      const kind = checkFootage(clip);
      const media = await library.mediaFile(clip.id, "video");
      if (media === undefined) throw payloadInvalid(message("clip.its_file_gone"));
      const shape = shapeFor(request, recipe, clip);
      dropOldest();
      const status = firstStatus(request, recipe, shape, {
        clip: clip.id,
        requestedAt: new Date(now()).toISOString(),
        fileName: exportFileName(media.downloadName, request, recipe),
      });
      const entry: ExportEntry = { status, file: null, startedMs: 0, abort: new AbortController() };
      entries.set(status.id, entry);
      void runExport(entry, clip, { kind, path: media.path, recipe, shape });
      onChanged();
      return status;
    },
    /** Ends an export. Deletes its file, unless another export has the same. */
    async cancel(id: string): Promise<void> {
      const entry = find(id);
      entries.delete(id);
      entry.abort.abort(new Error("the copy was cancelled"));
      const isShared = [...entries.values()].some(({ file }) => file?.path === entry.file?.path);
      if (entry.file !== null && !isShared) await rm(entry.file.path, { force: true });
      onChanged();
    },
    /** Throws KitError not_found unless the copy is ready. */
    async file(id: string): Promise<ExportedFile> {
      const entry = find(id);
      const { state, reason, fileName } = await refreshStatus(entry);
      if (state !== "ready" || entry.file === null)
        throw new KitError("not_found", reason ?? message("export.not_ready"));
      return { path: entry.file.path, type: entry.file.mime, saveAs: fileName };
    },
  };
}
