// Tests of the length of a text at Mastodon.
import assert from "node:assert/strict";
import { test } from "vitest";
import { mastodonTextLength } from "./post.ts";

const lengths: readonly (readonly [text: string, length: number])[] = [
  ["", 0],
  ["Boss defeated", 13],
  // A grapheme counts as one character, whatever it consists of.
  ["👨‍👩‍👧‍👦é🇩🇪", 3],
  // A link counts as 23 characters, without the punctuation that ends the sentence.
  ["https://example.com/a/very/long/way/to/the/page?of=the&boss=1#there", 23],
  ["http://a.io", 23],
  ["See https://example.com/a.", 4 + 23 + 1],
  ["(https://example.com/a) and https://example.org!", 1 + 23 + 6 + 23 + 1],
  // Without the name of a server it is not a link.
  ["https://localhost/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 52],
  ["example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 40],
  // A mention counts without its server.
  ["@mika@social.example hi", 8],
  ["hi @mika", 8],
  ["mail me@social.example", 22],
];

test("links, mentions and characters count as Mastodon counts them", () => {
  for (const [text, length] of lengths) assert.equal(mastodonTextLength(text), length, text);
});
