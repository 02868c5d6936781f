// Copies of clips for where a person puts them by hand: asked for, made one at a time, kept track of while the launcher runs.
import { randomUUIDv7 } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { extname } from "node:path";
import {
  type Clip,
  type ClipExport,
  clipExportsMax,
  type ExportTarget,
  exportTargets,
  type FieldError,
  KitError,
} from "@kit/contract";
import type { Library } from "../clips/library.ts";
import type { Fit } from "../fit/fit.ts";
import { bytesInWords, type Fitted } from "../fit/limits.ts";

type ExportsNeeds = {
  readonly library: Pick<Library, "get" | "media">;
  readonly fit: Fit["fit"];
  readonly now: () => number;
  readonly onChanged: () => void;
};

type ExportWish = { readonly clip: string; readonly target?: ExportTarget; readonly bytesMax?: number };
type ExportedFile = { readonly path: string; readonly type: string; readonly saveAs: string };
export type Exports = ReturnType<typeof createExports>;

type Entry = { told: ClipExport; file: Fitted | null; readonly calledOff: AbortController };

/** More often nobody looks. */
const progressStep = 0.05;
const gone = "Its file went to make room for others. Ask for it again.";

const refuse = (sentence: string, ...errors: FieldError[]) => new KitError("payload_invalid", sentence, errors);

function bytesMaxOf({ target, bytesMax }: ExportWish): number {
  if (bytesMax !== undefined) return bytesMax;
  if (target !== undefined) return exportTargets[target].bytesMax;
  const targets = Object.keys(exportTargets).join(", ");
  throw refuse("Say how large the copy may be, or where it goes.", {
    path: "/bytesMax",
    message: `expected bytes from 500000, or a target: ${targets}`,
  });
}

/** Throws KitError payload_invalid, which says what to do. */
function checkFootage({ kind, state, deletedAt, missing }: Clip): "clip" | "screenshot" {
  const about = (message: string) => ({ path: "/clip", message });
  if (kind === "marker") throw refuse("A marker holds no footage to copy.", about("expected a clip or a screenshot"));
  if (state !== "saved")
    throw refuse("There is no file of it to copy.", about(`expected a saved clip; it is ${state}`));
  if (deletedAt !== null)
    throw refuse("It lies in the bin. Restore it first.", about("expected a clip outside the bin"));
  if (missing) throw refuse("Its file is not in the clips folder any more.", about("expected a clip with its file"));
  return kind;
}

export function createExports({ library, fit, now, onChanged }: ExportsNeeds) {
  /** Oldest first. */
  const entries = new Map<string, Entry>();

  const tell = (entry: Entry, news: Partial<ClipExport>) => {
    entry.told = { ...entry.told, ...news };
    // One that was called off is nobody's any more.
    if (entries.has(entry.told.id)) onChanged();
  };
  const isUnderWay = ({ told }: Entry) => told.state === "waiting" || told.state === "encoding";
  const makeRoom = () => {
    const oldest = [...entries.values()].find((entry) => !isUnderWay(entry));
    if (entries.size < clipExportsMax) return;
    if (oldest === undefined) {
      throw new KitError("too_many_requests", `${clipExportsMax} copies are being made already. Try again later.`);
    }
    entries.delete(oldest.told.id);
  };
  const make = async (entry: Entry, clip: Clip, kind: "clip" | "screenshot", path: string) => {
    const { id, bytesMax } = entry.told;
    const { duration: seconds, width, height, bytes } = clip;
    const onProgress = (progress: number) => {
      if (progress - entry.told.progress >= progressStep) tell(entry, { progress });
    };
    try {
      const options = {
        // The same for the same file and limit: what was made once is not made again.
        name: `export-${clip.id}-${bytes}-${bytesMax}`,
        signal: entry.calledOff.signal,
        copies: true as const,
        onBegin: () => tell(entry, { state: "encoding" }),
        onProgress,
      };
      const fitted = await fit({ path, kind, seconds, width, height, bytes }, { bytesMax }, options);
      entry.file = fitted;
      tell(entry, { state: "ready", progress: 1, bytes: fitted.bytes, notes: [...fitted.notes] });
    } catch (error) {
      if (!entries.has(id)) return;
      const reason = error instanceof Error ? error.message : String(error);
      tell(entry, { state: "failed", reason });
    }
  };
  const find = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry === undefined)
      throw new KitError("not_found", "There is no such copy; copies are forgotten when Kit ends.");
    return entry;
  };
  /** Copies that were of no use for longest go when others need the room. */
  const look = async (entry: Entry): Promise<ClipExport> => {
    if (entry.told.state === "ready" && entry.file !== null) {
      const isThere = await stat(entry.file.path).catch(() => undefined);
      if (isThere === undefined) entry.told = { ...entry.told, state: "failed", reason: gone, progress: 0, bytes: 0 };
    }
    return entry.told;
  };

  return {
    /** Newest first. */
    async list(clip?: string): Promise<ClipExport[]> {
      const all = [...entries.values()].filter(({ told }) => clip === undefined || told.clip === clip);
      return (await Promise.all(all.map(look))).toReversed();
    },
    /** Throws KitError. */
    async export(wish: ExportWish): Promise<ClipExport> {
      const bytesMax = bytesMaxOf(wish);
      const clip = await library.get(wish.clip);
      const kind = checkFootage(clip);
      const media = await library.media(clip.id, "video");
      if (media === undefined) throw refuse("Its file is not in the clips folder any more.");
      makeRoom();
      const { target = null } = wish;
      const extension = extname(media.downloadName);
      const what = target ?? bytesInWords(bytesMax);
      const told: ClipExport = {
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
      const entry: Entry = { told, file: null, calledOff: new AbortController() };
      entries.set(told.id, entry);
      void make(entry, clip, kind, media.path);
      onChanged();
      return told;
    },
    /** Ends the work on it, or removes its file; one that another copy is of, too, stays. */
    async cancel(id: string): Promise<void> {
      const entry = find(id);
      entries.delete(id);
      entry.calledOff.abort(new Error("the copy was called off"));
      const isShared = [...entries.values()].some(({ file }) => file?.path === entry.file?.path);
      if (entry.file !== null && !isShared) await rm(entry.file.path, { force: true });
      onChanged();
    },
    /** Throws KitError not_found unless it is ready. */
    async file(id: string): Promise<ExportedFile> {
      const entry = find(id);
      const { state, reason, fileName } = await look(entry);
      if (state !== "ready" || entry.file === null)
        throw new KitError("not_found", reason ?? "The copy is not ready yet.");
      return { path: entry.file.path, type: entry.file.mime, saveAs: fileName };
    },
  };
}
