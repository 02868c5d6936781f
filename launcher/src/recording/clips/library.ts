// The clip library: lists, changes, deletes and restores clips, and hands out their files.

import { realpath, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { type Clip, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../../async.ts";
import { renameWithRetry } from "../../renames.ts";
import type { Statement } from "../../storage/sql.ts";
import { type CleanupDeps, createCleanup } from "./cleanup.ts";
import type { ClipFiles, PictureKind } from "./clip-files.ts";
import { compareAlphabetically, type StoredClip, trashFileName } from "./clip-row.ts";
import { type ClipChange, type ClipQuery, setClipTrashed, updateClip, updateFileState } from "./clip-store.ts";
import { downloadNameOf, moveFile, reserveName } from "./file-names.ts";

/** What is known of a clip's file. People and programs may move or replace it at any time. */
type FileState = { readonly missing: boolean; readonly bytes: number };

async function bytesAt(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

async function checkFile({ clip }: StoredClip): Promise<FileState> {
  if (clip.path === null) return { missing: false, bytes: clip.bytes };
  const bytes = await bytesAt(clip.path);
  return { missing: bytes === undefined, bytes: bytes ?? clip.bytes };
}

/**
 * Moves a file back from the trash if its clip is not in the trash: the launcher ended between the two steps of a move. Must not
 * run while a clip is being moved.
 */
async function restoreMisplacedFile({ clip, file, deletedAtMs }: StoredClip, files: ClipFiles): Promise<void> {
  if (file === null || clip.path === null || deletedAtMs !== null) return;
  const trashPath = files.absolutePath(trashFileName(clip.id, file));
  if ((await bytesAt(trashPath)) !== undefined) await renameWithRetry(trashPath, clip.path).catch(() => undefined);
}

/** Looks at the files of clips, stores what has changed, and returns the clips as they are now. */
async function refreshClips(
  stored: readonly StoredClip[],
  write: (...statements: Statement[]) => Promise<void>,
): Promise<{ clips: Clip[]; changed: boolean }> {
  const checked = await Promise.all(stored.map(async (one) => ({ ...one, now: await checkFile(one) })));
  const changed = checked.filter(({ clip, now }) => clip.missing !== now.missing || clip.bytes !== now.bytes);
  if (changed.length > 0) await write(...changed.map(({ clip, now }) => updateFileState(clip.id, now)));
  return { clips: checked.map(({ clip, now }) => ({ ...clip, ...now })), changed: changed.length > 0 };
}

export type ClipLibraryDeps = CleanupDeps & {
  /** Called after any clip has changed. */
  readonly onChanged: () => void;
};

const typeOf = (path: string) => (extname(path) === ".jpg" ? "image/jpeg" : "video/mp4");

export type MediaFile = { readonly path: string; readonly type: string; readonly downloadName: string };
export type ClipLibrary = ReturnType<typeof createClipLibrary>;

const checkBatchMax = 200;

export function createClipLibrary(deps: ClipLibraryDeps) {
  const { dir, store, files, write, quotaBytes, now, onChanged } = deps;
  const cleanup = createCleanup(deps);
  /** Runs changes one after another, so that a clip is never moved while it is being deleted. */
  const serialize = createSerialQueue();
  const notifyOfRemovals = <T extends readonly unknown[]>(removals: T): T => {
    if (removals.length > 0) onChanged();
    return removals;
  };

  const refresh = async (stored: readonly StoredClip[]): Promise<Clip[]> => {
    const { clips, changed } = await refreshClips(stored, write);
    if (changed) onChanged();
    return clips;
  };
  const find = async (id: string): Promise<StoredClip> => {
    const stored = await store.find(id);
    if (stored === undefined) throw new KitError("not_found", message("clip.unknown"));
    return stored;
  };
  const get = async (id: string): Promise<Clip> => {
    const stored = await find(id);
    const [clip = stored.clip] = await refresh([stored]);
    return clip;
  };
  const trashClip = async ({ clip, file, deletedAtMs }: StoredClip): Promise<void> => {
    if (deletedAtMs !== null) return;
    if (clip.state === "pending") {
      throw new KitError("payload_invalid", message("clip.delete_unfinished"));
    }
    if (file !== null && clip.path !== null) {
      await files.createFolders();
      await moveFile(clip.path, files.absolutePath(trashFileName(clip.id, file)));
    }
    await write(setClipTrashed(clip.id, now(), file));
    onChanged();
  };
  const restoreClip = async ({ clip, file, deletedAtMs }: StoredClip): Promise<void> => {
    if (deletedAtMs === null) return;
    const extension = extname(file ?? "");
    const name = file === null ? null : await reserveName(dir, file.slice(0, -extension.length), extension);
    // The row is written first: if the move is then interrupted, the next check of all files finishes it.
    await write(setClipTrashed(clip.id, null, name));
    if (name !== null && clip.path !== null) {
      const isMoved = await moveFile(clip.path, files.absolutePath(name));
      if (!isMoved) await files.discard(files.absolutePath(name));
    }
    onChanged();
  };

  return {
    get,
    usage: store.usage,
    /** Returns all tags in alphabetical order, each with its number of clips. */
    tags: async () => (await store.tags()).toSorted((one, other) => compareAlphabetically(one.tag, other.tag)),
    /** Returns a page in the requested order. Throws KitError if the clip `before` does not exist. */
    async list(filter: ClipQuery, before: string | null, limit: number) {
      if (before !== null) await find(before);
      const stored = await store.list(filter, before, limit + 1);
      const clips = await refresh(stored.slice(0, limit));
      const { bytes } = await store.usage();
      return { clips, more: stored.length > limit, bytes, quotaBytes: quotaBytes() };
    },
    async change(id: string, change: ClipChange): Promise<Clip> {
      await find(id);
      await write(...updateClip(id, change));
      onChanged();
      return get(id);
    },
    /** Marks a clip as shared, so that cleanup deletes it later than others. Does nothing if the clip no longer exists. */
    async markShared(id: string): Promise<void> {
      await write(...updateClip(id, { shared: true }));
      onChanged();
    },
    /** Does nothing if the clip is already in the trash. */
    moveToTrash: (id: string): Promise<void> => serialize(async () => trashClip(await find(id))),
    /** Permanently deletes a clip that is in the trash. */
    deleteForever: (id: string): Promise<void> =>
      serialize(async () => {
        const stored = await find(id);
        if (stored.deletedAtMs === null) throw new KitError("not_found", message("clip.not_in_trash"));
        await cleanup.deleteClip(stored);
        onChanged();
      }),
    /** Takes a clip out of the trash. Its file gets its old name, or the next free one. */
    restore: (id: string): Promise<Clip> =>
      serialize(async () => {
        await restoreClip(await find(id));
        return get(id);
      }),
    planCleanup: cleanup.planCleanup,
    /** Deletes clips beyond the quota, and old ones in the trash. Returns what was deleted, and why. */
    enforceLimits: () => serialize(async () => notifyOfRemovals(await cleanup.enforceLimits())),
    /** Frees disk space for a cut. Must be called before each. Throws DiskNearlyFull. */
    prepareCut: () => serialize(async () => notifyOfRemovals(await cleanup.prepareCut())),
    /** Looks for every file of the library, and finishes interrupted moves. */
    checkFiles: (): Promise<void> =>
      serialize(async () => {
        const stored = await store.withFile();
        for (let at = 0; at < stored.length; at += checkBatchMax) {
          const batch = stored.slice(at, at + checkBatchMax);
          await Promise.all(batch.map((one) => restoreMisplacedFile(one, files)));
          await refresh(batch);
        }
      }),
    /** Returns a file of a clip to send; undefined if it is missing or, through a link, outside the clips folder. */
    async mediaFile(id: string, what: "video" | PictureKind): Promise<MediaFile | undefined> {
      const stored = await store.find(id);
      if (stored === undefined || stored.file === null || stored.clip.path === null) return undefined;
      const wanted = what === "video" ? stored.clip.path : files.picturePath(id, what);
      const resolved = (one: string) => realpath(one).catch(() => undefined);
      const [found, root] = await Promise.all([wanted, dir].map(resolved));
      // An earlier Kit made no thumbnails, so the poster stands in.
      const path = what === "thumbnail" ? (found ?? (await resolved(files.picturePath(id, "poster")))) : found;
      if (path === undefined && what === "video") await refresh([stored]);
      if (path === undefined || root === undefined || !path.startsWith(join(root, sep))) return undefined;
      return { path, type: typeOf(wanted), downloadName: downloadNameOf(stored.file, stored.clip) };
    },
  };
}
