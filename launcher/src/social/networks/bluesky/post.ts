// Posts to Bluesky. The record key is the same in every attempt, so that a repeat creates no second post.
import { createHash } from "node:crypto";
import type { AppBskyFeedPost, BlobRef } from "@atproto/api";
import { message } from "@kit/contract/messages";
import { countGraphemes } from "../../text-fit.ts";
import { openMediaFile } from "../media-file.ts";
import type { AttemptContext, Credentials, OutgoingPost, PostMedia, SendOutcome } from "../network.ts";
import { blueskyMessage } from "./messages.ts";
import { blueskyRateLimitEnd, outcomeOfError, refusalCode } from "./outcome.ts";
import type { BlueskyAccount, BlueskySessions } from "./session.ts";
import { uploadVideo } from "./video.ts";

// The text: composed for Bluesky, and counted like Bluesky.

export const blueskyGraphemesMax = 300;
const bytesMax = 3_000;

/**
 * Counts graphemes, of which 300 are allowed. Text of long graphemes, such as emoji of families, meets the limit of 3,000 bytes
 * first, so ten bytes count as at least one grapheme.
 */
export function blueskyTextLength(text: string): number {
  return Math.max(countGraphemes(text), Math.ceil((Buffer.byteLength(text) * blueskyGraphemesMax) / bytesMax));
}

/**
 * Puts the content warning at the start of the text, because Bluesky has no field for one. Kit never sets Bluesky's labels, such
 * as `sexual`, because they have consequences for the account.
 */
export const composeBlueskyText = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `CW: ${contentWarning}\n\n${text}`;

// Uploads. The result is stored, so that another attempt does not upload again.

type UploadResult = { readonly blob: BlobRef } | { readonly not: SendOutcome };

type UploadOptions = {
  /** The file's name without its extension. */
  readonly name: string;
  /** URL of the video service. Null if none can reach the account's server. */
  readonly videoService: string | null;
};

/** Parses the stored result of an earlier upload. */
async function parseStoredBlob(text: string | undefined): Promise<BlobRef | undefined> {
  if (!text) return undefined;
  const { BlobRef, jsonStringToLex } = await import("@atproto/api");
  const blob = jsonStringToLex(text);
  return blob instanceof BlobRef ? blob : undefined;
}

/** Rejects with the errors of the library. */
async function uploadMedia(
  account: BlueskyAccount,
  media: PostMedia,
  needs: AttemptContext,
  { name, videoService }: UploadOptions,
): Promise<UploadResult> {
  const earlier = await parseStoredBlob(needs.stored.blob);
  if (earlier !== undefined) return { blob: earlier };
  const keep = async (blob: BlobRef): Promise<UploadResult> => {
    await needs.store({ blob: JSON.stringify(blob) });
    needs.onProgress(1);
    return { blob };
  };
  const file = await openMediaFile(media, name, needs.onProgress).catch(() => undefined);
  if (file === undefined) return { not: { outcome: "later", says: message("footage.not_read"), notBeforeMs: null } };
  if (media.kind === "clip" && videoService !== null) {
    const video = await uploadVideo(account, file, needs, videoService);
    if (video.is === "there") return keep(video.blob);
    if (video.is === "not") return video;
  }
  // Without the video service, the file goes to the account's own server, which processes a video only after it was posted.
  const options = { encoding: media.mime, signal: needs.signal };
  const { data } = await account.agent.com.atproto.repo.uploadBlob(file, options);
  return keep(data.blob);
}

const digits = "234567abcdefghijklmnopqrstuvwxyz";
/** A record key has 13 digits in base 32: a zero bit, 53 bits of microseconds and 10 bits of clock id. */
const length = 13;
const latestMs = Math.floor(2 ** 53 / 1_000) - 1;

/**
 * Returns the record key of a post: a TID (https://atproto.com/specs/tid) of the event's time, with the lower bits derived from
 * the idempotency key. Two posts of an account collide only if their millisecond and these 20 bits are equal.
 */
