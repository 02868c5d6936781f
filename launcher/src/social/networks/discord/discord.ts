// The network "discord": posts to a channel through a webhook (https://docs.discord.com/developers/resources/webhook),
// without a bot or a password.

import { type AccountLimits, fieldError, type Message, payloadInvalid } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type {
  APIWebhook,
  RESTAPIAttachment,
  RESTPostAPIWebhookWithTokenJSONBody,
  WebhookType,
} from "discord-api-types/v10";
import { failureMessage, isRequestCutShort } from "../../../outbound/failure.ts";
import { readJsonObject } from "../../../outbound/response.ts";
import { openMediaFile } from "../media-file.ts";
import type { AttemptContext, ConnectedAccount, Credentials, Network, OutgoingPost, SendOutcome } from "../network.ts";
import { channelPage, parseWebhookUrl, withoutThread } from "./address.ts";
import { discordMessage, messages } from "./messages.ts";
import { discordRateLimitEnd, discordStopReasons, outcomeOfAnswer } from "./outcome.ts";

/**
 * Puts the content warning at the start of the text, because Discord has no field for one. The footage is marked as a
 * spoiler.
 */
const composed = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `Content warning: ${contentWarning}\n\n${text}`;

/** Discord counts code points, as its staff says in issue 1315 of discord/discord-api-docs. */
const length = (text: string): number => [...text].length;

/** Makes the form of a post, as …/resources/webhook#execute-webhook describes it. Rejects if the footage cannot be read. */
async function createForm(post: OutgoingPost, altTextMax: number, onProgress: (share: number) => void) {
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
  const stop = discordStopReasons[status];
  if (stop !== undefined) return answered(stopped(stop));
  if (status === 429)
    return answered({
      outcome: "later",
      says: discordMessage("discord.rate_limit"),
      notBeforeMs: discordRateLimitEnd(answer.headers, body, now()),
    });
  if (status >= 500)
    return answered({ outcome: "later", says: discordMessage("discord.failed", { status }), notBeforeMs: null });
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
];

export const discord: Network = {
  kind: "discord",
  position: 1,
  messages,
  name: "Discord",
  about: "A channel, through its webhook",
  icon: "M2 3h12v8H8.2L5 13.8V11H2V3Z M5.7 7v.1 M10.3 7v.1",
  fields: [
    {
      name: "url",
      label: "Webhook URL",
      help: "In Discord: the channel's settings, Integrations, Webhooks, New Webhook, Copy Webhook URL.",
      example: "https://discord.com/api/webhooks/…",
      secret: true,
    },
  ],
  exportBytesMax: limits.videoBytesMax,
  limits,
  textLength: length,
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

  async send({ url = "", guild = "" }, post, accountLimits, needs) {
    const { outbound, signal, now } = needs;
    let form: FormData;
    try {
      form = await createForm(post, accountLimits.altTextMax, needs.onProgress);
    } catch {
      return { outcome: "later", says: message("footage.not_read"), notBeforeMs: null };
    }
    const target = new URL(url);
    target.searchParams.set("wait", "true");
    await needs.markCommitted();
    try {
      const init = { method: "POST", headers, body: form, signal, withinMs: timeoutMs(post.media?.bytes ?? 0) };
      return await outcomeOfAnswer(await outbound.clientFor(url).fetch(target, init), { url, guild, nowMs: now() });
    } catch (error) {
      // Discord creates no post from an incomplete form, so a repeat is safe.
      if (isRequestCutShort(error)) return { outcome: "later", says: failureMessage(error), notBeforeMs: null };
      throw error;
    }
  },
};
