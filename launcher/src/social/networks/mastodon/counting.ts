// How Mastodon counts a text (https://docs.joinmastodon.org/user/posting/#text): a link is 23 characters, of a mention only
// the name on its own server counts, and anything else is what a person sees as one character.
import { graphemesIn } from "../graphemes.ts";

const linkLength = 23;
const link = /https?:\/\/[^\s<>"]+/giu;
/** What ends a sentence belongs to it, not to the link before. */
const afterLink = /[.,:;!?'…)\]}]+$/u;
const mention = /(^|[^/\w])@([a-z0-9_]+)@[a-z0-9.-]+[a-z0-9]/gi;

/** Only what has a name with a dot in it is shortened. */
const isLink = (text: string) => URL.canParse(text) && /[^.]\.[^.]/.test(new URL(text).hostname);

function shortened(found: string): string {
  const address = found.replace(afterLink, "");
  return isLink(address) ? `${"x".repeat(linkLength)}${found.slice(address.length)}` : found;
}

export function lengthOf(text: string): number {
  return graphemesIn(text.replace(link, shortened).replace(mention, "$1@$2"));
}
