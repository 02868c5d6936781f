// Tests of one session: its summary, its track by pointer and keyboard, the open item, and what changes while the game runs.
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import { test } from "vitest";
import { clipOf } from "../../../test/clip-samples.ts";
import { assertAccessible } from "../../../test/component/accessible.ts";
import { launcherWithSessions } from "../../../test/component/fake-sessions.ts";
import { openApp } from "../../../test/component/open-app.tsx";
import {
  entryOf,
  fullTimeline,
  runningOf,
  sessionIdOf,
  sessionOf,
  spanOf,
  timelineOf,
} from "../../../test/session-samples.ts";

const lines = (text: string) =>
  [...document.querySelectorAll(".item")].filter((line) => line.textContent?.includes(text));
const hasLine = (text: string) => waitFor(() => assert.notEqual(lines(text).length, 0, text));
const buttonOf = (line: Element | undefined) => within(line as HTMLElement).getByRole("button");
const track = () => screen.getByRole("slider", { name: "What happened, in chronological order" });
const panel = async (name: string) => within(await screen.findByRole("complementary", { name }));
const video = () => document.querySelector<HTMLVideoElement>(".beside video");

async function openFull() {
  const session = sessionOf(2);
  const { launcher } = launcherWithSessions({
    sessions: [session],
    timelines: { [session.id]: [fullTimeline(session)] },
  });
  const opened = await openApp(`#/sessions/${session.id}`, launcher);
  await hasLine("secret found");
  return opened;
}

