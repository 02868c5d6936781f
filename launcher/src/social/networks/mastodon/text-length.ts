// Counts a text like Mastodon (https://docs.joinmastodon.org/user/posting/#text): 23 characters for a link, a mention without
// its server, and graphemes for everything else.
import { countGraphemes } from "../graphemes.ts";

const linkLength = 23;
const link = /https?:\/\/[^\s<>"]+/giu;
/** Punctuation at the end of a link belongs to the sentence. */
const afterLink = /[.,:;!?'…)\]}]+$/u;
const mention = /(^|[^/\w])@([a-z0-9_]+)@[a-z0-9.-]+[a-z0-9]/gi;

/** Mastodon shortens a link only if its host name contains a dot. */
const isLink = (text: string) => URL.canParse(text) && /[^.]\.[^.]/.test(new URL(text).hostname);

function countedLink(found: string): string {
  const address = found.replace(afterLink, "");
  return isLink(address) ? `${"x".repeat(linkLength)}${found.slice(address.length)}` : found;
}

export function textLength(text: string): number {
  return countGraphemes(text.replace(link, countedLink).replace(mention, "$1@$2"));
}
