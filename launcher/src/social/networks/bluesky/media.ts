// Files on their way to a post: uploaded once, and known again by the next try.
import type { BlobRef } from "@atproto/api";
import { fileOf } from "../media-file.ts";
import type { Media, Outcome, TryNeeds } from "../network.ts";
import type { Account } from "./session.ts";
import { videoOf } from "./video.ts";

export type Uploaded = { readonly blob: BlobRef } | { readonly not: Outcome };

export type UploadOptions = {
  /** Without its ending. */
  readonly name: string;
  /** null: there is none that could reach the account's server. */
  readonly videoService: string | null;
};

/** What an earlier try uploaded. */
async function rememberedBlob(text: string | undefined): Promise<BlobRef | undefined> {
  if (!text) return undefined;
  const { BlobRef, jsonStringToLex } = await import("@atproto/api");
  const blob = jsonStringToLex(text);
  return blob instanceof BlobRef ? blob : undefined;
}

/** Rejects as the library does. */
export async function uploaded(
  account: Account,
  media: Media,
  needs: TryNeeds,
  { name, videoService }: UploadOptions,
): Promise<Uploaded> {
  const earlier = await rememberedBlob(needs.remembered.blob);
  if (earlier !== undefined) return { blob: earlier };
  const keep = async (blob: BlobRef): Promise<Uploaded> => {
    await needs.remember({ blob: JSON.stringify(blob) });
    needs.onProgress(1);
    return { blob };
  };
  const file = await fileOf(media, name, needs.onProgress).catch(() => undefined);
  if (file === undefined)
    return { not: { outcome: "later", says: "The footage could not be read from the disk.", notBeforeMs: null } };
  if (media.kind === "clip" && videoService !== null) {
    const video = await videoOf(account, file, needs, videoService);
    if (video.is === "there") return keep(video.blob);
    if (video.is === "not") return video;
  }
  // Straight to the account's server: a video is then prepared for watching only after the post.
  const options = { encoding: media.mime, signal: needs.signal };
  const { data } = await account.agent.com.atproto.repo.uploadBlob(file, options);
  return keep(data.blob);
}
