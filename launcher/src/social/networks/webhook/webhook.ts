// The network "webhook": sends posts as JSON to any https address, signed according to Standard Webhooks. The smallest
// network, and the model for new ones.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type AccountLimits, altTextCharsMax, type Message, postTextCharsMax, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage } from "../../../outbound/failure.ts";
import { retryAfterMs } from "../../../outbound/response.ts";
import type {
  AttemptContext,
  ConnectedAccount,
  Credentials,
  Network,
  OutgoingPost,
  PostMedia,
  SendOutcome,
} from "../network.ts";
import { limitedBy } from "../server-answer.ts";
import { messages, webhookMessage } from "./messages.ts";

// The payload: one JSON document with the footage in it. In a form, the file would not be signed, and a
// link would need a server. The cost: a third more bytes, and a size limit.

/** Maximum size of a file. In base64, it keeps the body below 11 MiB. */
const mediaBytesMax = 8 * 1024 * 1024;

export type WebhookPayload = {
  /** `kit.test` marks a test message. */
  readonly type: "post.created" | "kit.test";
  /** When the event happened, in ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly post: string;
    /** Null if a person made the post from a clip. */
    readonly event: string | null;
    readonly eventId: string | null;
    readonly game: string | null;
    readonly at: string;
    readonly text: string;
    readonly contentWarning: string;
    readonly visibility: OutgoingPost["visibility"];
    readonly altText: string;
    /** In the body, this object has one more member: `base64`, with the whole file. */
    readonly media: Omit<PostMedia, "path"> | null;
  };
};

function createWebhookPayload({
  source,
  text,
  contentWarning,
  visibility,
  altText,
  media,
}: OutgoingPost): WebhookPayload {
  const at = new Date(source.atMs).toISOString();
  const { post, event, eventId, game } = source;
  const described = media && {
    kind: media.kind,
    mime: media.mime,
    bytes: media.bytes,
    seconds: media.seconds,
    width: media.width,
    height: media.height,
  };
  return {
    type: "post.created",
    timestamp: at,
    data: { post, event, eventId, game, at, text, contentWarning, visibility, altText, media: described },
  };
}

/** The size of a piece is a multiple of three, because base64 encodes three bytes together. */
const pieceBytes = 192 * 1024;

/** Encodes the document in pieces, so that a video does not block the thread for long. Rejects if the file cannot be read. */
async function encodeWebhookBody(payload: WebhookPayload, path: string | undefined): Promise<Buffer[]> {
  const text = JSON.stringify(payload);
  if (path === undefined || payload.data.media === null) return [Buffer.from(text)];
  // `media` is the last member, so the text ends with the three braces of media, data and the document.
  const pieces = [Buffer.from(`${text.slice(0, -"}}}".length)},"base64":"`)];
  let rest = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mediaBytesMax) throw new Error("The file has grown since it was prepared.");
    const whole = Buffer.concat([rest, chunk]);
    const even = whole.length - (whole.length % 3);
    pieces.push(Buffer.from(whole.toString("base64", 0, even)));
    rest = whole.subarray(even);
  }
  pieces.push(Buffer.from(`${rest.toString("base64")}"}}}`));
  return pieces;
}

const stopReasons: Readonly<Record<number, Message>> = {
  401: webhookMessage("webhook.needs_authentication"),
  403: webhookMessage("webhook.refuses_kit"),
  404: webhookMessage("webhook.nothing_there"),
  405: webhookMessage("webhook.takes_no_posts"),
  410: webhookMessage("webhook.gone"),
};

/** The statuses below 500 that mean a temporary failure. */
const temporaryStatuses = new Set([408, 425, 429]);

/**
 * Interprets the receiver's answer (https://www.standardwebhooks.com, "Delivery success and failure"). Any temporary failure is
 * tried again, because the receiver recognises a repeat by its id.
 */
function outcomeOf({ status, headers }: Response, nowMs: number): SendOutcome {
  const notBeforeMs = retryAfterMs(headers, nowMs);
  if (status >= 200 && status < 300) return { outcome: "sent", link: null, restUntilMs: notBeforeMs, notes: [] };
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: webhookMessage("webhook.redirected", { status }),
    };
  const stop = stopReasons[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  if (status === 429)
    return { outcome: "later", says: webhookMessage("webhook.rate_limit"), notBeforeMs, limits: limitedBy(headers) };
  if (status >= 500 || temporaryStatuses.has(status))
    return { outcome: "later", says: webhookMessage("webhook.failed", { status }), notBeforeMs };
  if (status === 413) return { outcome: "refused", says: webhookMessage("webhook.large_post"), isTooLarge: true };
  return { outcome: "refused", says: webhookMessage("webhook.post_refused", { status }) };
}

const prefix = "whsec_";
/** Limits of the specification for the length of a secret. */
const bytesMin = 24;
const bytesMax = 64;

