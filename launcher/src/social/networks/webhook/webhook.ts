// Any https address that takes posts as JSON, signed as Standard Webhooks has it. The smallest network: the pattern for others.
import { randomUUID } from "node:crypto";
import { type AccountLimits, altTextCharsMax, postTextCharsMax } from "@kit/contract";
import { checkedUrl } from "../../../reach/address.ts";
import { faultOf } from "../../../reach/fault.ts";
import type { Access, Connected, Network, Outcome, TryNeeds } from "../network.ts";
import { bodyOf, mediaBytesMax, type Payload, payloadOf } from "./payload.ts";
import { checkedSecret, newSecret, signed } from "./signature.ts";
import { verdictOn } from "./verdict.ts";

const limits: AccountLimits = {
  textMax: postTextCharsMax,
  counts: "characters",
  imageBytesMax: mediaBytesMax,
  videoBytesMax: mediaBytesMax,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: altTextCharsMax,
  // It gets both as data.
  visibility: true,
  contentWarning: true,
};

/** The specification asks for 15 to 30 s; footage takes its time at 64 KiB a second besides. */
const answerWithinMs = 20_000;
const withinMs = (bytes: number) => answerWithinMs + Math.ceil(bytes / 64);

const shownOf = (url: string): Connected["shown"] => {
  const { host } = new URL(url);
  return { name: host, host, link: null, limits };
};

/** Rejects when no answer came. */
async function posted(access: Access, id: string, body: Buffer[], needs: Pick<TryNeeds, "reach" | "signal" | "now">) {
  const { url = "", secret = "" } = access;
  const blob = new Blob(body as Uint8Array<ArrayBuffer>[]);
  const answer = await needs.reach.to(url).fetch(url, {
    method: "POST",
    headers: { ...signed(secret, id, needs.now(), body), "content-type": "application/json" },
    body: blob,
    signal: needs.signal,
    withinMs: withinMs(blob.size),
  });
  await answer.body?.cancel().catch(() => undefined);
  return verdictOn(answer, needs.now());
}

export const webhook: Network = {
  kind: "webhook",
  limits,
  length: (text) => [...text].length,
  composed: (text) => text,
  // The id stays the same: whoever gets it twice knows.
  repeatsForMs: Number.POSITIVE_INFINITY,

  async connect({ url = "", secret = "" }) {
    const { href } = checkedUrl(url, "/fields/url");
    const given = secret.trim() === "" ? undefined : checkedSecret(secret, "/fields/secret");
    const made = given ?? newSecret();
    const checked = [
      {
        what: "Address",
        ok: true,
        says: "It can be asked. Nothing was sent there: test the account to see it answer.",
      },
      { what: "Signing secret", ok: true, says: given ? "Yours is used." : "One was made. It is shown once." },
    ];
    return {
      access: { url: href, secret: made },
      shown: shownOf(href),
      checked,
      ...(given === undefined ? { secret: made } : {}),
    };
  },

  async look(access, needs) {
    const now = new Date(needs.now()).toISOString();
    const nothing = { post: "", event: "", eventId: "kit_test", game: null, at: now };
    const words = {
      text: "Kit asks whether this arrives.",
      contentWarning: "",
      visibility: "followers",
      altText: "",
    } as const;
    const payload: Payload = { type: "kit.test", timestamp: now, data: { ...nothing, ...words, media: null } };
    const outcome = await posted(access, `test_${randomUUID()}`, await bodyOf(payload, undefined), needs).catch(
      (error: unknown): Outcome => ({ outcome: "later", says: faultOf(error), notBeforeMs: null }),
    );
    const ok = outcome.outcome === "sent";
    const says = ok ? "The receiver took a message marked as a test." : "says" in outcome ? outcome.says : "";
    return { shown: shownOf(access.url ?? ""), checked: [{ what: "Test message", ok, says }], outcome };
  },

  async send(access, post, accountLimits, needs) {
    const { media } = post;
    if (media !== null && media.bytes > accountLimits.videoBytesMax)
      return { outcome: "refused", says: "The footage is larger than a webhook gets." };
    let body: Buffer[];
    try {
      body = await bodyOf(payloadOf(post), media?.path);
    } catch {
      return { outcome: "later", says: "The footage could not be read from the disk.", notBeforeMs: null };
    }
    await needs.committing();
    return posted(access, post.key, body, needs);
  },
};
