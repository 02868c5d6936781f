// Tests of Home: the best clips of the last evening, what waits, and the suggestion.
import assert from "node:assert/strict";
import {
  type Clip,
  demoGame,
  type GameSession,
  getRecorder,
  type Issue,
  listClips,
  listIssues,
  listPosts,
  listRecorderSources,
  listRecordingRules,
  listSessions,
  makeReel,
  type Post,
  type RecorderSource,
  saveRecording,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { recorderStateOf, reportOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { createFakeLauncher } from "../../../test/component/fake-launcher.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import { postOf } from "../../../test/post-samples.ts";
import { playedClipOf, sessionOf } from "../../../test/session-samples.ts";

type Played = { readonly sessions?: readonly GameSession[]; readonly clips?: readonly Clip[] };

/** A launcher on which somebody has played. */
function launcherAfter({ sessions = [sessionOf(1, { game: "mygame" })], clips = [] }: Played = {}) {
  const launcher = createFakeLauncher();
  launcher.when(listSessions).reply(() => ({ sessions: [...sessions], more: false, forgotten: 0 }));
  launcher.when(listClips).reply(() => ({ clips: [...clips], more: false, bytes: 0, quotaBytes: 1e10 }));
  return launcher;
}

const regionNamed = (name: string | RegExp) => screen.findByRole("region", { name });
const untilAt = (hash: string) => waitFor(() => assert.equal(location.hash, hash));
const textsOf = (part: ParentNode, selector: string) =>
  [...part.querySelectorAll(selector)].map(({ textContent }) => textContent);

/** The first query of the clips that Home asked for. */
function askedForClips(asked: readonly string[]): Record<string, string> {
  const address = asked.find((each) => each.startsWith("/api/clips?")) ?? assert.fail("no clips");
  return Object.fromEntries(new URLSearchParams(address.split("?")[1]));
}

test("Home shows the three best moments of the evening, without errors, reels and doubles, and links to each", async () => {
  const boss = playedClipOf(2, { title: "Boss defeated", priority: 900 });
  const trim = { ...playedClipOf(2), id: "a-trim", title: "Boss, cut", priority: 900, trimmedFrom: boss.id };
  const clips = [
    trim,
    boss,
    playedClipOf(6, { title: "Best of My Game", priority: 900, parts: [] }),
    playedClipOf(5, { title: "Saved by you, 21:04", priority: 800, events: [] }),
    playedClipOf(3, { title: "Jewel found", priority: 500 }),
    playedClipOf(1, { title: "Five stars", priority: 300 }),
  ];
  const { launcher } = await openApp("#/home", launcherAfter({ clips }));
  const region = await regionNamed("Best moments of the last time you played");
  await waitFor(() =>
    assert.deepEqual(textsOf(region, ".clip-title"), ["Boss, cut", "Saved by you, 21:04", "Jewel found"]),
  );
  const { kind, state, subject, game } = askedForClips(launcher.asked);
  assert.deepEqual([kind, state, subject, game], ["clip", "saved", "highlight", undefined]);
  await screen.findByText("No draft waits for you.");
  await screen.findByText("No new errors.");
  const leadsTo = (name: RegExp) => within(region).getByRole("link", { name }).getAttribute("href");
  assert.equal(leadsTo(/Boss, cut$/u), "#/clips/a-trim");
  assert.equal(leadsTo(/^mygame ?, /iu), "#/sessions");
});

test("the evening is the twelve hours before the newest clip, over all games, whatever sessions came since", async () => {
  const clips = [
    playedClipOf(2, { title: "Boss defeated", priority: 900 }),
    playedClipOf(1, { title: "Five stars", game: "lanternwood", priority: 300 }),
  ];
  // Somebody tried an event since then.
  const sessions = [sessionOf(1, { game: "other", moments: 1 }), sessionOf(30), sessionOf(31)];
  const { launcher, user } = await openApp("#/home", launcherAfter({ sessions, clips }));
  const region = await regionNamed("Best moments of the last time you played");
  await waitFor(() => assert.deepEqual(textsOf(region, ".clip-title"), ["Boss defeated", "Five stars"]));
  const from = new Date(Date.parse(clips[0]?.startedAt ?? "") - 12 * 3_600_000).toISOString();
  const what = "/api/clips?kind=clip&state=saved&subject=highlight";
  const asked = new Set(launcher.asked.filter((each) => each.startsWith("/api/clips?")));
  assert.deepEqual(
    [...asked],
    [`${what}&sort=newest&limit=1`, `${what}&sort=best&limit=40&${new URLSearchParams({ from })}`],
  );
  await user.click(within(region).getByRole("link", { name: /^mygame ?, lanternwood ?, /iu }));
  await untilAt("#/sessions");
});

const issueOf = (id: string, members: Partial<Issue>): Issue => ({
  ...{ id, title: id, game: "mygame", state: "open", isNew: false, isOverflow: false, count: 1, hours: [], why: "" },
  ...{ mutedUntil: null, mutedUntilCount: null, firstBuild: null, lastBuild: null, resolvedBuild: null },
  ...{ dialect: "text", culprit: null, note: null, deletedAt: null },
  ...{ stateSince: new Date().toISOString(), firstSeen: new Date().toISOString(), lastSeen: new Date().toISOString() },
  ...members,
});

test("Home lists the drafts that wait, new errors and those that came back, and says what the recorder does", async () => {
  const launcher = launcherAfter();
  const off = recorderStateOf({ state: "off", detail: "Recording is switched off." });
  launcher.when(getRecorder).reply(() => reportOf({ state: off }));
  const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString();
  const isNew = issueOf("new", { title: "Null value", isNew: true, stateSince: agoMs(60_000) });
  const old = issueOf("old", { title: "Damaged file", state: "regressed", stateSince: agoMs(1_000) });
  launcher.when(listIssues).reply(({ query }) => ({
    issues: query?.state === "regressed" ? [old] : [isNew, issueOf("known", {})],
    ...{ more: false, forgotten: { issues: 0, reports: 0 } },
  }));
  const posts = [1, 2, 3].map((n) => postOf(n));
  launcher.when(listPosts).reply(() => ({ posts, more: false, drafts: 5, held: 0 }));
  const { user } = await openApp("#/home", launcher);
  const waiting = await regionNamed("Waiting for you (5)");
  const linesOf = (region: HTMLElement) => textsOf(region, ".home-line bdi.ellipsis");
  assert.deepEqual(
    linesOf(waiting),
    posts.map(({ text }) => text),
  );
  const errors = await regionNamed("New errors");
  await waitFor(() => assert.deepEqual(linesOf(errors), ["Damaged file", "Null value"]));
  for (const query of ["state=draft&limit=3", "state=open&sort=firstSeen&limit=3", "state=regressed&limit=3"])
    assert.ok(launcher.asked.some((asked) => asked.endsWith(`?${query}`)));
  await screen.findByRole("link", { name: "Recording is off" });
  await assertAccessible();
  await user.click(within(errors).getByRole("link", { name: /^Damaged file/u }));
  await untilAt("#/issues/old");
});

test("a draft on Home shows the picture of the post, which exists before its clip has a poster, and none before the clip exists", async () => {
  const launcher = launcherAfter();
  const [ready, pending] = [postOf(1), postOf(2)];
  const unfinished: Post = { ...pending, footage: { ...pending.footage, state: "pending", clip: null } };
  launcher.when(listPosts).reply(() => ({ posts: [ready, unfinished], more: false, drafts: 2, held: 0 }));
  await openApp("#/home", launcher);
  const region = await regionNamed("Waiting for you");
  await waitFor(() => assert.equal(region.querySelectorAll(".small-poster").length, 2));
  const [first, second] = region.querySelectorAll(".small-poster");
  assert.equal(first?.querySelector("img")?.getAttribute("src"), `/api/posts/${ready.id}/picture?pass=pass`);
  assert.equal(second?.innerHTML, "");
});

test("the best moments of the last evening become a reel whose parts a person can change first", async () => {
  const clips = Array.from({ length: 11 }, (_, n) =>
    playedClipOf(n + 1, { title: `moment ${n + 1}`, priority: 900 - n }),
  );
  const launcher = launcherAfter({ clips });
  launcher.when(makeReel).reply(() => playedClipOf(20, { title: "Best of Mygame", parts: [] }));
  const { user } = await openApp("#/home", launcher);
  await user.click(await screen.findByRole("button", { name: "Reel of the best moments" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Make a reel" }));
  assert.deepEqual(
    dialog.getAllByRole<HTMLInputElement>("textbox", { name: /^Title of the part/u }).map(({ value }) => value),
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `moment ${n}`),
  );
  assert.match(
    dialog.getByRole<HTMLInputElement>("textbox", { name: "Title of the reel" }).value,
    /^Best of Mygame, /u,
  );
  await assertAccessible();
  for (const n of [10, 9, 8, 7, 6, 5, 4, 3])
    await user.click(dialog.getByRole("button", { name: `Remove from the reel: moment ${n}` }));
  await user.click(dialog.getByRole("button", { name: "Make the reel" }));
  const link = await screen.findByRole("link", { name: "Open the reel" });
  assert.equal(link.getAttribute("href"), `#/clips/${playedClipOf(20).id}`);
  assert.ok(screen.queryByRole("dialog", { name: "Make a reel" }) === null);
  const [asked = ""] = launcher.changes;
  const { parts } = JSON.parse(asked.replace("POST /api/reels ", ""));
  assert.deepEqual(
    parts.map(({ clip }: { clip: string }) => clip),
    [clips[1]?.id, clips[0]?.id],
  );
});

test("a link without a page opens Home, and without any game Home suggests to add one or to play the demo", async () => {
  const launcher = createFakeLauncher();
  const source: RecorderSource = { kind: "window", name: "Saga", width: 640, height: 480, pid: 7, picture: null };
  launcher.when(listRecorderSources).reply(() => ({ sources: [source], why: null }));
  const { user } = await openApp("", launcher);
  const suggestion = within(await regionNamed("Add your game"));
  await user.click(suggestion.getByRole("button", { name: "Add a game" }));
  await screen.findByRole("radio", { name: /^Saga/u });
  await user.keyboard("{Escape}");
  assert.equal(suggestion.getByRole("link", { name: "Do you make the game?" }).getAttribute("href"), "#/connect");
  await screen.findByRole("link", { name: "Play the demo" });
  screen.getByRole("heading", { level: 1, name: "Home" });
  await assertAccessible();
});

test("someone with clips but no account is told how to share them", async () => {
  const { user } = await openApp("#/home", launcherAfter({ clips: [playedClipOf(1)] }));
  const suggestion = await regionNamed("Share your clips");
  await assertAccessible();
  await user.click(within(suggestion).getByRole("link"));
  await untilAt("#/accounts");
});

test("a person reads once that the whole screen is recorded", async () => {
  const launcher = launcherAfter({ clips: [playedClipOf(1)] });
  const detail = message("window.of_game_not_found");
  launcher.when(getRecorder).reply(() => reportOf({ state: recorderStateOf({ state: "recording", detail }) }));
  launcher.when(listRecordingRules).reply(() => ({ rules: [] }));
  const { user } = await openApp("#/home", launcher);
  const name = "Kit records the whole screen";
  const notice = within(await regionNamed(name));
  notice.getByRole("link", { name: "Open the recorder" });
  await assertAccessible();
  await user.click(notice.getByRole("button", { name: "Dismiss" }));
  await regionNamed("Share your clips");
  // The page that is opened again knows only what the browser has stored.
  location.hash = "#/live";
  await screen.findByRole("heading", { level: 1, name: "Live" });
  location.hash = "#/home";
  await regionNamed("Share your clips");
  assert.ok(screen.queryByRole("region", { name }) === null);
});

test("Save the last 30 seconds links to the saved clip, or says why there is only a marker", async () => {
  const launcher = launcherAfter();
  let clip = playedClipOf(7, { title: "Saved by you, 21:04" });
  launcher.when(saveRecording).reply(() => clip);
  const { user } = await openApp("#/home", launcher);
  const button = await screen.findByRole("button", { name: "Save the last 30 seconds" });
  await user.click(button);
  const link = await screen.findByRole("link", { name: "Saved: Saved by you, 21:04" });
  assert.equal(link.getAttribute("href"), `#/clips/${clip.id}`);
  assert.deepEqual(launcher.changes, ['POST /api/recording/save {"seconds":30}']);
  const reason = "Nothing is recorded yet: Waits for a game's first event";
  clip = { ...clip, kind: "marker", state: "marked", reason };
  await user.click(button);
  await screen.findByText(`No clip: ${reason}`);
  await assertAccessible();
});

test("without footage the save button is off and says why, and an earlier failure is not shown beside a new recording", async () => {
  const launcher = launcherAfter();
  let state = recorderStateOf({ state: "recording", heldSeconds: 0 });
  launcher.when(getRecorder).reply(() => reportOf({ state }));
  const marker = { kind: "marker", state: "marked", reason: "Nothing is recorded yet" } as const;
  launcher.when(saveRecording).reply(() => ({ ...playedClipOf(7), ...marker }));
  const { user } = await openApp("#/home", launcher);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Save the last 30 seconds" });
  await user.click(button);
  await screen.findByText("No clip: Nothing is recorded yet");
  state = recorderStateOf({ state: "idle", heldSeconds: 0 });
  launcher.tell("recorder");
  await screen.findByText("Nothing to save: Waiting for a game");
  assert.ok(button.disabled);
  state = recorderStateOf({ state: "recording" });
  launcher.tell("recorder");
  await waitFor(() => assert.ok(!button.disabled));
  assert.ok(screen.queryByText(/^No clip: /u) === null);
});

test("the demo is offered on Home, also after it was played, until a game of one's own was played", async () => {
  const launcher = launcherAfter();
  let sessions: GameSession[] = [sessionOf(1, { game: demoGame })];
  launcher.when(listSessions).reply(() => ({ sessions, more: false, forgotten: 0 }));
  await openApp("#/home", launcher);
  const link = await screen.findByRole("link", { name: "Play the demo" });
  assert.equal(link.getAttribute("href"), "#/demo");
  await regionNamed("Best moments of the last time you played");
  await regionNamed("Add your game");
  sessions = [sessionOf(2, { game: "mygame" }), ...sessions];
  launcher.tell("sessions");
  await waitFor(() => assert.ok(screen.queryByRole("link", { name: "Play the demo" }) === null));
});
