// What is said of a copy is how far it is, and a size of one's own is one the launcher takes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { exportOf } from "../../../test/clip-samples.ts";
import { exportStateWord, forWord, ownBytesOf, percent } from "./export-words.ts";

test("a copy is said to be ready only when it is", () => {
  const says = (["waiting", "encoding", "ready", "failed"] as const).map((state) =>
    exportStateWord(exportOf(1, { state, progress: 0.426, bytes: state === "ready" ? 8_400_000 : 0 })),
  );
  assert.deepEqual(says, ["Waiting for another one", "43 % made", "Ready, 8.4 MB", "Failed"]);
  assert.deepEqual([-1, 0.999, 7].map(percent), [0, 100, 100]);
});

test("a copy is for a place, or for a size", () => {
  assert.equal(forWord(exportOf(1)), "Discord");
  assert.equal(forWord(exportOf(1, { target: "mail" })), "Mail");
  assert.equal(forWord(exportOf(1, { target: null, bytesMax: 8_000_000 })), "Up to 8 MB");
});

test("a size of one's own is a number of megabytes, half of one at least", () => {
  assert.deepEqual(["8", "0,5", " 12.5 "].map(ownBytesOf), [8_000_000, 500_000, 12_500_000]);
  for (const typed of ["", "  ", "0.4", "-3", "many", "99999", "Infinity"])
    assert.equal(ownBytesOf(typed), undefined, typed);
});
