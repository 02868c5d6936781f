// Composes text for Bluesky and counts it like Bluesky.
import { countGraphemes } from "../graphemes.ts";

export const blueskyGraphemesMax = 300;
const bytesMax = 3_000;

/**
 * Counts graphemes, of which 300 are allowed. Text of long graphemes, such as emoji of families, meets the limit of 3,000 bytes
 * first, so ten bytes count as at least one grapheme.
 */
export function blueskyTextLength(text: string): number {
  return Math.max(countGraphemes(text), Math.ceil((Buffer.byteLength(text) * blueskyGraphemesMax) / bytesMax));
}

/**
 * Puts the content warning at the start of the text, because Bluesky has no field for one. Kit never sets Bluesky's labels, such
 * as `sexual`, because they have consequences for the account.
 */
export const composeBlueskyText = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `CW: ${contentWarning}\n\n${text}`;
