// Counts text as Mastodon does (https://docs.joinmastodon.org/user/posting/#text): a link is 23 characters, a mention counts
// without its server, and all else counts as graphemes.
import { countGraphemes } from "../graphemes.ts";

const linkLength = 23;
const link = /https?:\/\/[^\s<>"]+/giu;
/** Matches punctuation behind a link, which is not part of it. */
const afterLink = /[.,:;!?'…)\]}]+$/u;
const mention = /(^|[^/\w])@([a-z0-9_]+)@[a-z0-9.-]+[a-z0-9]/gi;

/** Mastodon treats a URL as a link only if its host name contains a dot. */
const isLink = (text: string) => URL.canParse(text) && /[^.]\.[^.]/.test(new URL(text).hostname);

function countedLink(found: string): string {
  const address = found.replace(afterLink, "");
  return isLink(address) ? `${"x".repeat(linkLength)}${found.slice(address.length)}` : found;
}

export function mastodonTextLength(text: string): number {
  return countGraphemes(text.replace(link, countedLink).replace(mention, "$1@$2"));
}
