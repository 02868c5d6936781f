// The messages that only the network "discord" uses, in English. `networks.ja.json` of the contract has them in Japanese, by code.
import { createMessages } from "@kit/contract";

export const messages = {
  "discord.failed": "Discord failed ({{status}}).",
  "discord.failed_posting": "Discord failed ({{status}}). Check in the channel whether the post is there.",
  "discord.incomplete_url": "must be a complete webhook URL: copy it in Discord with Copy Webhook URL",
  "discord.invalid_thread": "contains an invalid thread_id",
  "discord.large_footage": "The footage is too large for this server (413).",
  "discord.not_a_webhook": "This URL is not a Discord webhook ({{status}}). Enter the URL from Copy Webhook URL.",
  "discord.not_discord": "must be a URL at https://discord.com",
  "discord.not_reached": "Discord could not be reached ({{status}}).",
  "discord.post_refused": "Discord does not accept this post ({{status}}).",
  "discord.post_refused_because": "Discord does not accept this post ({{status}}): {{reason}}",
  "discord.posting": "Posting",
  "discord.posting_untried":
    "Not tried, because everyone in the channel would see it. In a forum or media channel, each post begins a thread with its title. A server's file limit becomes known with the first file that exceeds it.",
  "discord.rate_limit": "Discord's rate limit was reached (429).",
  "discord.redirected":
    "Discord redirects to another URL ({{status}}). Kit does not follow redirects. Create one in the channel's settings (Integrations, Webhooks), enter its URL here and test the account.",
  "discord.tag_required":
    "This forum requires a tag for each post, which a webhook cannot choose. In the forum's settings in Discord, switch off “Require people to select tags when posting”, then test the account.",
  "discord.unreadable_answer":
    "Discord's answer could not be read ({{status}}). Check in the channel whether the post is there.",
  "discord.webhook": "Webhook",
  "discord.webhook_gone":
    "This webhook no longer exists (410). Create one in the channel's settings (Integrations, Webhooks), enter its URL here and test the account.",
  "discord.webhook_name": "Discord calls it “{{name}}”.",
  "discord.webhook_or_thread_gone":
    "This webhook or its thread no longer exists (404). Create one in the channel's settings (Integrations, Webhooks), enter its URL here and test the account.",
  "discord.webhook_refused":
    "Discord refuses posts from this webhook (403). Check the channel's permissions and integrations, then test the account.",
  "discord.webhook_rejected":
    "Discord no longer accepts this webhook (401). Create one in the channel's settings (Integrations, Webhooks), enter its URL here and test the account.",
  "discord.webhook_takes_no_posts": "This webhook does not accept posts. Create a new one in the channel's settings.",
} as const;

export const discordMessage = createMessages(messages);
