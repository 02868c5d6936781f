// Tests of what a post to Bluesky contains: the length of its text, its links and tags, and its record key, which is derived from
// the key of the delivery.
import assert from "node:assert/strict";
import { RichText } from "@atproto/api";
import { test } from "vitest";
import { blueskyTextLength, composeBlueskyText, detectFacets, postRecordKey } from "./post.ts";

/** https://atproto.com/specs/tid, "Syntax". */
const tid = /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/;

test("one key always has the same record key, different keys differ, and each record key is a TID", () => {
  const atMs = 1_795_341_600_000;
  const names = Array.from({ length: 200 }, (_, count) => postRecordKey(`key ${count}`, atMs));
  assert.deepEqual(
    names,
    Array.from({ length: 200 }, (_, count) => postRecordKey(`key ${count}`, atMs)),
  );
  assert.equal(new Set(names).size, 200);
  for (const atAnyMs of [-1, 0, 0.5, atMs, Number.MAX_SAFE_INTEGER]) assert.match(postRecordKey("key", atAnyMs), tid);
});

test("later posts have greater record keys, as the network expects", () => {
  const names = [1_000, 1_001, 2_000, 1_795_341_600_000].map((atMs) => postRecordKey("key", atMs));
  assert.deepEqual(names, names.toSorted());
  // The specification's encoding: microseconds since 1970, then ten bits.
  const digits = "234567abcdefghijklmnopqrstuvwxyz";
  const number = [...(names[3] ?? "")].reduce((value, digit) => value * 32n + BigInt(digits.indexOf(digit)), 0n);
  assert.equal(number >> 10n, 1_795_341_600_000_000n + ((number >> 10n) % 1_000n));
});

test("graphemes are counted as Bluesky's own library counts them", () => {
  for (const text of ["", "Boss defeated", "e\u0301🇩🇪👨‍👩‍👧‍👦", "நி한각가", "a\r\nb", "👍🏽 🏴‍☠️ ❤️", "क्षि", "#️⃣"])
    assert.equal(
      blueskyTextLength(text),
      Math.max(new RichText({ text }).graphemeLength, Math.ceil(Buffer.byteLength(text) / 10)),
      text,
    );
});

test("a text with too many bytes is too long", () => {
  const family = "👨‍👩‍👧‍👦";
  assert.ok(blueskyTextLength(family.repeat(120)) <= 300);
  assert.ok(blueskyTextLength(family.repeat(121)) > 300);
  assert.equal(Buffer.byteLength(family.repeat(120)), 3_000);
});

test("a content warning begins the text", () => {
  assert.deepEqual(
    [composeBlueskyText("Text", ""), composeBlueskyText("Text", "spiders")],
    ["Text", "CW: spiders\n\nText"],
  );
});

const marked: readonly (readonly [text: string, marks: readonly string[]])[] = [
  ["This run 🙂 https://example.com/a", ["https://example.com/a"]],
  ["This run 🇬🇧 https://example.com/a", ["https://example.com/a"]],
  ["This run 👨🏼‍💻 https://example.com/a", ["https://example.com/a"]],
  ["(see https://example.com/a).", ["https://example.com/a"]],
  ["Wiki https://example.com/a_(b) ok", ["https://example.com/a_(b)"]],
  ["😀 #洞窟 won, #GameDev.", ["#洞窟", "#GameDev"]],
  ["two: https://example.com/1, https://example.com/2", ["https://example.com/1", "https://example.com/2"]],
  ["#run https://example.com/#a @mika.example.com #end", ["#run", "https://example.com/#a", "#end"]],
  ["plain #1 and C# stay text", []],
];

test("links and tags are marked by the bytes of the text that is sent, in order and without overlaps", async () => {
  for (const [text, marks] of marked) {
    const sent = Buffer.from(composeBlueskyText(text, "löud 🔊"));
    const ranges = (await detectFacets(sent.toString()))?.map(({ index }) => index) ?? [];
    const found = ranges.map(({ byteStart, byteEnd }) => sent.subarray(byteStart, byteEnd).toString());
    assert.deepEqual(found, marks, text);
    for (const [at, { byteStart }] of ranges.entries())
      assert.ok(byteStart >= (ranges[at - 1]?.byteEnd ?? 0), `${text}: in order`);
  }
});
