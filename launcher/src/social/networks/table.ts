// All networks. A new network is one folder and one line here; its folder holds everything about it.
export { bluesky } from "./bluesky/bluesky.ts";
export { discord } from "./discord/discord.ts";
export { mastodon } from "./mastodon/mastodon.ts";
export { webhook } from "./webhook/webhook.ts";
