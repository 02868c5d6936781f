// Posts to Mastodon with an idempotency key. For an hour, the server answers a repeat with the existing post
// (https://docs.joinmastodon.org/methods/statuses/#create).
import { setTimeout as wait } from "node:timers/promises";
import type { AccountLimits, Message, Visibility } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { retryAfterMs } from "../../../outbound/response.ts";
import { openMediaFile } from "../media-file.ts";
import type { AttemptContext, Credentials, OutgoingPost, PostMedia, SendOutcome } from "../network.ts";
import { mastodonMessage } from "./messages.ts";
import {
  lacksEndpoint,
  type MastodonAnswer,
  outcomeOfAnswer,
  reasonOf,
  requestMastodon,
  stringMember,
} from "./request.ts";
import { mastodonTextLength } from "./text-length.ts";

// Uploads. The server processes large files asynchronously: it answers 202, then 206 until the file is ready
// (https://docs.joinmastodon.org/methods/media/#v2).

const pollMs = 1_500;
const pollForMs = 5 * 60_000;
const patienceMs = 30_000;
/** An upload that is slower on average times out. */
const bytesPerMs = 32;

type UploadResult = { readonly id: string } | { readonly not: SendOutcome };

const later = (says: Message): UploadResult => ({ not: { outcome: "later", says, notBeforeMs: null } });
const failedUpload = (answer: MastodonAnswer, nowMs: number): UploadResult => ({
  not: outcomeOfAnswer(answer, nowMs, false),
});

/** The ways to upload a file. Some compatible servers have only the older one, which answers when the file is ready. */
export const uploadPaths = { v2: "/api/v2/media", v1: "/api/v1/media" } as const;
type UploadVersion = keyof typeof uploadPaths;

/** Uploads the file in the way that the server has, and learns which that is. Rejects if no answer arrives. */
async function upload(
  access: Credentials,
  media: PostMedia,
  altText: string,
  { outbound, signal, learned, learn, onProgress }: AttemptContext,
): Promise<MastodonAnswer | "missing" | "unreadable"> {
  const order: readonly UploadVersion[] = learned.upload === "v1" ? ["v1", "v2"] : ["v2", "v1"];
  const withinMs = patienceMs + Math.ceil(media.bytes / bytesPerMs);
  for (const version of order) {
    const file = await openMediaFile(media, media.kind, onProgress).catch(() => undefined);
    if (file === undefined) return "unreadable";
    const body = new FormData();
    body.set("file", file);
    if (altText !== "") body.set("description", altText);
    const init = { method: "POST", body, signal, withinMs };
    const answer = await requestMastodon(access, outbound, uploadPaths[version], init);
    if (lacksEndpoint(answer)) continue;
    if (version !== order[0]) await learn({ upload: version });
    return answer;
  }
  return "missing";
}

const mediaPath = (id: string) => `/api/v1/media/${encodeURIComponent(id)}`;

async function waitUntilReady(access: Credentials, id: string, needs: AttemptContext): Promise<UploadResult> {
  const { outbound, signal, now, store } = needs;
  const untilMs = now() + pollForMs;
  for (;;) {
    const answer = await requestMastodon(access, outbound, mediaPath(id), { signal });
    if (answer.status === 200) {
      // This is stored, because another attempt cannot ask again: once a post uses the file, the server answers 404.
      await store({ ready: "yes" });
      return { id };
    }
    if (answer.status === 404 || answer.status === 422) await store({ media: "" });
    if (answer.status === 404) return later(mastodonMessage("mastodon.upload_deleted"));
    if (answer.status !== 206) return failedUpload(answer, now());
    if (now() > untilMs) return later(mastodonMessage("mastodon.processing_file"));
    await wait(pollMs, undefined, { signal });
  }
}

