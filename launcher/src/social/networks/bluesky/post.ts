// One post: its record, made under a name of its own that no second try can make again.
import type { AppBskyFeedPost, BlobRef } from "@atproto/api";
import type { Access, Media, Outcome, Outgoing, TryNeeds } from "../network.ts";
import { codeOf, outcomeOf, restAfter } from "./answer.ts";
import { composed, graphemesMax, lengthOf } from "./length.ts";
import { uploaded } from "./media.ts";
import { recordKeyOf } from "./record-key.ts";
import type { Account, Sessions } from "./session.ts";

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
