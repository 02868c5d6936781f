// A channel of Discord, by its webhook (https://docs.discord.com/developers/resources/webhook): no bot, no account's password.
import { type AccountLimits, KitError } from "@kit/contract";
import type {
  APIWebhook,
  RESTAPIAttachment,
  RESTPostAPIWebhookWithTokenJSONBody,
  WebhookType,
} from "discord-api-types/v10";
import { objectOf } from "../../../outbound/bounded.ts";
import { faultOf, sentInPart } from "../../../outbound/fault.ts";
import { fileOf } from "../media-file.ts";
import type { Access, Connected, Network, Outcome, Outgoing, TryNeeds } from "../network.ts";
import { bareUrlOf, pageOf, webhookUrlOf } from "./address.ts";
import { stops, verdictOn, waitOf } from "./verdict.ts";

// A post as Discord takes it (https://docs.discord.com/developers/resources/webhook#execute-webhook).

/** Discord has no content warnings: the text begins with it, and the footage is covered until it is clicked. */
const composed = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `Content warning: ${contentWarning}\n\n${text}`;

/** As Discord counts: code points (its staff in discord/discord-api-docs, issue 1315). */
const length = (text: string): number => [...text].length;

/** Rejects when the footage cannot be read. */
async function formOf(post: Outgoing, altTextMax: number, onProgress: (share: number) => void) {
  const { media, contentWarning, altText } = post;
  const attachments: RESTAPIAttachment[] = [];
  const form = new FormData();
  if (media !== null) {
    const isCovered = contentWarning !== "";
    // Where `is_spoiler` is not known yet, the name covers it.
    const file = await fileOf(media, `${isCovered ? "SPOILER_" : ""}${media.kind}`, onProgress);
    if (file.size !== media.bytes) throw new Error("The file is not the one that was prepared.");
    attachments.push({
      id: 0,
      filename: file.name,
      ...(altText === "" ? {} : { description: [...altText].slice(0, altTextMax).join("") }),
      ...(isCovered ? { is_spoiler: true } : {}),
    });
    form.append("files[0]", file);
  }
  const message: RESTPostAPIWebhookWithTokenJSONBody = {
    content: composed(post.text, contentWarning),
    // Nobody is called, whatever names a game put into the text.
    allowed_mentions: { parse: [] },
    ...(attachments.length === 0 ? {} : { attachments }),
  };
  form.append("payload_json", JSON.stringify(message));
  return form;
}

/** The default of each file; servers with boosts take more, which a webhook is not told (https://docs.discord.com/developers/reference#uploading-files). */
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

/** Its library has the number too, and takes 60 ms to load. */
const incoming: WebhookType.Incoming = 1;

/** Discord asks for this form, and may block what has none. */
const headers = { "user-agent": "DiscordBot (kit-launcher, 1)" };

const answerWithinMs = 20_000;
/** An upload may take its time: 64 KiB a second. */
const withinMs = (bytes: number) => answerWithinMs + Math.ceil(bytes / 64);

const shownOf = ({ url = "", name = "", guild, channel }: Access): Connected["shown"] => ({
  name,
  host: new URL(url).host,
  link: pageOf(url, guild, channel),
  limits,
});

type Seen = { readonly access: Access; readonly outcome: Outcome };

const yes: Outcome = { outcome: "sent", link: null, restUntilMs: null, notes: [] };
const notIt = (says: string): Outcome => ({ outcome: "stopped", says });

/** What Discord says of the webhook now. */
async function seen(access: Access, { reach, signal, now }: Pick<TryNeeds, "reach" | "signal" | "now">): Promise<Seen> {
  const { url = "" } = access;
  const bare = bareUrlOf(url);
  const answered = (outcome: Outcome): Seen => ({ access, outcome });
  let answer: Response;
  try {
    answer = await reach.to(url).fetch(bare, { headers, signal });
  } catch (error) {
    return answered({ outcome: "later", says: faultOf(error), notBeforeMs: null });
  }
  const { status } = answer;
  const body = await objectOf(answer);
  const stop = stops[status];
  if (stop !== undefined) return answered(notIt(stop));
  if (status === 429)
    return answered({
      outcome: "later",
      says: "Discord has a rate limit (429).",
      notBeforeMs: waitOf(answer.headers, body, now()),
    });
  if (status >= 500) return answered({ outcome: "later", says: `Discord failed (${status}).`, notBeforeMs: null });
  const { name, type, guild_id: guild, channel_id: channel } = (body ?? {}) as Partial<APIWebhook>;
  if (status !== 200 || typeof type !== "number")
    return answered(
      notIt(`What answers there is no webhook of Discord (${status}). Give the address that Copy Webhook URL gives.`),
    );
  if (type !== incoming)
    return answered(notIt("This webhook takes no posts. Make a new one in the channel's settings."));
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, 100) : "");
  return { access: { url, name: text(name) || "Webhook", guild: text(guild), channel: text(channel) }, outcome: yes };
}

const checkedOf = ({ access, outcome }: Seen): Connected["checked"] => [
  {
    what: "Webhook",
    ok: outcome.outcome === "sent",
    says: "says" in outcome ? outcome.says : `Discord knows it as “${access.name}”.`,
  },
];

export const discord: Network = {
  kind: "discord",
  limits,
  length,
  composed,
  // Webhooks have no idempotency keys.
  repeatsForMs: 0,

  async connect({ url = "" }, needs) {
    const found = await seen({ url: webhookUrlOf(url) }, needs);
    const { access, outcome } = found;
    if ("says" in outcome)
      throw new KitError("payload_invalid", outcome.says, [{ path: "/fields/url", message: outcome.says }]);
    return { access, shown: shownOf(access), checked: checkedOf(found) };
  },

  async look(access, needs) {
    const found = await seen(access, needs);
    return { shown: shownOf(found.access), checked: checkedOf(found), outcome: found.outcome };
  },

  async send({ url = "", guild = "" }, post, accountLimits, needs) {
    const { reach, signal, now } = needs;
    let form: FormData;
    try {
      form = await formOf(post, accountLimits.altTextMax, needs.onProgress);
    } catch {
      return { outcome: "later", says: "The footage could not be read from the disk.", notBeforeMs: null };
    }
    const target = new URL(url);
    target.searchParams.set("wait", "true");
    await needs.committing();
    try {
      const init = { method: "POST", headers, body: form, signal, withinMs: withinMs(post.media?.bytes ?? 0) };
      return await verdictOn(await reach.to(url).fetch(target, init), { url, guild, nowMs: now() });
    } catch (error) {
      // A form that did not go out whole is none: Discord made nothing of it.
      if (sentInPart(error)) return { outcome: "later", says: faultOf(error), notBeforeMs: null };
      throw error;
    }
  },
};
