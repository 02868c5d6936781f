// Exports: copies of clips for a target, made one at a time. Kit forgets them when it stops.
import { randomUUIDv7 } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { extname } from "node:path";
import {
  type Clip,
  type ClipExport,
  clipExportsMax,
  type ExportTarget,
  exportTargets,
  KitError,
  payloadInvalid,
} from "@kit/contract";
import type { Library } from "../clips/library.ts";
import { type FittedMedia, formatBytes } from "./encode-plan.ts";
import type { MediaFitter } from "./media-fitter.ts";

type ExportsDeps = {
  readonly library: Pick<Library, "get" | "mediaFile">;
  readonly fit: MediaFitter["fit"];
  readonly now: () => number;
  readonly onChanged: () => void;
};

type ExportRequest = { readonly clip: string; readonly target?: ExportTarget; readonly bytesMax?: number };
type ExportedFile = { readonly path: string; readonly type: string; readonly saveAs: string };
export type Exports = ReturnType<typeof createExports>;

type ExportEntry = { status: ClipExport; file: FittedMedia | null; readonly abort: AbortController };

/** Smaller progress is not reported. */
const progressStep = 0.05;
const fileDeleted = "Its file was deleted to make room for newer copies. Request it again.";

function maxBytes({ target, bytesMax }: ExportRequest): number {
  if (bytesMax !== undefined) return bytesMax;
  if (target !== undefined) return exportTargets[target].bytesMax;
  const targets = Object.keys(exportTargets).join(", ");
  throw payloadInvalid("Specify a maximum size or a target for the copy.", {
    path: "/bytesMax",
    message: `expected bytes from 500000, or a target: ${targets}`,
  });
}

/** Throws KitError payload_invalid with advice. */
function checkFootage({ kind, state, deletedAt, missing }: Clip): "clip" | "screenshot" {
  const fieldError = (message: string) => ({ path: "/clip", message });
  if (kind === "marker")
    throw payloadInvalid("A marker has no footage to copy.", fieldError("expected a clip or a screenshot"));
  if (state !== "saved")
    throw payloadInvalid("It has no file to copy.", fieldError(`expected a saved clip; it is ${state}`));
  if (deletedAt !== null)
    throw payloadInvalid(
      "The clip is in the trash. Restore it first.",
      fieldError("expected a clip outside the trash"),
    );
  if (missing)
    throw payloadInvalid("Its file is no longer in the clips folder.", fieldError("expected a clip with its file"));
  return kind;
}

export function createExports({ library, fit, now, onChanged }: ExportsDeps) {
  /** Oldest first. */
  const entries = new Map<string, ExportEntry>();

  const updateStatus = (entry: ExportEntry, change: Partial<ClipExport>) => {
    entry.status = { ...entry.status, ...change };
    // A cancelled export is no longer listed.
    if (entries.has(entry.status.id)) onChanged();
  };
  const isInProgress = ({ status }: ExportEntry) => status.state === "waiting" || status.state === "encoding";
  const dropOldest = () => {
    const oldest = [...entries.values()].find((entry) => !isInProgress(entry));
    if (entries.size < clipExportsMax) return;
    if (oldest === undefined) {
      throw new KitError("too_many_requests", `${clipExportsMax} copies are already in progress. Try again later.`);
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
        // The same file and limit give the same name, so that an existing copy is reused.
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
      const reason = error instanceof Error ? error.message : String(error);
      updateStatus(entry, { state: "failed", reason });
    }
  };
  const find = (id: string): ExportEntry => {
    const entry = entries.get(id);
    if (entry === undefined)
      throw new KitError("not_found", "There is no such copy. Kit forgets copies when it stops.");
    return entry;
  };
  /** Notes a deleted file: the least recently used copies are deleted when newer ones need the space. */
  const refreshStatus = async (entry: ExportEntry): Promise<ClipExport> => {
    if (entry.status.state === "ready" && entry.file !== null) {
      const isThere = await stat(entry.file.path).catch(() => undefined);
      if (isThere === undefined)
        entry.status = { ...entry.status, state: "failed", reason: fileDeleted, progress: 0, bytes: 0 };
    }
    return entry.status;
  };

  return {
    /** Newest first. */
    async list(clip?: string): Promise<ClipExport[]> {
      const all = [...entries.values()].filter(({ status }) => clip === undefined || status.clip === clip);
      return (await Promise.all(all.map(refreshStatus))).toReversed();
    },
    /** Throws KitError. */
    async export(request: ExportRequest): Promise<ClipExport> {
      const bytesMax = maxBytes(request);
      const clip = await library.get(request.clip);
      const kind = checkFootage(clip);
      const media = await library.mediaFile(clip.id, "video");
      if (media === undefined) throw payloadInvalid("Its file is no longer in the clips folder.");
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
    /** Aborts the work, or deletes the file unless another export uses it. */
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
        throw new KitError("not_found", reason ?? "The copy is not ready yet.");
      return { path: entry.file.path, type: entry.file.mime, saveAs: fileName };
    },
  };
}
