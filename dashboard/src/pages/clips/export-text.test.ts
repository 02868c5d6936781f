// Copy states are labelled correctly, and a custom size is one that the launcher accepts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { exportOf } from "../../../test/clip-samples.ts";
import { exportStateText, exportTargetName, parseCustomBytes, toPercent } from "./export-text.ts";

test("a copy is said to be ready only when it is", () => {
  const says = (["waiting", "encoding", "ready", "failed"] as const).map((state) =>
    exportStateText(exportOf(1, { state, progress: 0.426, bytes: state === "ready" ? 8_400_000 : 0 })),
  );
  assert.deepEqual(says, ["Waiting for another copy", "43 % complete", "Ready, 8.4 MB", "Failed"]);
  assert.deepEqual([-1, 0.999, 7].map(toPercent), [0, 100, 100]);
});

test("a copy is for a place, or for a size", () => {
  assert.equal(exportTargetName(exportOf(1)), "Discord");
  assert.equal(exportTargetName(exportOf(1, { target: "mail" })), "Email");
  assert.equal(exportTargetName(exportOf(1, { target: null, bytesMax: 8_000_000 })), "Up to 8 MB");
});

test("a size of one's own is a number of megabytes, half of one at least", () => {
  assert.deepEqual(["8", "0,5", " 12.5 "].map(parseCustomBytes), [8_000_000, 500_000, 12_500_000]);
  for (const typed of ["", "  ", "0.4", "-3", "many", "99999", "Infinity"])
    assert.equal(parseCustomBytes(typed), undefined, typed);
});
