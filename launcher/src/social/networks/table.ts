// All networks, one line each. The folder of a network holds everything about it.
export { bluesky } from "./bluesky/bluesky.ts";
export { discord } from "./discord/discord.ts";
export { mastodon } from "./mastodon/mastodon.ts";
export { webhook } from "./webhook/webhook.ts";
