// Counts a post as Mastodon does (https://docs.joinmastodon.org/user/posting/#text): a link has a fixed length, a mention counts
// without its server, and all else counts as graphemes.
import { countGraphemes } from "../../text-fit.ts";
import type { PostWords, TextLimits } from "../network.ts";

/** The length of a link, unless the server names another one. */
export const mastodonLinkLength = 23;

// Mastodon replaces only what it also shows as a link or a mention, so these patterns follow its own
// (`StatusLengthValidator`, `Account::MENTION_RE` and twitter-text). They know no list of top-level domains.

const inPath = String.raw`[^\p{White_Space}<>()?]`;
const inBrackets = String.raw`\((?:${inPath}+|${inPath}*\(${inPath}+\)${inPath}*)\)`;
const endsPath = String.raw`(?:[^\p{White_Space}()?!*"'「」<>;:=,.$%\[\]~&\|@]|${inBrackets})`;
const path = String.raw`(?:${inPath}*(?:${inBrackets}${inPath}*)*${endsPath}|${inPath}+\/)`;
const query = String.raw`\?[a-z0-9!?*'();:&=+$\/%#\[\]\-_.,~\|@\^\u{A0}-\u{10FFFF}]*[a-z0-9_&=#\/\-\u{A0}-\u{10FFFF}]`;
const domainLabel = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}_\-]*[\p{L}\p{M}\p{N}])?`;
const topLevel = String.raw`(?:(?:xn--[a-z0-9\-]+|[a-z]{2,})(?![a-z0-9@+\-])|[^\P{L}a-z]{2,})`;
const protocol = "(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini)";
const link = String.raw`(?<![a-z0-9@＠$#＃])${protocol}:\/\/(?:${domainLabel}\.)+${topLevel}(?::\d+)?(?:\/${path}*)?(?:${query})?`;

const inWord = String.raw`[\p{L}\p{M}\p{Nd}\p{Pc}]`;
const user = String.raw`[a-z0-9_]+(?:[.\-]+[a-z0-9_]+)*`;
const server = String.raw`${inWord}+(?:[.\-]+${inWord}+)*`;
const mention = String.raw`(?<![=\/\p{L}\p{M}\p{Nd}\p{Pc}])@(?<user>${user})@${server}`;

const replaced = new RegExp(`(?<link>${link})|${mention}`, "giu");

type Found = { readonly link?: string; readonly user?: string };

/** Returns the length of the text and the content warning, which counts as it is. */
export function mastodonTextLength(
  { text, contentWarning }: PostWords,
  { linkLength = mastodonLinkLength }: TextLimits,
): number {
  const counted = text.replace(replaced, (...match) => {
    const found = match.at(-1) as Found;
    return found.link === undefined ? `@${found.user}` : "x".repeat(linkLength);
  });
  return countGraphemes(contentWarning) + countGraphemes(counted);
}