/** Generates a secret (https://www.standardwebhooks.com, "Signature scheme"). */
const newSecret = (): string => prefix + randomBytes(32).toString("base64");

/** Throws KitError for an invalid secret. */
function parseSecret(text: string, path: string): string {
  const secret = text.trim();
  const key = secret.startsWith(prefix) ? secret.slice(prefix.length) : "";
  const bytes = Buffer.from(key, "base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(key) && bytes.length >= bytesMin && bytes.length <= bytesMax) return secret;
  return rejectField(path, webhookMessage("webhook.invalid_secret", { least: bytesMin, most: bytesMax }));
}

/**
 * Returns the headers of one attempt, with its signature. Not made by the reference library, because its JavaScript would block
 * the main thread while it hashes a video; OpenSSL hashes in pieces. The tests verify signatures with the reference library.
 */
function signatureHeaders(secret: string, id: string, nowMs: number, body: readonly Buffer[]): Record<string, string> {
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
  // The receiver gets visibility and content warning as data.
  visibility: true,
  contentWarning: true,
};

/**
 * How long to wait for an answer. The specification recommends 15 to 30 s. Footage adds the time of an upload at 64 KiB a
 * second.
 */
const answerWithinMs = 20_000;
const timeoutMs = (bytes: number) => answerWithinMs + Math.ceil(bytes / 64);

const profileOf = (url: string): ConnectedAccount["shown"] => {
  const { host } = new URL(url);
  return { name: host, host, link: null, limits };
};

/** Rejects if no answer arrives. */
async function postPayload(
  access: Credentials,
  id: string,
  body: Buffer[],
  needs: Pick<AttemptContext, "outbound" | "signal" | "now">,
) {
  const { url = "", secret = "" } = access;
  const blob = new Blob(body as Uint8Array<ArrayBuffer>[]);
  const answer = await needs.outbound.clientFor(url).fetch(url, {
    method: "POST",
    headers: { ...signatureHeaders(secret, id, needs.now(), body), "content-type": "application/json" },
    body: blob,
    signal: needs.signal,
    withinMs: timeoutMs(blob.size),
  });
  await answer.body?.cancel().catch(() => undefined);
  return outcomeOf(answer, needs.now());
}

export const webhook: Network = {
  kind: "webhook",
  messages,
  limits,
  textLength: ({ text }) => [...text].length,
  compose: (text) => text,
  linkIsAccount: false,
  // A repeat is safe without a time limit: it has the same id, by which the receiver recognises it.
  idempotentForMs: Number.POSITIVE_INFINITY,

  async connect({ url = "", secret = "" }) {
    const { href } = parseServerUrl(url, "/fields/url");
    const given = secret.trim() === "" ? undefined : parseSecret(secret, "/fields/secret");
    const made = given ?? newSecret();
    const checked = [
      {
        what: webhookMessage("webhook.address"),
        ok: true,
        says: webhookMessage("webhook.valid_url"),
      },
      {
        what: webhookMessage("webhook.signing_secret"),
        ok: true,
        says: given ? webhookMessage("webhook.own_secret") : webhookMessage("webhook.new_secret"),
      },
    ];
    return {
      credentials: { url: href, secret: made },
      shown: profileOf(href),
      checked,
      ...(given === undefined ? { secret: made } : {}),
    };
  },

  async checkAccount(access, needs) {
    const now = new Date(needs.now()).toISOString();
    const nothing = { post: "", event: "", eventId: "kit_test", game: null, at: now };
    const words = {
      text: "This is a test message from Kit.",
      contentWarning: "",
      visibility: "followers",
      altText: "",
    } as const;
    const payload: WebhookPayload = { type: "kit.test", timestamp: now, data: { ...nothing, ...words, media: null } };
    const outcome = await postPayload(
      access,
      `test_${randomUUID()}`,
      await encodeWebhookBody(payload, undefined),
      needs,
    ).catch((error: unknown): SendOutcome => ({ outcome: "later", says: failureMessage(error), notBeforeMs: null }));
    const ok = outcome.outcome === "sent";
    const says = ok ? webhookMessage("webhook.test_accepted") : "says" in outcome ? outcome.says : "";
    return {
      shown: profileOf(access.url ?? ""),
      checked: [{ what: webhookMessage("webhook.test_message"), ok, says }],
      outcome,
    };
  },

  async send(access, post, accountLimits, needs) {
    const { media } = post;
    if (media !== null && media.bytes > accountLimits.videoBytesMax)
      return { outcome: "refused", says: webhookMessage("webhook.large_footage") };
    let body: Buffer[];
    try {
      body = await encodeWebhookBody(createWebhookPayload(post), media?.path);
    } catch {
      return { outcome: "later", says: message("footage.not_read"), notBeforeMs: null };
    }
    await needs.markCommitted();
    return postPayload(access, post.key, body, needs);
  },
};
