// The network "discord": posts to a channel through a webhook (https://docs.discord.com/developers/resources/webhook),
// without a bot or a password.
import { type AccountLimits, fieldError, type Message, payloadInvalid, rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type {
  APIMessage,
  APIWebhook,
  RESTAPIAttachment,
  RESTError,
  RESTPostAPIWebhookWithTokenJSONBody,
  RESTRateLimit,
  WebhookType,
} from "discord-api-types/v10";
import { isLocalHost, parseServerUrl } from "../../../outbound/address.ts";
import { failureMessage, isRequestCutShort } from "../../../outbound/failure.ts";
import { readJsonObject, retryAfterMs } from "../../../outbound/response.ts";
import { openMediaFile } from "../media-file.ts";
import type { AttemptContext, ConnectedAccount, Credentials, Network, OutgoingPost, SendOutcome } from "../network.ts";
import { isGatewayFailure, plainServerMessage } from "../server-answer.ts";
import { discordMessage, messages } from "./messages.ts";

// The URL of a webhook is a secret and never shown, because whoever has it can post.

const hosts = new Set(["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"]);
const path = /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{15,25})\/([A-Za-z0-9_-]{20,200})\/?$/;

/** Each URL names the version: without one, Discord uses version 6, whose times are in milliseconds. */
const version = "v10";
const field = "/fields/url";

/**
 * Returns the URL for requests. Its only query parameter is the thread, if there is one. Throws KitError for an invalid URL.
 */
export function parseWebhookUrl(text: string): string {
  const url = parseServerUrl(text, field);
  const isOwn = isLocalHost(url.hostname);
  if (!isOwn && (!hosts.has(url.hostname) || url.port !== ""))
    rejectField(field, discordMessage("discord.not_discord"));
  const [, id, token] = path.exec(url.pathname) ?? [];
  if (id === undefined || token === undefined) rejectField(field, discordMessage("discord.incomplete_url"));
  const thread = url.searchParams.get("thread_id");
  if (thread !== null && !/^\d{15,25}$/.test(thread)) rejectField(field, discordMessage("discord.invalid_thread"));
  const origin = isOwn ? url.origin : "https://discord.com";
  return `${origin}/api/${version}/webhooks/${id}/${token}${thread === null ? "" : `?thread_id=${thread}`}`;
}

/** Removes the thread, which only the request that posts may name. */
function withoutThread(url: string): string {
  const bare = new URL(url);
  bare.search = "";
  return bare.href;
}

/** Returns the URL of a channel or message in Discord, or null if an id is not valid. */
function channelPage(url: string, ...ids: readonly unknown[]): string | null {
  const known = ids.every((id) => typeof id === "string" && /^\d{15,25}$/.test(id));
  return known ? `${new URL(url).origin}/channels/${ids.join("/")}` : null;
}

// Interprets Discord's answer to a post (https://docs.discord.com/developers/topics/opcodes-and-status-codes and
// /topics/rate-limits). A repeat could be a second post, so only a post that was certainly not created is tried again.

const discordStopReasons: Readonly<Record<number, Message>> = {
  401: discordMessage("discord.webhook_rejected"),
  403: discordMessage("discord.webhook_refused"),
  404: discordMessage("discord.webhook_or_thread_gone"),
  410: discordMessage("discord.webhook_gone"),
};

/** Returns when the rate limit ends. If headers and body differ, the later time. */
function discordRateLimitEnd(
  headers: Headers,
  limit: Partial<RESTRateLimit> | undefined,
  nowMs: number,
): number | null {
  const inHeaders = retryAfterMs(headers, nowMs);
  const said = retryAfterMs(new Headers({ "retry-after": String(limit?.retry_after ?? "") }), nowMs);
  return inHeaders === null || said === null ? (inHeaders ?? said) : Math.max(inHeaders, said);
}

/** Discord counts the posts of a webhook, and all requests. A limit without `retry_after` is not from Discord's API. */
function limitedBy(headers: Headers, limit: Partial<RESTRateLimit> | undefined): "destination" | "host" {
  const isGlobal =
    limit?.global === true ||
    headers.get("x-ratelimit-global") === "true" ||
    headers.get("x-ratelimit-scope") === "global";
  return isGlobal || typeof limit?.retry_after !== "number" ? "host" : "destination";
}

