// Tests of clips on the Live page: the details of an event show the clip that contains it.
import assert from "node:assert/strict";
import {
  allSwitchesOn,
  type Clip,
  getReceipt,
  type KitEvent,
  listClips,
  listEvents,
  listGames,
  listRecordingRules,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf, markerOf } from "../../../test/clip-samples.ts";
import { launcherWithClips } from "../../../test/component/fake-clips.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { nthEvent } from "../../../test/feed-samples.ts";

/** Opens the details of the first of these events. Each has the clips that stand beside it. */
async function openDetails(...given: readonly (readonly [KitEvent, ...Clip[]])[]) {
  const { launcher } = launcherWithClips({ clips: given.flatMap(([, ...clips]) => clips) });
  const events = given.map(([event]) => event);
  launcher.when(listEvents).reply(() => ({ events, cursor: "0", more: false }));
  launcher.when(listGames).reply(() => ({ services: allSwitchesOn, games: [], rules: [] }));
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  launcher.when(getReceipt).reply(({ params: { id } }) => {
    const event = events.find((each) => each.id === id) ?? assert.fail(id);
    return { event, states: [{ state: "accepted", at: event.receivedAt, by: "inbox" }] };
  });
  launcher.when(listClips).reply(({ query: { event: id } }) => {
    const [, ...clips] = given.find(([event]) => event.id === id) ?? [];
    return { clips, more: false, bytes: 0, quotaBytes: 1 };
  });
  const opened = await openApp(`#/live?show=${events[0]?.id}`, launcher);
  return { ...opened, details: within(await screen.findByRole("complementary", { name: "Details" })) };
}

const triggerOf = (n: number, eventId: string, members: Partial<KitEvent> = {}) => nthEvent(n, { eventId, ...members });
const pictures = () => document.querySelectorAll(".details :is(img, video)").length;

test("the details of an event show its clip, which opens in the player", async () => {
  const event = triggerOf(1, "mygame_won");
  const { launcher, user, details } = await openDetails([
    event,
    clipOf(1, { title: "mygame_won", notes: ["starts 4 s late"] }),
  ]);
  await details.findByRole("heading", { name: "Clip" });
  details.getByText("17 seconds");
  assert.ok(!details.queryByText(/starts 4 s late/u), "notes are only in the player");
  assert.ok(launcher.asked.includes(`/api/clips?event=${event.id}&limit=5`));
  await user.click(details.getByRole("link", { name: /mygame_won/u }));
  const player = await screen.findByRole("dialog", { name: "mygame_won" });
  await waitFor(() => assert.ok(player.querySelector("video")));
});

test("an event that became a marker shows no picture, but the reason", async () => {
  const { details } = await openDetails([triggerOf(1, "mygame_marked"), markerOf(1, { title: "mygame_marked" })]);
  await details.findByRole("heading", { name: "Marker" });
  details.getByText("No recorder ran: ffmpeg was not found");
  assert.equal(pictures(), 0);
});

test("an error report shows the clip around it, and an event without a clip shows none", async () => {
  const payload = { message: "Nil has no hp", stackTrace: "at boss.gd:88", timestamp: "2026-05-01T10:00:00.000Z" };
  const error = nthEvent(2, { kind: "monitor", game: null, eventId: null, payload });
  const { user, details } = await openDetails(
    [error, clipOf(1, { title: "Nil has no hp" })],
    [triggerOf(1, "mygame_told", { kind: "social" })],
  );
  await details.findByRole("link", { name: /Nil has no hp/u });
  await user.click(screen.getByText("Told", { selector: ".row *" }));
  const told = within(await screen.findByRole("complementary", { name: "Details" }));
  await told.findByRole("heading", { name: "mygame_told" });
  await told.findByRole("heading", { name: "Receipt" });
  assert.ok(!document.querySelector(".clip-tile"));
});
