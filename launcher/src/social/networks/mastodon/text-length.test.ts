// How long a text is for Mastodon.
import assert from "node:assert/strict";
import { test } from "node:test";
import { textLength } from "./text-length.ts";

const lengths: readonly (readonly [text: string, length: number])[] = [
  ["", 0],
  ["Boss defeated", 13],
  // What a person sees as one character is one, whatever it is made of.
  ["👨‍👩‍👧‍👦é🇩🇪", 3],
  // A link is 23 characters, longer or shorter, and what ends the sentence is not part of it.
  ["https://example.com/a/very/long/way/to/the/page?of=the&boss=1#there", 23],
  ["http://a.io", 23],
  ["See https://example.com/a.", 4 + 23 + 1],
  ["(https://example.com/a) and https://example.org!", 1 + 23 + 6 + 23 + 1],
  // No name of a server, no link.
  ["https://localhost/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 52],
  ["example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 40],
  // Of a mention the name counts, not the server.
  ["@mika@social.example hi", 8],
  ["hi @mika", 8],
  ["mail me@social.example", 22],
];

test("links, mentions and characters count as Mastodon counts them", () => {
  for (const [text, length] of lengths) assert.equal(textLength(text), length, text);
});
