// Tests of the length of a post at Mastodon.
import assert from "node:assert/strict";
import { test } from "vitest";
import { tooLongMessage } from "../../text-fit.ts";
import { networks } from "../networks.ts";
import { mastodon } from "./mastodon.ts";
import { mastodonTextLength } from "./text-length.ts";

const lengths: readonly (readonly [text: string, length: number])[] = [
  ["", 0],
  ["Boss defeated", 13],
  ["洞窟の王を倒した", 8],
  // A grapheme counts as one character, whatever it consists of.
  ["👨‍👩‍👧‍👦é🇩🇪", 3],
  ["3️⃣ 👨‍👩‍👧 🇯🇵 é", 7],
  // A link counts as 23 characters, without the punctuation that ends the sentence.
  ["https://example.com/a/very/long/way/to/the/page?of=the&boss=1#there", 23],
  ["http://a.io", 23],
  ["Boss down https://example.com/a 🏆", 35],
  ["See https://example.com/a.", 4 + 23 + 1],
  ["(https://example.com/a) and https://example.org!", 1 + 23 + 6 + 23 + 1],
  ["(see https://example.com/clip).", 30],
  // Balanced brackets belong to the link; words of another script in front of it do not.
  ["https://example.com/wiki/a_(b)", 23],
  ["(https://example.com/wiki/a_(b))", 25],
  ["動画https://example.com/a", 2 + 23],
  ["https://例え.テスト/洞窟", 23],
  ["https://example.com:8443/a?b=c#d", 23],
  // The length of the punctuation does not matter to the time that counting takes.
  [`https://example.com/${"(".repeat(4_000)}`, 23 + 4_000],
  // Without the name of a server, or in the middle of a word, it is not a link.
  ["https://localhost/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 52],
  ["xhttps://example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 49],
  ["no link: example.com/clip", 25],
  ["example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 40],
  // A mention counts without its server.
  ["@mika@social.example hi", 8],
  ["hi @mika", 8],
  ["thanks @mika@social.example!", 13],
  ["thanks @mika.art@social.example!", 17],
  ["thanks @mika-art@social.example!", 17],
  ["thanks @mika@例え.example!", 13],
  ["thanks @mika@social.example.", 13],
  ["mail mika@example.com now", 25],
  ["https://social.example/@mika@example.com", 23],
];

test("links, mentions and characters count as Mastodon counts them", () => {
  for (const [text, length] of lengths)
    assert.equal(mastodonTextLength({ text, contentWarning: "" }, mastodon.limits), length, text);
});

test("the content warning counts too, in full, and a link counts what the server says", () => {
  const text = "See https://example.com/a";
  const contentWarning = "@mika@social.example";
  assert.equal(mastodonTextLength({ text, contentWarning }, mastodon.limits), 4 + 23 + 20);
  assert.equal(mastodonTextLength({ text, contentWarning: "" }, { linkLength: 10 }), 4 + 10);
});

test("a post of 500 characters can be approved, and one of 501 cannot", () => {
  const problem = (text: string, contentWarning = "") =>
    tooLongMessage(networks, { network: "mastodon", name: "mika", limits: mastodon.limits }, { text, contentWarning });
  const link = ` https://example.com/${"x".repeat(600)}`;
  assert.equal(problem("a".repeat(500)), undefined);
  assert.equal(problem(`${"a".repeat(476)}${link}`), undefined);
  assert.equal(problem("a".repeat(493), "spiders"), undefined);
  const tooLong = [problem("a".repeat(501)), problem(`${"a".repeat(477)}${link}`), problem("a".repeat(494), "spiders")];
  for (const says of tooLong) assert.match(says?.text ?? "", /1 character too long/);
});
