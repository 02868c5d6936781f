// The messages that only the network "mastodon" uses, in English. `networks.ja.json` of the contract has them in Japanese, by code.
import { createMessages } from "@kit/contract";

export const messages = {
  "mastodon.failed": "The server failed: {{reason}}",
  "mastodon.failed_posting": "The server failed while it created the post: {{reason}}",
  "mastodon.lacks_scopes": "lacks {{scopes}}: create one that may write statuses and media",
  "mastodon.limits": "Limits",
  "mastodon.limits_reported": "Reported by the server",
  "mastodon.limits_unreported": "Not reported by the server: Kit uses Mastodon's defaults",
  "mastodon.long_text": "The server allows {{most}} characters. Shorten the text or the content warning.",
  "mastodon.may_not_read": "may not read its account: create one with the scope read:accounts ({{reason}})",
  "mastodon.missing_scopes": "Missing {{scopes}}: create a token with it",
  "mastodon.no_reason": "it gave no reason ({{status}})",
  "mastodon.no_token": "must be an access token, as the application's page shows it",
  "mastodon.not_a_server":
    "The server does not answer like a Mastodon server, or redirects. Check its URL, then test the account.",
  "mastodon.not_allowed":
    "The server does not allow it: {{reason}}. On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. Enter its token here and test the account.",
  "mastodon.not_reached": "The server could not be reached ({{status}}).",
  "mastodon.other_server": "does not answer like a Mastodon server: enter the server where you sign in",
  "mastodon.permissions": "Permissions of the token",
  "mastodon.post_refused": "The server does not accept this post: {{reason}}",
  "mastodon.posts_and_media": "Posts and media",
  "mastodon.processing_file": "The server is still processing the file.",
  "mastodon.rate_limit": "The server's rate limit was reached.",
  "mastodon.takes_no_files":
    "The server takes no files in a way that Kit knows. It accepts posts without an attachment.",
  "mastodon.token_lacks_scopes": "The token lacks {{scopes}}. Create one with it, and enter it here.",
  "mastodon.token_rejected":
    "The server no longer accepts the access token. On your server: Preferences, Development, New application, with the scopes read:accounts, write:media and write:statuses. Enter its token here and test the account.",
  "mastodon.two_scopes": "{{first}} and {{second}}",
  "mastodon.unreadable_upload_answer": "The server's answer to the upload cannot be read.",
  "mastodon.upload": "Upload of clips",
  "mastodon.upload_there": "Available. The first post shows what the server accepts",
  "mastodon.upload_untried": "Could not be checked: the server is busy or failing ({{status}})",
  "mastodon.upload_deleted": "The server deleted the uploaded file; Kit uploads it again.",
  "mastodon.upload_refused": "The server does not accept the file from an earlier attempt; Kit uploads it again.",
  "mastodon.wait_for_rate_limit": "has reached its rate limit: wait a few minutes",
  "mastodon.wrong_token": "is not accepted by this server: check both",
} as const;

export const mastodonMessage = createMessages(messages);
