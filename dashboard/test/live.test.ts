// Tests of the Live page in a real browser with the real launcher: events as they arrive, and a crash of the launcher.
import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { eventually, idsShown, openStage, rowWith, type Stage } from "./stage.ts";

const skip = skipWithout("Chromium");

let stage: Stage;
beforeAll(async () => {
  if (skip === false) stage = await openStage();
});
afterAll(async () => await stage?.[Symbol.asyncDispose]());

test("an error arrives live, its details show its receipt, and a refused request shows the invalid field", {
  skip,
}, async () => {
  const { launcher, page } = stage;
  await page.getByRole("heading", { name: "Waiting for your first event" }).waitFor();
  const stackTrace = "at boss.gd:88\nat player.gd:12";
  const { id } = await launcher.send("monitor", { message: "Nil has no hp", stackTrace });
  const row = rowWith(page, "Nil has no hp");
  await row.click();
  const details = page.getByRole("complementary", { name: "Details" });
  // The feed may report the last state before the page has fetched the first one.
  const states = details.getByRole("list", { name: "States, oldest first" }).locator(".timeline-state");
  await eventually(() => states.allInnerTexts(), ["Accepted", "Grouped"]);
  await details.getByRole("region", { name: "Stack trace" }).getByText("at boss.gd:88").waitFor();
  await details.getByText("GodotEngine/4.6 (Linux)").waitFor();
  await details.getByText(`npx kit show ${id}`).waitFor();
  assert.match(await row.innerText(), /Error[\s\S]*Nil has no hp[\s\S]*Unsorted[\s\S]*Grouped/iu);
  // The launcher learns the game of the error from a trigger of the same program.
  await launcher.send("recording", { eventId: "mygame_door_opened" });
  await row
    .locator(".game")
    .filter({ hasText: /^Mygame$/u })
    .waitFor();
  const { status } = await launcher.send("social", { eventId: "mygame_win", timestamp: "yesterday" });
  assert.equal(status, 422);
  await rowWith(page, "Refused").filter({ hasText: "timestamp" }).filter({ hasText: "ISO 8601" }).click();
  await details.getByText("YYYY-MM-DDTHH:MM:SS.sssZ").waitFor();
  await details.getByText('"timestamp":"yesterday"').waitFor();
  assert.deepEqual(stage.complaints, []);
});

test("after a crash of the launcher every event is shown exactly once, and the page stays signed in", {
  skip,
}, async () => {
  const { launcher, page } = stage;
  const ids = [...(await idsShown(page))];
  const send = async (count: number, name: string) => {
    for (let n = 0; n < count; n += 1) ids.unshift((await launcher.send("recording", { eventId: `${name}_${n}` })).id);
  };
  await send(20, "before");
  await eventually(() => idsShown(page), ids);
  await send(5, "late");
  await launcher.killHard();
  await page
    .getByRole("status")
    .filter({ hasText: /Reconnecting|is not responding/ })
    .waitFor();
  await launcher.start();
  await send(20, "after");
  await eventually(() => idsShown(page), ids);
  await page.getByRole("status").filter({ hasText: "Listening" }).waitFor();
  // A page that is opened now shows the same rows as the one that was open during the crash.
  await page.reload();
  await eventually(() => idsShown(page), ids);
});