/** Returns the id of the file on the server. Uploads it unless an earlier attempt did. Rejects if no answer arrives. */
async function uploadOnce(
  access: Credentials,
  media: PostMedia,
  altText: string,
  needs: AttemptContext,
): Promise<UploadResult> {
  const { stored, store, now } = needs;
  if (stored.media) return stored.ready ? { id: stored.media } : waitUntilReady(access, stored.media, needs);
  const answer = await upload(access, media, altText, needs);
  if (answer === "unreadable") return later(message("footage.not_read"));
  if (answer === "missing") return { not: { outcome: "refused", says: mastodonMessage("mastodon.takes_no_files") } };
  if (answer.status !== 200 && answer.status !== 202) return failedUpload(answer, now());
  const id = stringMember(answer.body, "id");
  if (id === "") return later(mastodonMessage("mastodon.unreadable_upload_answer"));
  await store(answer.status === 200 ? { media: id, ready: "yes" } : { media: id, ready: "" });
  return answer.status === 200 ? { id } : waitUntilReady(access, id, needs);
}

const withinMs = 30_000;

const visibilities: Readonly<Record<Visibility, string>> = {
  public: "public",
  unlisted: "unlisted",
  followers: "private",
};

const webLink = (link: string): string | null => (URL.canParse(link) && /^https?:/.test(link) ? link : null);

/**
 * Returns what became of the file of a post that was refused. The server's reason is in the language of the account, so it is
 * asked for the file.
 */
async function stateOfFile(access: Credentials, id: string, reason: string, { outbound, signal }: AttemptContext) {
  if (/not finished processing/i.test(reason)) return "processing";
  const { status } = await requestMastodon(access, outbound, mediaPath(id), { signal });
  if (status === 206) return "processing";
  return status === 404 ? "gone" : "ready";
}

async function outcomeOfPost(
  access: Credentials,
  answer: MastodonAnswer,
  media: string | null,
  needs: AttemptContext,
): Promise<SendOutcome> {
  const { now, store, stored } = needs;
  const { status, headers, body } = answer;
  if (status >= 200 && status < 300) {
    // A confirmation that cannot be read counts as a lost answer.
    if (stringMember(body, "id") === "") throw new Error("The server's answer to the post cannot be read");
    return {
      outcome: "sent",
      link: webLink(stringMember(body, "url")),
      restUntilMs: retryAfterMs(headers, now()),
      notes: [],
    };
  }
  if (status === 422 && media !== null) {
    const state = await stateOfFile(access, media, reasonOf(body), needs);
    const again = { outcome: "later", notBeforeMs: null } as const;
    if (state === "processing") {
      await store({ ready: "" });
      return { ...again, says: mastodonMessage("mastodon.processing_file") };
    }
    if (state === "gone" && stored.media) {
      // The server deletes a file that no post uses after a day, so the next attempt has to upload it again.
      await store({ media: "", ready: "" });
      return { ...again, says: mastodonMessage("mastodon.upload_refused") };
    }
  }
  return outcomeOfAnswer(answer, now(), true);
}

export async function sendToMastodon(
  access: Credentials,
  post: OutgoingPost,
  limits: AccountLimits,
  needs: AttemptContext,
): Promise<SendOutcome> {
  if (mastodonTextLength(post, limits) > limits.textMax)
    return { outcome: "refused", says: mastodonMessage("mastodon.long_text", { most: limits.textMax }) };
  const file = post.media === null ? null : await uploadOnce(access, post.media, post.altText, needs);
  if (file !== null && "not" in file) return file.not;
  const body = JSON.stringify({
    status: post.text,
    visibility: visibilities[post.visibility],
    ...(file !== null && { media_ids: [file.id] }),
    ...(post.contentWarning !== "" && { spoiler_text: post.contentWarning }),
  });
  const headers = { "content-type": "application/json", "idempotency-key": post.key };
  await needs.markCommitted();
  const init = { method: "POST", headers, body, signal: needs.signal, withinMs };
  const answer = await requestMastodon(access, needs.outbound, "/api/v1/statuses", init);
  return outcomeOfPost(access, answer, file?.id ?? null, needs);
}
