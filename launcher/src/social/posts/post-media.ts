// The video and the picture that a post carries, as files for the dashboard: what a person sees is what is posted.
import { KitError, type Post } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ClipParts, FootageFile } from "../delivery/prepare-media.ts";
import type { FootageOwner } from "./post-footage.ts";

type PostMediaDeps = {
  /** Throws KitError if there is no such post. */
  readonly find: (id: string) => Promise<Post>;
  readonly footageOf: (post: FootageOwner) => Promise<FootageFile>;
  readonly parts: ClipParts;
  readonly posterOf: (clip: string) => Promise<string | undefined>;
};

type File = { readonly path: string; readonly type: string };

export type PostMediaFiles = ReturnType<typeof createPostMedia>;

/** Both functions throw KitError not_found if the post has no such file. */
export function createPostMedia({ find, footageOf, parts, posterOf }: PostMediaDeps) {
  const none = () => new KitError("not_found", message("file.gone"));
  const footageFile = async (post: Post): Promise<Extract<FootageFile, { state: "saved" }>> => {
    const { state, clip } = post.footage;
    const found = state === "ready" && clip !== null ? await footageOf(post) : undefined;
    if (found?.state !== "saved" || found.id !== clip) throw none();
    return found;
  };
  return {
    async video(id: string, signal: AbortSignal): Promise<File> {
      const post = await find(id);
      const { kind, id: clip, path } = await footageFile(post);
      if (kind !== "clip" || post.attach !== "clip") throw none();
      const { part } = post.footage;
      return { path: part === null ? path : (await parts.video(clip, part, signal)).path, type: "video/mp4" };
    },
    async picture(id: string, signal: AbortSignal): Promise<File> {
      const post = await find(id);
      const { state, clip: shown, pictureSeconds, part } = post.footage;
      const hasPoster = state === "ready" && shown !== null && pictureSeconds === null;
      const poster = hasPoster ? await posterOf(shown) : undefined;
      if (poster !== undefined) return { path: poster, type: "image/jpeg" };
      const { kind, id: clip, path } = await footageFile(post);
      if (kind === "screenshot") return { path, type: "image/jpeg" };
      // A clip is saved before its poster is made.
      const seconds = pictureSeconds ?? part?.fromSeconds ?? 0;
      return { path: await parts.picture(clip, seconds, signal), type: "image/jpeg" };
    },
  };
}
