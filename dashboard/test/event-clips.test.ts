// Tests of clips on the Live page: the details of an event show the clip that contains it.
import assert from "node:assert/strict";
import type { Clip } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { clipOf, markerOf } from "./clip-samples.ts";
import { shareStage } from "./clips-stage.ts";
import { rowWith } from "./stage.ts";

const skip = skipWithout("Chromium", "ffmpeg");
const open = shareStage(skip);

/** The same clip, with its moment replaced by an event that was sent. */
const withEvent = (clip: Clip, eventId: string): Clip => ({
  ...clip,
  events: clip.events.map((moment) => ({ ...moment, id: eventId })),
});

test("the details of an event show its clip, which opens in the player", { skip }, async () => {
  const { page, launcher, answers, complaints } = await open("#/live");
  const { id } = await launcher.send("recording", { eventId: "mygame_won" });
  answers.clips = [withEvent(clipOf(1, { title: "mygame_won", notes: ["starts 4 s late"] }), id), clipOf(2)];
  await rowWith(page, "mygame_won").click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { name: "Clip", exact: true }).waitFor();
  await details.getByText("17 seconds").waitFor();
  assert.equal(await details.getByText("starts 4 s late").count(), 0, "notes are only in the player");
  await details.getByRole("link", { name: /mygame_won/ }).click();
  await page.getByRole("dialog", { name: "mygame_won" }).locator("video").waitFor();
  assert.deepEqual(complaints, []);
});

test("an event that became a marker shows no picture, but the reason", { skip }, async () => {
  const { page, launcher, answers, complaints } = await open("#/live");
  const { id } = await launcher.send("recording", { eventId: "mygame_marked" });
  answers.clips = [withEvent(markerOf(1, { title: "mygame_marked" }), id)];
  await rowWith(page, "mygame_marked").click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("heading", { name: "Marker", exact: true }).waitFor();
  await details.getByText("No recorder ran: ffmpeg was not found").waitFor();
  assert.equal(await details.locator("img, video").count(), 0);
  assert.deepEqual(complaints, []);
});

test("an error report shows the clip around it, and an event without a clip shows none", { skip }, async () => {
  const { page, launcher, answers, complaints } = await open("#/live");
  const { id } = await launcher.send("monitor", { message: "Nil has no hp", stackTrace: "at boss.gd:88" });
  answers.clips = [withEvent(clipOf(1, { title: "Nil has no hp", hasError: true }), id)];
  await rowWith(page, "Nil has no hp").click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByRole("link", { name: /Nil has no hp/ }).waitFor();
  await launcher.send("social", { eventId: "mygame_told" });
  await rowWith(page, "mygame_told").click();
  await details.getByRole("heading", { name: "Told" }).waitFor();
  await details.getByRole("heading", { name: "Receipt" }).waitFor();
  assert.equal(await details.locator(".clip-tile").count(), 0);
  assert.deepEqual(complaints, []);
});