export function postRecordKey(key: string, atMs: number): string {
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

function createEmbed({ kind, width, height }: PostMedia, blob: BlobRef, altText: string): Embed {
  const shape = width > 0 && height > 0 ? { aspectRatio: { width, height } } : {};
  return kind === "clip"
    ? { $type: "app.bsky.embed.video", video: blob, ...(altText !== "" && { alt: altText }), ...shape }
    : { $type: "app.bsky.embed.images", images: [{ image: blob, alt: altText, ...shape }] };
}

/** Returns what makes links and tags clickable. Leaves out mentions: they notify people, and the text may come from a game. */
export async function detectFacets(text: string): Promise<AppBskyFeedPost.Record["facets"]> {
  const { RichText } = await import("@atproto/api");
  const rich = new RichText({ text });
  rich.detectFacetsWithoutResolution();
  return rich.facets?.filter(({ features }) =>
    features.every(({ $type }) => $type !== "app.bsky.richtext.facet#mention"),
  );
}

async function createRecord(
  post: OutgoingPost,
  blob: BlobRef | undefined,
  nowMs: number,
): Promise<AppBskyFeedPost.Record> {
  const text = composeBlueskyText(post.text, post.contentWarning);
  const facets = await detectFacets(text);
  return {
    $type: collection,
    text,
    ...(facets !== undefined && facets.length > 0 && { facets }),
    ...(blob !== undefined && post.media !== null && { embed: createEmbed(post.media, blob, post.altText) }),
    createdAt: new Date(nowMs).toISOString() as AppBskyFeedPost.Record["createdAt"],
  };
}

const postLink = (profile: string, rkey: string): string =>
  `https://bsky.app/profile/${encodeURIComponent(profile)}/post/${rkey}`;

/** Returns the handle, or the DID if the network could not verify the handle. */
export const handleOrDid = ({ handle, did }: BlueskyAccount): string =>
  handle() === "handle.invalid" ? did : handle();

type RecordLocation = { readonly repo: string; readonly collection: typeof collection; readonly rkey: string };

/** Whether an earlier attempt created the record. Rejects if the server does not answer that. */
async function recordExists({ agent }: BlueskyAccount, place: RecordLocation, signal: AbortSignal): Promise<boolean> {
  const { data } = await agent.com.atproto.repo.getRecord(place, { signal });
  return data.uri !== "";
}

async function putRecord(
  account: BlueskyAccount,
  post: OutgoingPost,
  record: AppBskyFeedPost.Record,
  needs: AttemptContext,
): Promise<SendOutcome> {
  const { signal, now } = needs;
  const place: RecordLocation = { repo: account.did, collection, rkey: postRecordKey(post.key, post.source.atMs) };
  const sent = (restUntilMs: number | null): SendOutcome => ({
    outcome: "sent",
    link: postLink(handleOrDid(account), place.rkey),
    restUntilMs,
    notes: [],
  });
  await needs.markCommitted();
  try {
    // `swapRecord: null` creates the record only if it does not exist yet.
    const wanted = { ...place, record: record as unknown as Record<string, unknown>, swapRecord: null };
    const { headers } = await account.agent.com.atproto.repo.putRecord(wanted, { signal });
    return sent(blueskyRateLimitEnd(headers, now()));
  } catch (error) {
    if (refusalCode(error) !== "InvalidSwap") throw error;
    if (await recordExists(account, place, signal)) return sent(null);
    throw error;
  }
}

export type BlueskyPostOptions = {
  readonly sessions: BlueskySessions;
  /** Returns the URL of the video service for accounts of a server, or null if none can reach it. */
  readonly videoServiceFor: (service: string) => string | null;
};

export async function sendToBluesky(
  access: Credentials,
  post: OutgoingPost,
  needs: AttemptContext,
  options: BlueskyPostOptions,
): Promise<SendOutcome> {
  if (blueskyTextLength(composeBlueskyText(post.text, post.contentWarning)) > blueskyGraphemesMax)
    return { outcome: "refused", says: blueskyMessage("bluesky.long_text", { most: blueskyGraphemesMax }) };
  let isCommitting = false;
  const watched: AttemptContext = {
    ...needs,
    async markCommitted() {
      await needs.markCommitted();
      isCommitting = true;
    },
  };
  try {
    const account = await options.sessions.open(access, needs.outbound);
    const name = postRecordKey(post.key, post.source.atMs);
    const videoService = options.videoServiceFor(access.service ?? "");
    const file = post.media === null ? null : await uploadMedia(account, post.media, watched, { name, videoService });
    if (file !== null && "not" in file) return file.not;
    const record = await createRecord(post, file?.blob, needs.now());
    return await putRecord(account, post, record, watched);
  } catch (error) {
    if (refusalCode(error) === "BlobNotFound") {
      // The server deletes a file that no post uses after some hours, so the next attempt has to upload it again.
      await needs.store({ blob: "", job: "" });
      return {
        outcome: "later",
        says: blueskyMessage("bluesky.upload_deleted"),
        notBeforeMs: null,
      };
    }
    return outcomeOfError(error, needs.now(), isCommitting);
  }
}