test("a session starts with a summary: the best clips, the errors with their issues, and the posts", async () => {
  const { user } = await openFull();
  const best = within(await screen.findByRole("region", { name: "Best moments" }));
  // Not by time: in the order of Home.
  const about = () => [...document.querySelectorAll(".best-clip .best-about")].map(({ textContent }) => textContent);
  await waitFor(() => assert.deepEqual(about(), ["at 4:56", "at 34:48", "at 0:28"]));
  await user.click(buttonOf(best.getAllByRole("listitem")[0]));
  await panel("boss defeated");
  await waitFor(() => assert.ok(video()));
  const errors = within(screen.getByRole("region", { name: "Errors" }));
  errors.getByRole("heading", { name: "60 errors" });
  assert.match(errors.getAllByRole("listitem")[0]?.textContent ?? "", /in 2 of the last 5 sessions/u);
  const issue = errors.getByRole("link", { name: "Door has no key" });
  assert.match(issue.getAttribute("href") ?? "", /^#\/issues\/01990000-0000-7000-8000-700000000001\?event=/u);
  const post = within(screen.getByRole("region", { name: "Posts" })).getByRole("link", { name: "all friends" });
  assert.match(post.getAttribute("href") ?? "", /^#\/posts\?event=/u);
  await assertAccessible();
});

test("a mark opens its item beside the list, which stays in the address, and Escape closes it, then the session", async () => {
  const { user } = await openFull();
  await user.click(buttonOf(lines("prologue done").at(-1)));
  await panel("prologue done");
  await waitFor(() => assert.match(video()?.src ?? "", /#t=12\.000$/u));
  await user.click(document.querySelector('.track [data-lane="posts"] .track-mark') ?? assert.fail());
  (await panel("all friends")).getByRole("link", { name: "Open the post" });
  assert.match(location.hash, /[?&]at=/u);
  await user.keyboard("{Escape}");
  await waitFor(() => assert.ok(!screen.queryByRole("complementary")));
  await user.keyboard("{Escape}");
  await screen.findByRole("heading", { name: "Sessions" });
});

test("the address of an item opens it", async () => {
  const session = sessionOf(2);
  const timeline = fullTimeline(session);
  const { launcher } = launcherWithSessions({ timelines: { [session.id]: [timeline] } });
  const post = timeline.entries.find(({ label }) => label === "all friends") ?? assert.fail();
  await openApp(`#/sessions/${session.id}?at=${post.id}`, launcher);
  await panel("all friends");
});

test("the keyboard moves along the track and between its lanes, opens an item, and follows its link", async () => {
  const { user } = await openFull();
  track().focus();
  for (const [key, text] of [
    ["Home", "0:28 · Clip · prologue done · Saved"],
    ["ArrowRight", "0:40 · Moment · prologue done · Saved"],
    ["ArrowRight", "1:35 · Error · Door has no key · Grouped"],
    ["ArrowRight", "1:36 · Error · Door has no key · × 58 · Grouped"],
    ["ArrowUp", "0:40 · Moment · prologue done · Saved"],
    ["ArrowUp", "0:28 · Clip · prologue done · Saved"],
    ["End", "40:00 · Post · night falls · Ignored"],
    ["ArrowLeft", "39:00 · Error · Sound is missing · Dispatched"],
  ] as const) {
    await user.keyboard(`{${key}}`);
    await waitFor(() => assert.equal(track().getAttribute("aria-valuetext"), text));
  }
  await user.keyboard("{Enter}");
  (await panel("Sound is missing")).getByRole("link", { name: "Receipt" });
  await user.keyboard("{Enter}");
  await waitFor(() => assert.match(location.hash, /^#\/live\?show=/u));
});

test("while the game runs, new items appear and the opened one stays open", async () => {
  const session = runningOf(1);
  const first = entryOf(session, 1, 30, { label: "lantern lit", state: "recording" });
  const { launcher, kept } = launcherWithSessions({
    sessions: [session],
    timelines: { [session.id]: [timelineOf(session, { entries: [first] })] },
  });
  const { user } = await openApp(`#/sessions/${session.id}`, launcher);
  await hasLine("lantern lit");
  await user.click(buttonOf(lines("lantern lit")[0]));
  await panel("lantern lit");
  const second = entryOf(session, 2, 60, { label: "door opened" });
  const saved = { ...first, state: "saved", clip: clipOf(1).id, second: 12 } as const;
  kept.timelines[session.id] = [timelineOf(session, { entries: [saved, second], clips: [spanOf(session, 1, 18)] })];
  launcher.tell("sessions");
  await hasLine("door opened");
  await waitFor(() => assert.ok(video()));
  await panel("lantern lit");
  const third = entryOf(session, 3, 90, { label: "key found" });
  const ended = { ...session, ending: "crashed", signal: "SIGSEGV", endedAt: new Date().toISOString() } as const;
  kept.timelines[session.id] = [timelineOf(ended, { entries: [saved, second, third] })];
  // A finished clip is reported only as a change of clips.
  launcher.tell("clips");
  await hasLine("key found");
  await screen.findByText("Crashed: SIGSEGV");
});

test("a long session is loaded in parts, and a complete part is not requested again", async () => {
  const session = runningOf(1);
  const part = (n: number, until: string | null) =>
    timelineOf(session, { entries: [entryOf(session, n, 60 * n, { label: `moment ${n}` })], until });
  const { launcher, kept } = launcherWithSessions({ timelines: { [session.id]: [part(0, "1"), part(1, null)] } });
  const { user } = await openApp(`#/sessions/${session.id}`, launcher);
  await user.click(await screen.findByRole("button", { name: "Show the next part" }));
  await hasLine("moment 1");
  await hasLine("moment 0");
  launcher.asked.length = 0;
  kept.timelines[session.id] = [part(0, "1"), part(2, null)];
  launcher.tell("sessions");
  await hasLine("moment 2");
  const parts = launcher.asked.filter((asked) => asked.includes("/timeline"));
  assert.deepEqual([...new Set(parts)], [`/api/sessions/${session.id}/timeline?after=1`]);
});

test("the address of a missing session is reported as not found, with a link to the list", async () => {
  const { launcher } = launcherWithSessions({ sessions: [sessionOf(1)] });
  const { user } = await openApp(`#/sessions/${sessionIdOf(9)}`, launcher);
  await screen.findByRole("heading", { name: "Not found" });
  await assertAccessible();
  await user.click(within(screen.getByRole("main")).getByRole("link", { name: "Sessions" }));
  await screen.findByRole("link", { name: /Lanternwood/u });
});
