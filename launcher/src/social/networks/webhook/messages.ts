// The messages that only the network "webhook" uses, in English. `networks.ja.json` of the contract has them in Japanese, by code.
import { createMessages } from "@kit/contract";

export const messages = {
  "webhook.address": "Address",
  "webhook.failed": "The receiver failed ({{status}}).",
  "webhook.gone": "The receiver no longer accepts posts (410). Enter another URL, or remove the account.",
  "webhook.invalid_secret": "must be whsec_ and {{least}} to {{most}} bytes in base64; leave it empty to generate one",
  "webhook.large_footage": "The footage is too large for a webhook.",
  "webhook.large_post":
    "The post is too large for the receiver (413). Post it without footage, or raise the receiver's limit.",
  "webhook.needs_authentication":
    "The receiver requires authentication (401). Enter the correct URL, then test the account.",
  "webhook.new_secret": "A secret was generated. It is shown only once.",
  "webhook.nothing_there": "There is nothing at this URL (404). Enter the correct one, then test the account.",
  "webhook.own_secret": "Your secret is used.",
  "webhook.post_refused": "The receiver does not accept this post ({{status}}).",
  "webhook.rate_limit": "The receiver asks for fewer posts (429).",
  "webhook.redirected":
    "The receiver redirects to another URL ({{status}}). Kit does not follow redirects; enter the new URL.",
  "webhook.refuses_kit":
    "The receiver refuses posts from Kit (403). Check the receiver's settings, then test the account.",
  "webhook.signing_secret": "Signing secret",
  "webhook.takes_no_posts": "This URL does not accept posts (405). Enter the correct one, then test the account.",
  "webhook.test_accepted": "The receiver accepted a test message.",
  "webhook.test_message": "Test message",
  "webhook.valid_url": "The URL is valid. Nothing was sent: test the account to see whether the receiver answers.",
} as const;

export const webhookMessage = createMessages(messages);
