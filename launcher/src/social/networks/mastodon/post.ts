// One post, under a key that the server remembers for an hour: a repeat within it answers with the post there is
// (https://docs.joinmastodon.org/methods/statuses/#create).
import { setTimeout as wait } from "node:timers/promises";
import type { AccountLimits, Visibility } from "@kit/contract";
import { restUntilMs } from "../../../outbound/retry-after.ts";
import { fileOf } from "../media-file.ts";
import type { Access, Media, Outcome, Outgoing, TryNeeds } from "../network.ts";
import { type Answer, ask, outcomeOf, textOf } from "./ask.ts";
import { lengthOf } from "./counting.ts";

// Files on their way to a post. Larger ones are prepared while nobody waits: 202, then 206 until they are ready
// (https://docs.joinmastodon.org/methods/media/#v2).

const pollMs = 1_500;
const pollForMs = 5 * 60_000;
const patienceMs = 30_000;
/** Slower than this and an upload is given up. */
const bytesPerMs = 32;

type Attached = { readonly id: string } | { readonly not: Outcome };

const later = (says: string): Attached => ({ not: { outcome: "later", says, notBeforeMs: null } });
const notOf = (answer: Answer, nowMs: number): Attached => ({ not: outcomeOf(answer, nowMs, false) });

async function upload(access: Access, file: File, altText: string, needs: TryNeeds): Promise<Answer> {
  const body = new FormData();
  body.set("file", file);
  if (altText !== "") body.set("description", altText);
  const withinMs = patienceMs + Math.ceil(file.size / bytesPerMs);
  return ask(access, needs.reach, "/api/v2/media", { method: "POST", body, signal: needs.signal, withinMs });
}

async function ready(access: Access, id: string, needs: TryNeeds): Promise<Attached> {
  const { reach, signal, now, remember } = needs;
  const untilMs = now() + pollForMs;
  for (;;) {
    const answer = await ask(access, reach, `/api/v1/media/${encodeURIComponent(id)}`, { signal });
    if (answer.status === 200) {
      // Once a post has it, the server answers as if it were not there: it is not asked for again.
      await remember({ ready: "yes" });
      return { id };
    }
    if (answer.status === 404 || answer.status === 422) await remember({ media: "" });
    if (answer.status === 404) return later("The server has thrown the uploaded file away; it is uploaded again.");
    if (answer.status !== 206) return notOf(answer, now());
    if (now() > untilMs) return later("The server still prepares the file.");
    await wait(pollMs, undefined, { signal });
  }
}

/** The id of the uploaded file: an earlier try's, where there was one. Rejects when there was no answer. */
async function attached(access: Access, media: Media, altText: string, needs: TryNeeds): Promise<Attached> {
  const { remembered, remember, now } = needs;
  if (remembered.media) return remembered.ready ? { id: remembered.media } : ready(access, remembered.media, needs);
  const file = await fileOf(media, media.kind, needs.onProgress).catch(() => undefined);
  if (file === undefined) return later("The footage could not be read from the disk.");
  const answer = await upload(access, file, altText, needs);
  if (answer.status !== 200 && answer.status !== 202) return notOf(answer, now());
  const id = textOf(answer.said, "id");
  if (id === "") return later("The server's answer to the upload cannot be read.");
  await remember(answer.status === 200 ? { media: id, ready: "yes" } : { media: id, ready: "" });
  return answer.status === 200 ? { id } : ready(access, id, needs);
}

const withinMs = 30_000;

const visibilities: Readonly<Record<Visibility, string>> = {
  public: "public",
  unlisted: "unlisted",
  followers: "private",
};

const linkIn = (link: string): string | null => (URL.canParse(link) && /^https?:/.test(link) ? link : null);

async function take(answer: Answer, mediaIsOld: boolean, { now, remember }: TryNeeds): Promise<Outcome> {
  const { status, headers, said } = answer;
  if (status >= 200 && status < 300) {
    // A yes that cannot be read is no yes: the caller takes it for a lost answer.
    if (textOf(said, "id") === "") throw new Error("The server's answer to the post cannot be read");
    return { outcome: "sent", link: linkIn(textOf(said, "url")), restUntilMs: restUntilMs(headers, now()), notes: [] };
  }
  if (status === 422 && mediaIsOld) {
    // A file that no post held is thrown away after a day.
    await remember({ media: "", ready: "" });
    return {
      outcome: "later",
      says: "The server does not take the file that an earlier try uploaded; it is uploaded again.",
      notBeforeMs: null,
    };
  }
  return outcomeOf(answer, now(), true);
}

export async function send(
  access: Access,
  post: Outgoing,
  { textMax }: Pick<AccountLimits, "textMax">,
  needs: TryNeeds,
): Promise<Outcome> {
  // The warning counts as well.
  if (lengthOf(post.text) + lengthOf(post.contentWarning) > textMax)
    return {
      outcome: "refused",
      says: `The server takes ${textMax} characters. Make the text or its warning shorter.`,
    };
  const file = post.media === null ? null : await attached(access, post.media, post.altText, needs);
  if (file !== null && "not" in file) return file.not;
  const body = JSON.stringify({
    status: post.text,
    visibility: visibilities[post.visibility],
    ...(file !== null && { media_ids: [file.id] }),
    ...(post.contentWarning !== "" && { spoiler_text: post.contentWarning }),
  });
  const headers = { "content-type": "application/json", "idempotency-key": post.key };
  await needs.committing();
  const init = { method: "POST", headers, body, signal: needs.signal, withinMs };
  const answer = await ask(access, needs.reach, "/api/v1/statuses", init);
  return take(answer, Boolean(needs.remembered.media), needs);
}
