// The messages that only the network "bluesky" uses, in English. `networks.ja.json` of the contract has them in Japanese, by code.
import { createMessages } from "@kit/contract";

export const messages = {
  "bluesky.code_by_email":
    "Bluesky asks for a code by email, as it does for the account's main password. Create a new app password in Bluesky (Settings, Privacy and security, App passwords), enter it here and test the account.",
  "bluesky.deactivated": "This account is deactivated. Sign in at Bluesky to activate it, then test the account here.",
  "bluesky.direct_upload": "Uploaded directly to this server, because no video service on the internet can reach it",
  "bluesky.email_unconfirmed":
    "Bluesky accepts videos only from accounts with a confirmed email address. Confirm it in Bluesky (Settings, Account), then test the account here.",
  "bluesky.failed": "Bluesky failed: {{reason}}",
  "bluesky.incomplete_handle": "must be a complete handle such as mika.bsky.social",
  "bluesky.large_video": "The video is too large for Bluesky.",
  "bluesky.long_text": "Bluesky allows {{most}} characters. Shorten the text.",
  "bluesky.main_password": "must be an app password: this is the account's main password, which gives full access",
  "bluesky.main_password_code": "must be an app password: for the main password, Bluesky requires a code by email",
  "bluesky.no_more_videos": "Bluesky accepts no more videos from this account now.",
  "bluesky.no_password": "must be an app password, as Bluesky shows it once",
  "bluesky.no_reason": "it gave no reason ({{status}})",
  "bluesky.no_videos_today": "Not today: it gives no reason",
  "bluesky.no_videos_today_because": "Not today: {{reason}}",
  "bluesky.not_a_server":
    "The server does not answer like a Bluesky server, or redirects. Check its URL, then test the account.",
  "bluesky.password_rejected":
    "Bluesky does not accept the app password of this account. Create a new app password in Bluesky (Settings, Privacy and security, App passwords), enter it here and test the account.",
  "bluesky.password_rejected_because":
    "Bluesky does not accept the app password of this account. Create a new app password in Bluesky (Settings, Privacy and security, App passwords), enter it here and test the account. It says: {{reason}}",
  "bluesky.post_refused": "Bluesky does not accept this post: {{reason}}",
  "bluesky.processing_video": "Bluesky is still processing the video.",
  "bluesky.rate_limit": "Bluesky's rate limit was reached.",
  "bluesky.taken_down":
    "Bluesky has taken this account down. Sign in at Bluesky to see why, then test the account here.",
  "bluesky.unknown_video": "Bluesky's video service no longer knows the video.",
  "bluesky.unknown_video_limits": "The video service did not report today's limits",
  "bluesky.unreadable_video_answer": "Bluesky's video service gave no readable answer.",
  "bluesky.upload_deleted": "Bluesky deleted the uploaded file; Kit uploads it again.",
  "bluesky.video_failed": "Bluesky could not process the video: {{reason}}",
  "bluesky.video_not_accepted": "Bluesky's video service could not accept the video.",
  "bluesky.video_rate_limit": "The rate limit of Bluesky's video service was reached.",
  "bluesky.videos": "Videos",
  "bluesky.videos_accepted": "May be posted",
  "bluesky.videos_left": "{{count}} more may be posted today",
  "bluesky.wrong_password": "does not match this account: check the handle, and create a new app password",
} as const;

export const blueskyMessage = createMessages(messages);
