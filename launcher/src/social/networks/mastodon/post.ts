// One post, under a key that the server remembers for an hour: a repeat within it answers with the post there is
// (https://docs.joinmastodon.org/methods/statuses/#create).
import type { AccountLimits, Visibility } from "@kit/contract";
import { restUntilMs } from "../../../reach/retry-after.ts";
import type { Access, Outcome, Outgoing, TryNeeds } from "../network.ts";
import { type Answer, ask, outcomeOf, textOf } from "./ask.ts";
import { lengthOf } from "./counting.ts";
import { attached } from "./media.ts";

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
