// Tests of the record keys of Bluesky posts, which are derived from the keys of deliveries.
import assert from "node:assert/strict";
import { test } from "node:test";
import { postRecordKey } from "./post.ts";

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