/** Returns the first reason inside `errors`, in which Discord nests reasons by form field. */
function innermostReason(errors: unknown, depth = 0): string {
  if (typeof errors !== "object" || errors === null || depth > 8) return "";
  const { _errors: list } = errors as { readonly _errors?: unknown };
  if (Array.isArray(list)) return plainServerMessage((list[0] as { readonly message?: unknown } | undefined)?.message);
  for (const inner of Object.values(errors).slice(0, 20)) {
    const reason = innermostReason(inner, depth + 1);
    if (reason !== "") return reason;
  }
  return "";
}

function refusal(status: number, error: Partial<RESTError> | undefined): Message {
  const words = [plainServerMessage(error?.message), innermostReason(error?.errors)].filter((each) => each !== "");
  return words.length === 0
    ? discordMessage("discord.post_refused", { status })
    : discordMessage("discord.post_refused_because", { status, reason: words.join(": ") });
}

type DiscordAnswer = Pick<Response, "status" | "headers"> & {
  readonly body: Awaited<ReturnType<typeof readJsonObject>>;
};

/** Codes of refusals (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json). */
const codes = { tooLarge: 40005, tagRequired: 40067, threadRequired: 220001, noForum: 220003 };

function outcomeOfAnswer(
  { status, headers, body }: DiscordAnswer,
  { url, guild, nowMs }: { url: string; guild: string; nowMs: number },
): SendOutcome {
  if (status >= 200 && status < 300) {
    const { id, channel_id: channel } = (body ?? {}) as Partial<APIMessage>;
    // Discord confirms a post by returning it. An answer without the post may come from a proxy.
    if (typeof id !== "string")
      return { outcome: "maybe", says: discordMessage("discord.unreadable_answer", { status }) };
    return {
      outcome: "sent",
      link: channelPage(url, guild, channel, id),
      restUntilMs: retryAfterMs(headers, nowMs),
      notes: [],
    };
  }
  if (status >= 300 && status < 400)
    return {
      outcome: "stopped",
      says: discordMessage("discord.redirected", { status }),
    };
  if (status === 429)
    return {
      outcome: "later",
      says: discordMessage("discord.rate_limit"),
      notBeforeMs: discordRateLimitEnd(headers, body, nowMs),
      limits: limitedBy(headers, body),
    };
  if (status === 408 || isGatewayFailure(status, headers))
    return {
      outcome: "later",
      says: discordMessage("discord.not_reached", { status }),
      notBeforeMs: retryAfterMs(headers, nowMs),
    };
  const stop = discordStopReasons[status];
  if (stop !== undefined) return { outcome: "stopped", says: stop };
  // Even after 503 the post may exist, because Discord may have failed after it created the post.
  if (status >= 500) return { outcome: "maybe", says: discordMessage("discord.failed_posting", { status }) };
  const code = body?.code;
  if (code === codes.tagRequired) return { outcome: "stopped", says: discordMessage("discord.tag_required") };
  if (status === 413 || code === codes.tooLarge)
    return {
      outcome: "refused",
      says: discordMessage("discord.large_footage"),
      isTooLarge: true,
    };
  return { outcome: "refused", says: refusal(status, body as Partial<RESTError>) };
}

/**
 * Puts the content warning at the start of the text, because Discord has no field for one. The footage is marked as a
 * spoiler.
 */
const composed = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `Content warning: ${contentWarning}\n\n${text}`;

/** Discord counts code points, as its staff says in issue 1315 of discord/discord-api-docs. */
const length = (text: string): number => [...text].length;

/** Discord requires 1 to 100 characters. Counted as UTF-16, which is never less than what Discord counts. */
function threadName(title: string): string {
  let name = "";
  for (const character of title) {
    if (name.length + character.length > 100) break;
    name += character;
  }
  return name.trim() || "Kit";
}

