// All networks, by their kind. The folder of a network holds everything about it except its description and its translations, which
// the dashboard reads in the contract.
import type { Network as NetworkKind } from "@kit/contract";
import { bluesky } from "./bluesky/bluesky.ts";
import { discord } from "./discord/discord.ts";
import { mastodon } from "./mastodon/mastodon.ts";
import type { Network } from "./network.ts";
import { webhook } from "./webhook/webhook.ts";

export const networks: Readonly<Record<NetworkKind, Network>> = { discord, bluesky, mastodon, webhook };
