// Exports: copies of clips that fit a target, made one at a time. Kit forgets them when it stops.

import { randomUUIDv7 } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { extname } from "node:path";
import {
  type Clip,
  type ClipExport,
  clipExportsMax,
  type ExportTarget,
  exportTargets,
  fieldError,
  KitError,
  type Message,
  payloadInvalid,
} from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { ClipLibrary } from "../clips/library.ts";
import { type FittedMedia, formatBytes } from "./encode.ts";
import type { MediaFitter } from "./media-fitter.ts";

type ExportsDeps = {
  readonly library: Pick<ClipLibrary, "get" | "mediaFile">;
  readonly fit: MediaFitter["fit"];
  readonly now: () => number;
  readonly onChanged: () => void;
};

type ExportRequest = { readonly clip: string; readonly target?: ExportTarget; readonly bytesMax?: number };
type ExportedFile = { readonly path: string; readonly type: string; readonly saveAs: string };
export type Exports = ReturnType<typeof createExports>;

type ExportEntry = { status: ClipExport; file: FittedMedia | null; readonly abort: AbortController };

/** Progress is reported in steps of at least this. */
const progressStep = 0.05;
const fileDeleted = message("export.file_deleted");

function maxBytes({ target, bytesMax }: ExportRequest): number {
  if (bytesMax !== undefined) return bytesMax;
  if (target !== undefined) return exportTargets[target].bytesMax;
  const targets = Object.keys(exportTargets).join(", ");
  throw payloadInvalid(
    message("export.size_missing"),
    fieldError("/bytesMax", message("field.expected_size_or_target", { targets })),
  );
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

export function createExports({ library, fit, now, onChanged }: ExportsDeps) {
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
  const makeCopy = async (entry: ExportEntry, clip: Clip, kind: "clip" | "screenshot", path: string) => {
    const { id, bytesMax } = entry.status;
    const { duration: seconds, width, height, bytes } = clip;
    const onProgress = (progress: number) => {
      if (progress - entry.status.progress >= progressStep) updateStatus(entry, { progress });
    };
    try {
      const options = {
        // The same file and limit give the same name, so an existing copy is used again.
        name: `export-${clip.id}-${bytes}-${bytesMax}`,
        signal: entry.abort.signal,
        copies: true as const,
        onBegin: () => updateStatus(entry, { state: "encoding" }),
        onProgress,
      };
      const fitted = await fit({ path, kind, seconds, width, height, bytes }, { bytesMax }, options);
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
    return entry.status;
  };

  return {
    /** Returns the exports of a clip, or of all, newest first. */
    async list(clip?: string): Promise<ClipExport[]> {
      const all = [...entries.values()].filter(({ status }) => clip === undefined || status.clip === clip);
      return (await Promise.all(all.map(refreshStatus))).toReversed();
    },
    /** Starts an export. Throws KitError if the clip or the limit does not allow one, or there are too many. */
    async export(request: ExportRequest): Promise<ClipExport> {
      const bytesMax = maxBytes(request);
      const clip = await library.get(request.clip);
      const kind = checkFootage(clip);
      const media = await library.mediaFile(clip.id, "video");
      if (media === undefined) throw payloadInvalid(message("clip.its_file_gone"));
      dropOldest();
      const { target = null } = request;
      const extension = extname(media.downloadName);
      const what = target ?? formatBytes(bytesMax);
      const status: ClipExport = {
        id: randomUUIDv7(),
        clip: clip.id,
        target,
        bytesMax,
        state: "waiting",
        reason: null,
        progress: 0,
        bytes: 0,
        notes: [],
        requestedAt: new Date(now()).toISOString(),
        fileName: `${media.downloadName.slice(0, -extension.length)} ${what}${extension}`,
      };
      const entry: ExportEntry = { status, file: null, abort: new AbortController() };
      entries.set(status.id, entry);
      void makeCopy(entry, clip, kind, media.path);
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
