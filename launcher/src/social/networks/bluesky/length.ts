// How Bluesky counts a text, and how it is composed.
import { graphemesIn } from "../graphemes.ts";

export const graphemesMax = 300;
const bytesMax = 3_000;

/**
 * In graphemes, of which 300 are allowed. A text may also have 3,000 bytes: one whose graphemes are larger than ten bytes
 * each, such as families of emoji, is counted by these.
 */
export function lengthOf(text: string): number {
  return Math.max(graphemesIn(text), Math.ceil((Buffer.byteLength(text) * graphemesMax) / bytesMax));
}

/**
 * Bluesky has no content warnings in words: the text begins with it. Its labels (such as `sexual`) are a judgement with
 * consequences for the account, so that no word is ever taken for one.
 */
export const composed = (text: string, contentWarning: string): string =>
  contentWarning === "" ? text : `CW: ${contentWarning}\n\n${text}`;
