// Any https address that takes posts as JSON, signed as Standard Webhooks has it. The smallest network: the pattern for others.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { type AccountLimits, altTextCharsMax, KitError, postTextCharsMax } from "@kit/contract";
import { checkedUrl } from "../../../outbound/address.ts";
import { faultOf } from "../../../outbound/fault.ts";
import { restUntilMs } from "../../../outbound/retry-after.ts";
import type { Access, Connected, Network, Outcome, TryNeeds } from "../network.ts";
import { bodyOf, mediaBytesMax, type Payload, payloadOf } from "./payload.ts";

const stops: Readonly<Record<number, string>> = {
  401: "The receiver asks who sends this (401). Give the account the address that belongs to it, then test it.",
  403: "The receiver refuses posts from here (403). Look at the receiver's settings, then test the account.",
  404: "There is nothing at this address (404). Give the account the right one, then test it.",
  405: "This address takes no posts (405). Give the account the right one, then test it.",
  410: "The receiver wants no more posts (410). Give the account another address, or remove it.",
};

const refusals: Readonly<Record<number, string>> = {
  413: "The post is too large for the receiver (413). Send it without footage, or have the receiver take more.",
};

/** Those whose moment passes, though they begin with a 4. */
const passing = new Set([408, 425, 429]);

/**
 * What a receiver's answer means (https://www.standardwebhooks.com, "Delivery success and failure"). A repeat has the same id,
 * by which the receiver knows it, so whatever may pass is tried again.
 */
function verdictOn({ status, headers }: Response, nowMs: number): Outcome {
  const notBeforeMs = restUntilMs(headers, nowMs);
  if (status >= 200 && status < 300) return { outcome: "sent", link: null, restUntilMs: notBeforeMs, notes: [] };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: `The receiver sends on to another address (${status}), which is not followed. Give the account the address it moved to.`,
    };
  const stop = stops[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429) return { outcome: "later", says: "The receiver asks for fewer posts (429).", notBeforeMs };
  if (status >= 500 || passing.has(status))
    return { outcome: "later", says: `The receiver failed (${status}).`, notBeforeMs };
  const says = refusals[status] ?? `The receiver does not take this post (${status}).`;
  return { outcome: "refused", says };
}

const prefix = "whsec_";
/** What the specification asks of a secret. */
const bytesMin = 24;
const bytesMax = 64;

/**
 * Signatures as Standard Webhooks has them (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA256 over id, time and body.
 */
const newSecret = (): string => prefix + randomBytes(32).toString("base64");

/** Throws KitError for what is no secret. */
function checkedSecret(text: string, path: string): string {
  const secret = text.trim();
  const key = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
  const bytes = Buffer.from(key, "base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(key) && bytes.length >= bytesMin && bytes.length <= bytesMax) return secret;
  const message = `must be whsec_ and ${bytesMin} to ${bytesMax} bytes in base64; leave it empty to have one made`;
  throw new KitError("payload_invalid", `${path} ${message}.`, [{ path, message }]);
}

/**
 * The headers of one try. The reference library hashes in JavaScript, from one string: with a video that holds up the thread
 * that games are answered by. OpenSSL takes it in pieces, and the tests verify with the reference library.
 */
function signed(secret: string, id: string, nowMs: number, body: readonly Buffer[]): Record<string, string> {
  const seconds = Math.floor(nowMs / 1_000);
  const hmac = createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"));
  hmac.update(`${id}.${seconds}.`);
  for (const piece of body) hmac.update(piece);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": `v1,${hmac.digest("base64")}`,
  };
}

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
