// Tests of a clip's labels: they match its state, and a marker or a missing file never looks playable.
import assert from "node:assert/strict";
import { clipStages } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { clipOf, markerOf } from "../../../test/clip-samples.ts";
import { clipBadges, clipProgress, clipTitle, isMarker, isPlayable } from "./clip-text.ts";

const badges = (...given: Parameters<typeof clipOf>) => clipBadges(clipOf(...given)).map(({ says }) => says);

test("a clip is playable only if it is saved and its file exists", () => {
  assert.equal(isPlayable(clipOf(1)), true);
  for (const members of [{ state: "pending" }, { state: "failed" }, { missing: true }] as const) {
    assert.equal(isPlayable(clipOf(1, members)), false, JSON.stringify(members));
  }
  assert.equal(isPlayable(markerOf(1)), false);
});

test("a moment kept without footage is a marker, also if it was meant to be a clip", () => {
  assert.equal(isMarker(markerOf(1)), true);
  assert.equal(isMarker(clipOf(1, { state: "marked" })), true);
  assert.equal(isMarker(clipOf(1, { state: "failed" })), false);
});

test("a plain clip has no badge, and each notable state has one", () => {
  assert.deepEqual(badges(1), []);
  assert.deepEqual(badges(1, { pinned: true, shared: true }), ["Pinned", "Shared"]);
  assert.deepEqual(badges(1, { subject: "error" }), ["Error"]);
  assert.deepEqual(badges(1, { missing: true }), ["File missing"]);
  assert.deepEqual(badges(1, { kind: "screenshot" }), ["Screenshot"]);
  assert.deepEqual(badges(1, { kind: "marker", state: "marked" }), ["Marker"]);
  assert.deepEqual(badges(1, { state: "failed" }), ["Failed"]);
});

test("the stages of a pending clip are numbered in the order of the contract", () => {
  const steps = clipStages.map((stage) => clipProgress(clipOf(1, { state: "pending", stage })).step);
  assert.deepEqual(steps, [1, 2, 3]);
  assert.equal(clipProgress(clipOf(1, { state: "pending" })).step, 0);
  const reel = clipOf(1, { state: "pending", parts: [], progress: { share: 0.6788145891599814, secondsLeft: null } });
  assert.deepEqual(clipProgress({ ...reel, stage: "cutting" }), {
    says: "Making the reel: 68 %",
    share: 0.6788145891599814,
    step: 0,
    steps: 3,
  });
});

test("a title that Kit made up is shown as a message, and other titles stay as they are", () => {
  const titleMessage = message("clip.saved_by_you", { time: "21:04" });
  assert.equal(clipTitle(clipOf(1, { title: "the stored text", titleMessage })), "Saved by you, 21:04");
  assert.equal(clipTitle(clipOf(1, { title: "Boss defeated" })), "Boss defeated");
});
