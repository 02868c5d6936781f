// One post: its record, made under a name of its own that no second try can make again.
import { createHash } from "node:crypto";
import type { AppBskyFeedPost, BlobRef } from "@atproto/api";
import { fileOf } from "../media-file.ts";
import type { Access, Media, Outcome, Outgoing, TryNeeds } from "../network.ts";
import { codeOf, outcomeOf, restAfter } from "./answer.ts";
import { composed, graphemesMax, lengthOf } from "./length.ts";
import type { Account, Sessions } from "./session.ts";
import { videoOf } from "./video.ts";

// Files on their way to a post: uploaded once, and known again by the next try.

type Uploaded = { readonly blob: BlobRef } | { readonly not: Outcome };

type UploadOptions = {
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
async function uploaded(
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

// The name a post has in its repository: the same for every try at it, so that a second try finds the first.

const digits = "234567abcdefghijklmnopqrstuvwxyz";
/** Microseconds fill 53 bits, the clock's number 10; the first bit is nought. */
const length = 13;
const latestMs = Math.floor(2 ** 53 / 1_000) - 1;

/**
 * A TID (https://atproto.com/specs/tid), as the collection of posts demands one: the event's time, with what follows the
 * milliseconds taken from the key. Two posts of an account collide when they share the millisecond and 20 bits.
 */
export function recordKeyOf(key: string, atMs: number): string {
  const chance = createHash("sha256").update(key).digest().readUInt32BE(0);
  const micros = BigInt(Math.min(Math.max(0, Math.trunc(atMs)), latestMs)) * 1_000n + BigInt((chance >>> 10) % 1_000);
  let rest = (micros << 10n) | BigInt(chance & 1_023);
  let text = "";
  for (let place = 0; place < length; place += 1) {
    text = `${digits[Number(rest & 31n)]}${text}`;
    rest >>= 5n;
  }
  return text;
}

const collection = "app.bsky.feed.post";

type Embed = NonNullable<AppBskyFeedPost.Record["embed"]>;

function embedOf({ kind, width, height }: Media, blob: BlobRef, altText: string): Embed {
  const shape = width > 0 && height > 0 ? { aspectRatio: { width, height } } : {};
  return kind === "clip"
    ? { $type: "app.bsky.embed.video", video: blob, ...(altText !== "" && { alt: altText }), ...shape }
    : { $type: "app.bsky.embed.images", images: [{ image: blob, alt: altText, ...shape }] };
}

/**
 * Links and tags can be pressed. A mention would tell somebody of a post whose words may come from a game, so that
 * `@name` stays text.
 */
async function facetsOf(text: string): Promise<AppBskyFeedPost.Record["facets"]> {
  const { RichText } = await import("@atproto/api");
  const rich = new RichText({ text });
  rich.detectFacetsWithoutResolution();
  return rich.facets?.filter(({ features }) =>
    features.every(({ $type }) => $type !== "app.bsky.richtext.facet#mention"),
  );
}

async function recordOf(post: Outgoing, blob: BlobRef | undefined, nowMs: number): Promise<AppBskyFeedPost.Record> {
  const text = composed(post.text, post.contentWarning);
  const facets = await facetsOf(text);
  return {
    $type: collection,
    text,
    ...(facets !== undefined && facets.length > 0 && { facets }),
    ...(blob !== undefined && post.media !== null && { embed: embedOf(post.media, blob, post.altText) }),
    createdAt: new Date(nowMs).toISOString() as AppBskyFeedPost.Record["createdAt"],
  };
}

const linkOf = (profile: string, rkey: string): string =>
  `https://bsky.app/profile/${encodeURIComponent(profile)}/post/${rkey}`;

/** Handles that the network could not prove are all called the same. */
export const profileOf = ({ handle, did }: Account): string => (handle() === "handle.invalid" ? did : handle());

type Place = { readonly repo: string; readonly collection: typeof collection; readonly rkey: string };

/** Whether an earlier try made it: then nothing was made now. Rejects with what the server says to the question otherwise. */
async function isThere({ agent }: Account, place: Place, signal: AbortSignal): Promise<boolean> {
  const { data } = await agent.com.atproto.repo.getRecord(place, { signal });
  return data.uri !== "";
}

async function made(
  account: Account,
  post: Outgoing,
  record: AppBskyFeedPost.Record,
  needs: TryNeeds,
): Promise<Outcome> {
  const { signal, now } = needs;
  const place: Place = { repo: account.did, collection, rkey: recordKeyOf(post.key, post.about.atMs) };
  const sent = (restUntilMs: number | null): Outcome => ({
    outcome: "sent",
    link: linkOf(profileOf(account), place.rkey),
    restUntilMs,
    notes: [],
  });
  await needs.committing();
  try {
    // null: only where there is none yet.
    const wanted = { ...place, record: record as unknown as Record<string, unknown>, swapRecord: null };
    const { headers } = await account.agent.com.atproto.repo.putRecord(wanted, { signal });
    return sent(restAfter(headers, now()));
  } catch (error) {
    if (codeOf(error) !== "InvalidSwap") throw error;
    if (await isThere(account, place, signal)) return sent(null);
    throw error;
  }
}

export type PostOptions = {
  readonly sessions: Sessions;
  /** The video service for accounts of this server. */
  readonly videoServiceFor: (service: string) => string | null;
};

export async function send(access: Access, post: Outgoing, needs: TryNeeds, options: PostOptions): Promise<Outcome> {
  if (lengthOf(composed(post.text, post.contentWarning)) > graphemesMax)
    return { outcome: "refused", says: `Bluesky takes ${graphemesMax} characters. Make the text shorter.` };
  let isCommitting = false;
  const watched: TryNeeds = {
    ...needs,
    async committing() {
      await needs.committing();
      isCommitting = true;
    },
  };
  try {
    const account = await options.sessions.open(access, needs.reach);
    const name = recordKeyOf(post.key, post.about.atMs);
    const videoService = options.videoServiceFor(access.service ?? "");
    const file = post.media === null ? null : await uploaded(account, post.media, watched, { name, videoService });
    if (file !== null && "not" in file) return file.not;
    const record = await recordOf(post, file?.blob, needs.now());
    return await made(account, post, record, watched);
  } catch (error) {
    if (codeOf(error) === "BlobNotFound") {
      // A file that no post held is thrown away after some hours.
      await needs.remember({ blob: "", job: "" });
      return {
        outcome: "later",
        says: "Bluesky has thrown the uploaded file away; it is uploaded again.",
        notBeforeMs: null,
      };
    }
    return outcomeOf(error, needs.now(), isCommitting);
  }
}
