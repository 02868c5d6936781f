// Tests of the demo: a whole flight with the real binding, what the page shows of each call, and deleting its data.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import {
  addAccount,
  addPostRule,
  changeLibraryGame,
  changeRecordingRule,
  demoAccountName,
  demoGame,
  getIssue,
  getRecorder,
  listClips,
  listPostRules,
  listPosts,
  listWipes,
  registerGame,
  undoWipe,
  type Wipe,
  wipeGame,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, test, vi } from "vitest";
import { clipOf, markerOf, recorderStateOf, reportOf, ruleOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { entryOf, errorOf, knownGameOf, triggerOf } from "../../../test/component/fake-events.ts";
import { detailOf, issueOf } from "../../../test/component/fake-issues.ts";
import { createFakeLauncher, type FakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { gameOf } from "../../../test/library-samples.ts";
import { accountOf, postOf, postRuleOf } from "../../../test/post-samples.ts";

const binding = readFileSync("bindings/rpgmaker/KitSDK.js", "utf8");

let launcher: FakeLauncher;
let wipes: Wipe[] = [];
/** The bodies that the binding posted, with their paths. */
let posted: (readonly [path: string, body: Record<string, string>])[] = [];

/** Stores an event as the launcher does, and tells what it made of it. */
function receive(url: string, body: Record<string, string>): Response {
  const { pathname: path } = new URL(url);
  posted.push([path, body]);
  const { eventId, message: text = "", stackTrace = "", timestamp = "" } = body;
  const kind = path.startsWith("/api/social/") ? "social" : "recording";
  const event =
    eventId === undefined
      ? errorOf(text, stackTrace, { game: demoGame })
      : triggerOf(eventId, { kind, game: demoGame, payload: { eventId, timestamp } });
  launcher.send({ type: "event", event });
  const entry =
    eventId === undefined
      ? entryOf("grouped", "monitor", message("issue.grouped", { issue: "i1", title: text }))
      : entryOf(kind === "social" ? "drafted" : "saved", "recording");
  launcher.send({ type: "receipt", id: event.id, entry });
  if (kind === "social")
    launcher.when(listPosts).reply(() => ({
      ...{ posts: [postOf(1, { event: event.id, text: "A new high score!" })], more: false, drafts: 1, held: 0 },
    }));
  return new Response("{}", { status: 202 });
}

beforeEach(() => {
  launcher = createFakeLauncher();
  [wipes, posted] = [[], []];
  launcher.when(registerGame).reply(() => knownGameOf(demoGame));
  launcher.when(changeLibraryGame).reply(() => gameOf(demoGame));
  launcher.when(changeRecordingRule).reply(({ body }) => ruleOf(body.eventId));
  launcher.when(addAccount).reply(() => ({ account: accountOf("webhook"), secret: null, checked: [] }));
  launcher.when(listPostRules).reply(() => ({ rules: [] }));
  launcher.when(addPostRule).reply(({ body }) => postRuleOf(body.pattern));
  launcher.when(listWipes).reply(() => ({ wipes }));
  launcher.when(getIssue).reply(() => detailOf(issueOf(1, { title: "lid is undefined", count: 2 })));
  vi.stubGlobal("fetch", async (url: string, { body }: { body: string }) => receive(url, JSON.parse(body)));
  // A flight as fast as the computer can.
  let ms = 0;
  vi.stubGlobal("requestAnimationFrame", (draw: (ms: number) => void) => {
    ms += 200;
    return setTimeout(draw, 0, ms);
  });
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.stubGlobal("KitSDK", undefined);
  vi.spyOn(document.head, "append").mockImplementation((script) => {
    assert.match((script as HTMLScriptElement).src, /\/sdk\/KitSDK\.js$/u);
    runInThisContext(binding);
    (script as HTMLScriptElement).dispatchEvent(new Event("load"));
  });
});

async function startFlight() {
  const { user } = await openApp("#/demo", launcher);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Fly" });
  await waitFor(() => assert.ok(!button.disabled));
  await user.click(button);
  return user;
}

const cardWith = async (text: string | RegExp) =>
  within((await screen.findByText(text)).closest("li") ?? assert.fail(`${text} is in no card`));

test("a flight calls Kit with the real binding, and each card shows the line and what Kit made of it", async () => {
  const clip = clipOf(1, { title: "Five stars" });
  launcher.when(listClips).reply(() => ({ clips: [clip], more: false, bytes: 0, quotaBytes: 1e10 }));
  await startFlight();
  const score = await cardWith("A new high score. The game asks for a post, which waits for your approval.");
  assert.equal(
    (await score.findByRole("link", { name: /^A new high score!/u })).getAttribute("href")?.slice(0, 14),
    "#/posts?event=",
  );
  const stars = await cardWith("5 stars in a row. The game asks for a clip.");
  stars.getByText('KitSDK.Recording.triggerEvent("kit_demo_five_stars");', { normalizer: (text) => text });
  stars.getByRole("link", { name: "Acknowledged" });
  assert.equal((await stars.findByRole("link", { name: /Five stars/u })).getAttribute("href"), `#/clips/${clip.id}`);
  const again = await cardWith("Another gift, the same error: Kit counts it instead of listing it again.");
  const issue = await again.findByRole("link", { name: /lid is undefined.*reported 2 times.*_process/u });
  assert.equal(issue.getAttribute("href"), "#/issues/i1");
  assert.deepEqual(
    posted.map(([path, { eventId, message: text }]) => `${path.split("/")[2]} ${eventId ?? text}`),
    [
      "recording kit_demo_started",
      "recording kit_demo_five_stars",
      "recording kit_demo_jewel_found",
      "monitor Cannot read properties of undefined (reading 'lift')",
      "monitor Cannot read properties of undefined (reading 'lift')",
      "recording kit_demo_storm_passed",
      "social kit_demo_high_score",
    ],
  );
  for (const [, { stackTrace }] of posted.filter(([path]) => path.includes("monitor")))
    assert.match(stackTrace ?? "", /openGift/u);
  await screen.findByRole("button", { name: "Fly again" });
  const account = launcher.changes.find((each) => each.startsWith("POST /api/accounts"));
  assert.ok(account?.includes(demoAccountName) && account.includes('"demo":true'));
  await assertAccessible();
});

test("without a recorder the page says what a clip would be, why there is none, and where to get one", async () => {
  const detail = message("recorder.off");
  launcher.when(getRecorder).reply(() => reportOf({ state: recorderStateOf({ state: "off", detail }) }));
  const clips = [markerOf(1, { reason: "Nothing was recorded" })];
  launcher.when(listClips).reply(() => ({ clips, more: false, bytes: 0, quotaBytes: 1e10 }));
  await startFlight();
  await screen.findByText(/^Kit cannot record now, so a moment becomes a marker\./u);
  assert.equal(screen.getByRole("link", { name: "Set up the recorder" }).getAttribute("href"), "#/recorder");
  await (await cardWith(/^5 stars/u)).findByText("Nothing was recorded");
});

test("nothing is sent or recorded before a click, and the game pauses", async () => {
  launcher.when(listClips).reply(() => ({ clips: [], more: false, bytes: 0, quotaBytes: 1e10 }));
  const { user } = await openApp("#/demo", launcher);
  const fly = await screen.findByRole<HTMLButtonElement>("button", { name: "Fly" });
  await waitFor(() => assert.ok(!fly.disabled));
  assert.deepEqual([posted, launcher.changes], [[], []]);
  await user.click(fly);
  await user.click(await screen.findByRole("button", { name: "Pause" }));
  const before = posted.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(posted.length, before);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByRole("button", { name: "Fly again" });
});

test("the demo's data is deleted with a chance to undo, and nothing is sent meanwhile", async () => {
  launcher.when(wipeGame).reply(({ body: { game } }) => {
    const holdings = { events: 7, clips: 2, clipBytes: 9, pinned: 0, issues: 1, posts: 1, sessions: 1 };
    // Much longer than in the launcher, so that the countdown does not end on a busy machine.
    const wipe = { game, holdings, dueAt: new Date(Date.now() + 600_000).toISOString() };
    wipes = [wipe];
    return wipe;
  });
  launcher.when(undoWipe).reply(() => {
    wipes = [];
    return undefined;
  });
  launcher.when(listClips).reply(() => ({ clips: [], more: false, bytes: 0, quotaBytes: 1e10 }));
  const user = await startFlight();
  await screen.findByRole("button", { name: "Pause" });
  await user.click(await screen.findByRole("button", { name: "Delete the demo's data" }));
  await screen.findByText(/^All demo data will be deleted in \d+ s$/u);
  const before = posted.length;
  const fly = await screen.findByRole<HTMLButtonElement>("button", { name: "Fly" });
  assert.ok(fly.disabled);
  await assertAccessible();
  await user.click(screen.getByRole("button", { name: "Cancel the deletion" }));
  await screen.findByRole("button", { name: "Delete the demo's data" });
  assert.equal(posted.length, before);
  assert.deepEqual(
    launcher.changes.filter((each) => each.includes("/api/wipes")),
    ['POST /api/wipes {"game":"kit_demo"}', "DELETE /api/wipes?game=kit_demo"],
  );
});
