// The clips as a person keeps them: listed, pinned, renamed, binned and taken back.
import { realpath, rename, stat } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { type Clip, KitError } from "@kit/contract";
import { createSerialQueue } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import type { ClipFiles } from "./clip-files.ts";
import type { ClipQuery } from "./clip-list-store.ts";
import { binNameOf, byAlphabet, type StoredClip } from "./clip-row.ts";
import { binned, type ClipChange, changed, seen } from "./clip-store.ts";
import { codeOf, renameOver, reserveName } from "./replace-file.ts";
import { createRoom, type RoomNeeds } from "./room.ts";

// Whether a clip's file is where its row says, and how large: people and programs move files in the clips folder.

type Found = { readonly missing: boolean; readonly bytes: number };

async function bytesAt(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

async function look({ clip }: StoredClip): Promise<Found> {
  if (clip.path === null) return { missing: false, bytes: clip.bytes };
  const bytes = await bytesAt(clip.path);
  return { missing: bytes === undefined, bytes: bytes ?? clip.bytes };
}

/**
 * Moves a file out of the bin whose row says that it is not in there: a launcher that ended between the two left it.
 * Never while a clip is being moved.
 */
async function outOfBin({ clip, file, deletedAtMs }: StoredClip, files: ClipFiles): Promise<void> {
  if (file === null || clip.path === null || deletedAtMs !== null) return;
  const inBin = files.pathOf(binNameOf(clip.id, file));
  if ((await bytesAt(inBin)) !== undefined) await rename(inBin, clip.path).catch(() => undefined);
}

/** The same clips as they are now; what is new about them is written. */
async function lookedAt(
  kept: readonly StoredClip[],
  write: (...statements: Statement[]) => Promise<void>,
): Promise<{ clips: Clip[]; changed: boolean }> {
  const found = await Promise.all(kept.map(async (one) => ({ ...one, now: await look(one) })));
  const news = found.filter(({ clip, now }) => clip.missing !== now.missing || clip.bytes !== now.bytes);
  if (news.length > 0) await write(...news.map(({ clip, now }) => seen(clip.id, now)));
  return { clips: found.map(({ clip, now }) => ({ ...clip, ...now })), changed: news.length > 0 };
}

export type LibraryNeeds = RoomNeeds & {
  /** Something about a clip is no longer as it was told. */
  readonly onChanged: () => void;
};

export type Media = { readonly path: string; readonly type: string; readonly downloadName: string };
export type Library = ReturnType<typeof createLibrary>;

const lookBatchMax = 200;

export function createLibrary(needs: LibraryNeeds) {
  const { dir, store, files, write, quotaBytes, now, onChanged } = needs;
  const room = createRoom(needs);
  /** One change at a time: a clip is never moved while it is removed. */
  const serialize = createSerialQueue();
  const toldIf = <T extends readonly unknown[]>(news: T): T => {
    if (news.length > 0) onChanged();
    return news;
  };

  const look = async (kept: readonly StoredClip[]): Promise<Clip[]> => {
    const { clips, changed: isNews } = await lookedAt(kept, write);
    if (isNews) onChanged();
    return clips;
  };
  const find = async (id: string): Promise<StoredClip> => {
    const kept = await store.find(id);
    if (kept === undefined) throw new KitError("not_found", "There is no such clip.");
    return kept;
  };
  const get = async (id: string): Promise<Clip> => {
    const kept = await find(id);
    const [clip = kept.clip] = await look([kept]);
    return clip;
  };
  const bin = async ({ clip, file, deletedAtMs }: StoredClip): Promise<void> => {
    if (deletedAtMs !== null) return;
    if (clip.state === "pending") {
      throw new KitError("payload_invalid", "The clip is still being made. Delete it once it is there.");
    }
    if (file !== null && clip.path !== null) {
      await files.prepare();
      await moved(clip.path, files.pathOf(binNameOf(clip.id, file)));
    }
    await write(binned(clip.id, now(), file));
    onChanged();
  };
  const takeBack = async ({ clip, file, deletedAtMs }: StoredClip): Promise<void> => {
    if (deletedAtMs === null) return;
    const extension = extname(file ?? "");
    const name = file === null ? null : await reserveName(dir, file.slice(0, -extension.length), extension);
    // Row first: a file that is still in the bin then is put back when it is looked for.
    await write(binned(clip.id, null, name));
    if (name !== null && clip.path !== null) {
      const isThere = await moved(clip.path, files.pathOf(name));
      if (!isThere) await files.discard(files.pathOf(name));
    }
    onChanged();
  };

  return {
    get,
    usage: store.usage,
    /** In the alphabet's order. */
    tags: async () => (await store.tags()).toSorted((one, other) => byAlphabet(one.tag, other.tag)),
    /** In the order asked for. Throws KitError when there is no clip `before`. */
    async list(filter: ClipQuery, before: string | null, limit: number) {
      if (before !== null) await find(before);
      const kept = await store.list(filter, before, limit + 1);
      const clips = await look(kept.slice(0, limit));
      const { bytes } = await store.usage();
      return { clips, more: kept.length > limit, bytes, quotaBytes: quotaBytes() };
    },
    async change(id: string, change: ClipChange): Promise<Clip> {
      await find(id);
      await write(...changed(id, change));
      onChanged();
      return get(id);
    },
    /** Somebody was shown it: it is among the last that go. One that is gone by now is no error. */
    async shared(id: string): Promise<void> {
      await write(...changed(id, { shared: true }));
      onChanged();
    },
    /** Into the bin; what lies there already stays there. */
    remove: (id: string): Promise<void> => serialize(async () => bin(await find(id))),
    /** For good. Only from the bin. */
    removeForever: (id: string): Promise<void> =>
      serialize(async () => {
        const kept = await find(id);
        if (kept.deletedAtMs === null) throw new KitError("not_found", "The clip does not lie in the bin.");
        await room.wipe(kept);
        onChanged();
      }),
    /** Back under its name; under the next free one when that was taken meanwhile. */
    restore: (id: string): Promise<Clip> =>
      serialize(async () => {
        await takeBack(await find(id));
        return get(id);
      }),
    cleanup: room.cleanup,
    /** After a clip was saved, and now and then. Says what went and why. */
    tidy: () => serialize(async () => toldIf(await room.tidy())),
    /** Before anything is written for a clip. Throws DiskNearlyFull. */
    prepareCut: () => serialize(async () => toldIf(await room.prepareCut())),
    /** Looks for every file: at the start, and now and then. */
    look: (): Promise<void> =>
      serialize(async () => {
        const kept = await store.withFile();
        for (let at = 0; at < kept.length; at += lookBatchMax) {
          const batch = kept.slice(at, at + lookBatchMax);
          await Promise.all(batch.map((one) => outOfBin(one, files)));
          await look(batch);
        }
      }),
    /** The file to give out; undefined when there is none, or when it leads out of the clips folder. */
    async media(id: string, what: "video" | "poster" | "preview"): Promise<Media | undefined> {
      const kept = await store.find(id);
      if (kept === undefined || kept.file === null || kept.clip.path === null) return undefined;
      const wanted = what === "video" ? kept.clip.path : files.picturePathOf(id, what);
      const [path, root] = await Promise.all([wanted, dir].map((one) => realpath(one).catch(() => undefined)));
      if (path === undefined && what === "video") await look([kept]);
      if (path === undefined || root === undefined || !path.startsWith(join(root, sep))) return undefined;
      const isPicture = what === "poster" || (what === "video" && extname(kept.file) === ".jpg");
      return { path, type: isPicture ? "image/jpeg" : "video/mp4", downloadName: kept.file };
    },
  };
}

/** False when there is no such file any more: a person took it away. Throws FileInUse. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await renameOver(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
