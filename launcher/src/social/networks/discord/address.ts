// The address of a channel's webhook. Whoever has it may post there, so it is checked to the last character and never shown.
import { KitError } from "@kit/contract";
import { checkedUrl, isOwnHost } from "../../../outbound/address.ts";

const hosts = new Set(["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"]);
const path = /^\/api(?:\/v\d{1,2})?\/webhooks\/(\d{15,25})\/([A-Za-z0-9_-]{20,200})\/?$/;

/** Without a version Discord answers as its sixth, whose times are in milliseconds. */
const version = "v10";

function refuse(message: string): never {
  throw new KitError("payload_invalid", `/fields/url ${message}.`, [{ path: "/fields/url", message }]);
}

/** As requests go to it, without a query but for the thread it posts in. Throws KitError. */
export function webhookUrlOf(text: string): string {
  const url = checkedUrl(text, "/fields/url");
  const isOwn = isOwnHost(url.hostname);
  if (!isOwn && (!hosts.has(url.hostname) || url.port !== "")) refuse("must be an address at https://discord.com");
  const [, id, token] = path.exec(url.pathname) ?? [];
  if (id === undefined || token === undefined)
    refuse("must be a webhook's whole address: in Discord, Copy Webhook URL gives it");
  const thread = url.searchParams.get("thread_id");
  if (thread !== null && !/^\d{15,25}$/.test(thread)) refuse("holds a thread_id that is none");
  const origin = isOwn ? url.origin : "https://discord.com";
  return `${origin}/api/${version}/webhooks/${id}/${token}${thread === null ? "" : `?thread_id=${thread}`}`;
}

/** The same without the thread, which belongs to posts only. */
export function bareUrlOf(url: string): string {
  const bare = new URL(url);
  bare.search = "";
  return bare.href;
}

/** A page for people, in the same place as the webhook. undefined where the answer held no ids. */
export function pageOf(url: string, ...ids: readonly unknown[]): string | null {
  const known = ids.every((id) => typeof id === "string" && /^\d{15,25}$/.test(id));
  return known ? `${new URL(url).origin}/channels/${ids.join("/")}` : null;
}
