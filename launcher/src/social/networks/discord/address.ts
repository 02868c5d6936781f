// Parses the URL of a Discord webhook. The URL is a secret and never shown, because whoever has it can post.

import { rejectField } from "@kit/contract";
import { isLocalHost, parseServerUrl } from "../../../outbound/address.ts";
import { discordMessage } from "./messages.ts";

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
export function withoutThread(url: string): string {
  const bare = new URL(url);
  bare.search = "";
  return bare.href;
}

/** Returns the URL of a channel or message in Discord, or null if an id is not valid. */
export function channelPage(url: string, ...ids: readonly unknown[]): string | null {
  const known = ids.every((id) => typeof id === "string" && /^\d{15,25}$/.test(id));
  return known ? `${new URL(url).origin}/channels/${ids.join("/")}` : null;
}