/** Makes the form of a post, as …/resources/webhook#execute-webhook describes it. Rejects if the footage cannot be read. */
async function createForm(
  post: OutgoingPost,
  { altTextMax, isThread }: { altTextMax: number; isThread: boolean },
  onProgress: (share: number) => void,
) {
  const { media, contentWarning, altText } = post;
  const attachments: RESTAPIAttachment[] = [];
  const form = new FormData();
  if (media !== null) {
    const isCovered = contentWarning !== "";
    // Clients that do not know `is_spoiler` recognise a spoiler by its file name.
    const file = await openMediaFile(media, `${isCovered ? "SPOILER_" : ""}${media.kind}`, onProgress);
    if (file.size !== media.bytes) throw new Error("The file is not the one that was prepared.");
    attachments.push({
      id: 0,
      filename: file.name,
      ...(altText === "" ? {} : { description: [...altText].slice(0, altTextMax).join("") }),
      ...(isCovered ? { is_spoiler: true } : {}),
    });
    form.append("files[0]", file);
  }
  const payload: RESTPostAPIWebhookWithTokenJSONBody = {
    content: composed(post.text, contentWarning),
    ...(isThread && { thread_name: threadName(post.title) }),
    // Nobody is mentioned, because names in the text may come from a game.
    allowed_mentions: { parse: [] },
    ...(attachments.length === 0 ? {} : { attachments }),
  };
  form.append("payload_json", JSON.stringify(payload));
  return form;
}

/**
 * Discord's default limit of a file, also for webhooks, since 3 September 2026; before, it was 10 MiB
 * (https://docs.discord.com/developers/reference#uploading-files, and the change log). A server can have another one, which
 * a webhook cannot find out.
 */
const fileBytesMax = 20 * 1024 * 1024;

/** The limit until September 2026, which a server may still have. */
const earlierFileBytesMax = 10 * 1024 * 1024;

const limits: AccountLimits = {
  textMax: 2_000,
  counts: "characters",
  imageBytesMax: fileBytesMax,
  videoBytesMax: fileBytesMax,
  videoSecondsMax: null,
  videoPixelsMax: null,
  videoFrameRateMax: null,
  altTextMax: 1_024,
  visibility: false,
  contentWarning: false,
};

/** The value from discord-api-types, which is not imported because loading that package takes 60 ms. */
const incomingWebhook: WebhookType.Incoming = 1;

/** Discord requires a User-Agent of this form, and may block clients with another one. */
const headers = { "user-agent": "DiscordBot (kit-launcher, 1)" };

const answerWithinMs = 20_000;
/** Allows the time for an answer, and for an upload of 64 KiB a second. */
const timeoutMs = (bytes: number) => answerWithinMs + Math.ceil(bytes / 64);

const profileOf = ({ url = "", name = "", guild, channel }: Credentials): ConnectedAccount["shown"] => ({
  name,
  host: new URL(url).host,
  link: channelPage(url, guild, channel),
  limits,
});

type WebhookLookup = { readonly access: Credentials; readonly outcome: SendOutcome };

const confirmed: SendOutcome = { outcome: "sent", link: null, restUntilMs: null, notes: [] };
const stopped = (says: Message): SendOutcome => ({ outcome: "stopped", says });

