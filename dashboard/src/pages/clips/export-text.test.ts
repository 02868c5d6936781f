// Tests of the texts of exports: the states, the presets, and a custom size that the launcher accepts.
import assert from "node:assert/strict";
import { test } from "vitest";
import { exportOf } from "../../../test/clip-samples.ts";
import { clipExportName, exportLimits, exportStateText, parseCustomBytes, toPercent } from "./export-text.ts";

test("an export is shown as ready only when it is ready", () => {
  const texts = (["waiting", "encoding", "ready", "failed"] as const).map((state) =>
    exportStateText(exportOf(1, { state, progress: 0.426, bytes: state === "ready" ? 8_400_000 : 0 })),
  );
  assert.deepEqual(texts, ["Waiting for another copy", "43 % complete, 0:12 left", "Ready, 8.4 MB", "Failed"]);
  assert.equal(exportStateText(exportOf(1, { progress: 0.99, secondsLeft: null })), "99 % complete");
  assert.deepEqual([-1, 0.999, 7].map(toPercent), [0, 100, 100]);
});

test("an export is named by its preset, or by its size limit", () => {
  assert.equal(clipExportName(exportOf(1)), "Discord");
  assert.equal(clipExportName(exportOf(1, { preset: "email" })), "Email");
  assert.equal(clipExportName(exportOf(1, { preset: null, bytesMax: 8_000_000 })), "Up to 8 MB");
});

test("a preset says its limits", () => {
  assert.equal(exportLimits("email"), "up to 7 MB");
  assert.equal(exportLimits("gif"), "up to 10 MB, 15 s");
});

test("a custom size is a number of megabytes, at least 0.5", () => {
  assert.deepEqual(["8", "0,5", " 12.5 "].map(parseCustomBytes), [8_000_000, 500_000, 12_500_000]);
  for (const typed of ["", "  ", "0.4", "-3", "many", "99999", "Infinity"])
    assert.equal(parseCustomBytes(typed), undefined, typed);
});
