// Tests of alerts in the built launcher: over HTTP, in the event stream, and as desktop notifications.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Issue, type Notice, type NoticeSettingsReport, textOf } from "@kit/contract";
import { afterAll, test } from "vitest";
import { launcherProcessOfFile, timestamp } from "../support/own-launcher.ts";
import { patienceMs, until } from "../support/until.ts";
import { standInDesktop } from "./stand-in-desktop.ts";

const desktop = standInDesktop();
const launcher = await launcherProcessOfFile({ env: { PATH: `${desktop.folder}:${process.env.PATH}` } });
afterAll(() => desktop[Symbol.dispose]());

type Listed = { notices: Notice[]; more: boolean; unseen: number };
const listed = async (query = "") => (await launcher.api("GET", `/api/notices${query}`)).json<Listed>();

const noticed = (kind: string, title: string) =>
  until(`${kind} of ${title}`, async () => {
    const { notices } = await listed();
    return notices.find((notice) => notice.kind === kind && notice.title === title);
  });

async function report(message: string, times = 1): Promise<void> {
  const sent = Array.from({ length: times }, () =>
    launcher.send("monitor", { message, stackTrace: "", timestamp: timestamp() }),
  );
  for (const { status } of await Promise.all(sent)) assert.equal(status, 202);
}

/** Reads the feed until it reports changed notices. */
async function feedSaysNotices(act: () => Promise<void>): Promise<void> {
  const ending = AbortSignal.timeout(patienceMs);
  const reply = await fetch(`http://127.0.0.1:${launcher.port}/api/feed`, {
    headers: {
      authorization: `Bearer ${readFileSync(`${launcher.dataDir}/secret`, "utf8").trim()}`,
      accept: "text/event-stream",
    },
    signal: ending,
  });
  await act();
  let text = "";
  for await (const chunk of reply.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('{"type":"changed","what":"notices"}')) return;
  }
  assert.fail("the feed ended");
}

test("a new error is noticed, the feed says so, and the notice is unseen until a person saw it", async () => {
  await feedSaysNotices(() => report("The door has no key"));
  const notice = await noticed("new", "The door has no key");
  assert.deepEqual([notice.count, notice.seen, notice.quiet, notice.game], [1, false, false, null]);
  assert.equal((await listed()).unseen, 1);
  await launcher.api("PUT", "/api/notices/seen", { upTo: notice.number });
  assert.equal((await listed()).unseen, 0);
  assert.deepEqual((await listed()).notices[0], { ...notice, seen: true });
});

test("a regression and a tenfold count are noticed once, even after a kill", async () => {
  await report("The lamp is out", 9);
  const { issue: id } = await noticed("new", "The lamp is out");
  await until("nine", async () => (await launcher.api("GET", `/api/issues/${id}`)).text.includes('"count":9'));
  await launcher.api("PUT", `/api/issues/${id}`, { state: "resolved" });
  await report("The lamp is out");
  await noticed("regressed", "The lamp is out");
  await launcher.restart("SIGKILL");
  await report("The lamp is out", 95);
  await noticed("times", "The lamp is out");
  await launcher.restart();
  const { notices } = await listed();
  const own = notices.filter(({ issue }) => issue === id).map(({ kind }) => kind);
  assert.deepEqual(own, ["times", "regressed", "new"]);
  const page = await listed(`?limit=1&before=${notices[0]?.number}`);
  assert.deepEqual([page.notices[0]?.number, page.more], [notices[1]?.number, true]);
});

test("the desktop shows notifications only when enabled, and hostile text is one argument", async () => {
  assert.deepEqual(desktop.calls(), []);
  await launcher.api("PUT", "/api/notices/settings", { desktop: true });
  await report("<b>lost</b> $(touch x) --help \u001b[2J");
  const calls = await until("a call", async () => desktop.calls().length > 0 && desktop.calls());
  assert.deepEqual(calls, [
    ["--app-name=Kit", "--", "New error without a game", "&lt;b&gt;lost&lt;/b&gt; $(touch x) --help [2J"],
  ]);
  assert.equal((await launcher.api("POST", "/api/notices/test")).json<{ ok: boolean }>().ok, true);
});

test("a failing desktop is reported, and reports are still accepted", async () => {
  desktop.setScript("echo Cannot autolaunch D-Bus >&2; exit 1");
  await report("The map is torn");
  const settings = async () =>
    (await launcher.api("GET", "/api/notices/settings")).json<NoticeSettingsReport>().trouble ?? undefined;
  assert.equal(
    textOf(await until("the trouble", settings)),
    "Desktop notifications are not available: Cannot autolaunch D-Bus.",
  );
  const issues = (await launcher.api("GET", "/api/issues?search=torn")).json<{ issues: Issue[] }>().issues;
  assert.equal(issues.length, 1);
  const failed = await launcher.api("POST", "/api/notices/test");
  assert.deepEqual([failed.json<{ ok: boolean }>().ok, failed.text.includes("Cannot autolaunch")], [false, true]);
});

test("invalid requests are refused, and notices are shown only to clients with the secret", async () => {
  assert.equal((await fetch(`http://127.0.0.1:${launcher.port}/api/notices`)).status, 401);
  assert.equal((await launcher.api("GET", "/api/notices?limit=101")).status, 422);
  assert.equal((await launcher.api("PUT", "/api/notices/seen", { upTo: -1 })).status, 422);
  assert.equal((await launcher.api("PUT", "/api/notices/settings", { kinds: ["all"] })).status, 422);
});