async function lookUpWebhook(
  access: Credentials,
  { outbound, signal, now }: Pick<AttemptContext, "outbound" | "signal" | "now">,
): Promise<WebhookLookup> {
  const { url = "" } = access;
  const bare = withoutThread(url);
  const answered = (outcome: SendOutcome): WebhookLookup => ({ access, outcome });
  let answer: Response;
  try {
    answer = await outbound.clientFor(url).fetch(bare, { headers, signal });
  } catch (error) {
    return answered({ outcome: "later", says: failureMessage(error), notBeforeMs: null });
  }
  const { status } = answer;
  const body = await readJsonObject(answer);
  if (status >= 500 || isGatewayFailure(status, answer.headers))
    return answered({ outcome: "later", says: discordMessage("discord.failed", { status }), notBeforeMs: null });
  const stop = discordStopReasons[status];
  if (stop !== undefined) return answered(stopped(stop));
  if (status === 429)
    return answered({
      outcome: "later",
      says: discordMessage("discord.rate_limit"),
      notBeforeMs: discordRateLimitEnd(answer.headers, body, now()),
      limits: limitedBy(answer.headers, body),
    });
  const { name, type, guild_id: guild, channel_id: channel } = (body ?? {}) as Partial<APIWebhook>;
  if (status !== 200 || typeof type !== "number")
    return answered(stopped(discordMessage("discord.not_a_webhook", { status })));
  if (type !== incomingWebhook) return answered(stopped(discordMessage("discord.webhook_takes_no_posts")));
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 100) : "");
  return {
    access: { url, name: text(name) || "Webhook", guild: text(guild), channel: text(channel) },
    outcome: confirmed,
  };
}

const checksOf = ({ access, outcome }: WebhookLookup): ConnectedAccount["checked"] => [
  {
    what: discordMessage("discord.webhook"),
    ok: outcome.outcome === "sent",
    says: "says" in outcome ? outcome.says : discordMessage("discord.webhook_name", { name: access.name ?? "" }),
  },
  ...(outcome.outcome === "sent"
    ? [{ what: discordMessage("discord.posting"), ok: true, says: discordMessage("discord.posting_untried") }]
    : []),
];

export const discord: Network = {
  kind: "discord",
  messages,
  limits,
  smallerBytes: earlierFileBytesMax,
  textLength: ({ text, contentWarning }) => length(composed(text, contentWarning)),
  compose: composed,
  linkIsAccount: false,
  // A webhook takes no idempotency key, so each repeat would be another post.
  idempotentForMs: 0,

  async connect({ url = "" }, needs) {
    const found = await lookUpWebhook({ url: parseWebhookUrl(url) }, needs);
    const { access, outcome } = found;
    if ("says" in outcome) throw payloadInvalid(outcome.says, fieldError("/fields/url", outcome.says));
    return { credentials: access, shown: profileOf(access), checked: checksOf(found) };
  },

  async checkAccount(access, needs) {
    const found = await lookUpWebhook(access, needs);
    return { shown: profileOf(found.access), checked: checksOf(found), outcome: found.outcome };
  },

  async send({ url = "", guild = "" }, post, { altTextMax }, needs) {
    const { outbound, signal, now, learned, learn } = needs;
    const target = new URL(url);
    const mayBeThread = !target.searchParams.has("thread_id");
    target.searchParams.set("wait", "true");
    let isMarked = false;
    /** Returns undefined if the footage cannot be read. */
    const request = async (isThread: boolean): Promise<DiscordAnswer | undefined> => {
      const form = await createForm(post, { altTextMax, isThread }, needs.onProgress).catch(() => undefined);
      if (form === undefined) return undefined;
      if (!isMarked) await needs.markCommitted();
      isMarked = true;
      const init = { method: "POST", headers, body: form, signal, withinMs: timeoutMs(post.media?.bytes ?? 0) };
      const answer = await outbound.clientFor(url).fetch(target, init);
      return { status: answer.status, headers: answer.headers, body: await readJsonObject(answer) };
    };
    try {
      const isThread = mayBeThread && learned.thread === "title";
      let answer = await request(isThread);
      // Only the refusal of a post shows whether its channel is one of threads: a forum or a media channel.
      if (answer?.body?.code === (isThread ? codes.noForum : codes.threadRequired) && mayBeThread) {
        // Without it, the next post is refused once more.
        await learn({ thread: isThread ? "" : "title" }).catch(() => undefined);
        answer = await request(!isThread);
      }
      if (answer !== undefined) return outcomeOfAnswer(answer, { url, guild, nowMs: now() });
      return { outcome: "later", says: message("footage.not_read"), notBeforeMs: null };
    } catch (error) {
      // Discord creates no post from an incomplete form, so a repeat is safe.
      if (isRequestCutShort(error)) return { outcome: "later", says: failureMessage(error), notBeforeMs: null };
      throw error;
    }
  },
};
