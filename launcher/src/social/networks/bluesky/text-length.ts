// Composes a text for Bluesky and counts it like Bluesky.
import { countGraphemes } from "../graphemes.ts";

export const graphemesMax = 300;
const bytesMax = 3_000;

/**
 * Counts graphemes, of which 300 are allowed. The limit of 3,000 bytes counts instead if graphemes have more than ten bytes on
 * average, such as emoji families.
 */
export function textLength(text: string): number {
  return Math.max(countGraphemes(text), Math.ceil((Buffer.byteLength(text) * graphemesMax) / bytesMax));
}

/**
 * Bluesky has no content warnings as text, so the text begins with the warning. Kit never sets Bluesky's labels (such as
 * `sexual`), which have consequences for the account.
 */
export const composeText = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `CW: ${contentWarning}\n\n${text}`;
