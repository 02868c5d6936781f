// Tests of the demo: offering, playing, stopping, its results, and deleting its data with a chance to undo.
import assert from "node:assert/strict";
import {
  type Demo,
  getDemo,
  KitError,
  listWipes,
  startDemo,
  stopDemo,
  undoWipe,
  type Wipe,
  wipeGame,
} from "@kit/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test } from "vitest";
import { assertAccessible } from "../../test/component/accessible.ts";
import { createFakeLauncher, type FakeLauncher } from "../../test/component/fake-launcher.ts";
import { openApp } from "../../test/component/open-app.tsx";

const outcome = { state: "saved", reason: null, clip: null, issue: null, post: null } as const;
const offered: Demo = {
  ...{ state: "none", second: 0, seconds: 60, window: false, phase: null, says: "", failed: false },
  ...{ outcomes: [], session: null },
};
const playing: Demo = { ...offered, state: "playing", second: 12, phase: "streak" };
const played: Demo = {
  ...{ ...offered, state: "played", second: 60, session: "s1" },
  outcomes: [
    { ...outcome, part: "boss", event: "e1", clip: "c1" },
    { ...outcome, part: "error", event: "e2", state: "grouped", issue: "i1" },
    { ...outcome, part: "score", event: "e3", state: "drafted", post: "p1" },
  ],
};

let launcher: FakeLauncher;
let [demo, wipes]: [Demo, Wipe[]] = [offered, []];
beforeEach(() => {
  launcher = createFakeLauncher();
  [demo, wipes] = [offered, []];
  launcher.when(getDemo).reply(() => demo);
  launcher.when(listWipes).reply(() => ({ wipes }));
});

async function openDemo() {
  const { user } = await openApp("#/home", launcher);
  return { user, panel: within(await screen.findByRole("region", { name: /^Try the demo/ })) };
}
const focusedText = () => document.activeElement?.textContent;

test("the demo is played, shows its progress, and is stopped", async () => {
  launcher.when(startDemo).reply(() => {
    demo = playing;
    return demo;
  });
  launcher.when(stopDemo).reply(() => {
    demo = { ...played, outcomes: [] };
    return undefined;
  });
  const { user, panel } = await openDemo();
  await panel.findByText(/The demo runs without a window, because no X display is available\.$/);
  await assertAccessible();
  await user.click(panel.getByRole("button", { name: "Play the demo" }));
  const progress = await panel.findByRole<HTMLProgressElement>("progressbar", { name: "Demo progress" });
  assert.deepEqual([progress.getAttribute("aria-valuetext"), focusedText()], ["12 of 60 s", "Try the demo Demo"]);
  panel.getByText("The hero catches five stars in a row. The game asks for a clip.");
  await assertAccessible();
  demo = { ...playing, phase: "boss" };
  launcher.tell("demo");
  await panel.findByText("The boss is defeated. The game asks for a clip, with a high priority.");
  await user.click(panel.getByRole("button", { name: "Stop the demo" }));
  await panel.findByText(/^The demo is over\./);
  panel.getByRole("button", { name: "Play again" });
  assert.deepEqual(launcher.changes, ["POST /api/demo", "DELETE /api/demo"]);
});

test("the results of the whole demo link to its clip, its issue, its draft and its session", async () => {
  demo = played;
  const { panel } = await openDemo();
  await panel.findByText(/^The demo is over\./);
  const target = (name: string) => panel.getByRole("link", { name }).getAttribute("href");
  assert.equal(target("Its clip: The boss is defeated"), "#/clips/c1");
  assert.equal(target("Its issue: A chest without a lid causes an error"), "#/issues/i1");
  assert.equal(target("Its draft: A new high score worth posting"), "#/posts?event=e3");
  assert.equal(target("Its receipt: The boss is defeated"), "#/live?show=e1");
  assert.equal(target("Everything on one timeline"), "#/sessions/s1");
  const [boss] = panel.getAllByRole("listitem");
  assert.match(boss?.textContent ?? "", /^The boss is defeatedSaved/u);
  await assertAccessible();
});

test("the data of the demo is deleted with a chance to undo", async () => {
  demo = played;
  const holdings = { events: 7, clips: 1, clipBytes: 1e6, pinned: 0, issues: 1, posts: 1, sessions: 1 };
  launcher.when(wipeGame).reply(({ body: { game } }) => {
    // Much longer than in the launcher, so that the countdown does not end on a busy machine.
    const wipe = { game, holdings, dueAt: new Date(Date.now() + 600_000).toISOString() };
    wipes = [wipe];
    return wipe;
  });
  launcher.when(undoWipe).reply(() => {
    wipes = [];
    return undefined;
  });
  const { user, panel } = await openDemo();
  await user.click(await panel.findByRole("button", { name: "Delete the demo's data" }));
  await panel.findByText(/^All demo data will be deleted in \d+ s$/);
  panel.getByText("The demo's data is about to be deleted.");
  await assertAccessible();
  await user.click(panel.getByRole("button", { name: "Cancel the deletion" }));
  await panel.findByRole("button", { name: "Delete the demo's data" });
  await waitFor(() => assert.equal(focusedText(), "Try the demo Demo"));
  assert.deepEqual(launcher.changes, ['POST /api/wipes {"game":"kit_demo"}', "DELETE /api/wipes?game=kit_demo"]);
});

test("a demo that ended early says why, and one that cannot start too", async () => {
  demo = { ...played, failed: true, says: "The demo was closed." };
  launcher.when(startDemo).reply(() => {
    throw new KitError("too_many_requests", "Another demo is playing.");
  });
  const { user, panel } = await openDemo();
  await panel.findByText("The demo was closed.");
  await user.click(panel.getByRole("button", { name: "Play again" }));
  assert.equal((await panel.findByRole("alert")).textContent, "Another demo is playing.");
});
