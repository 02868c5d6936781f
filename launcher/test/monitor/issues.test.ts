// Tests of issues in a whole launcher: reports of `kit fire monitor` become one issue, which survives restarts and can be changed.
import assert from "node:assert/strict";
import { type Issue, type IssueDetail, textOf } from "@kit/contract";
import { test } from "vitest";
import { kitOn } from "../support/kit-command.ts";
import { launcherOfFile, type OwnLauncher, startLauncherProcess, startOwnLauncher } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const launcher = await launcherOfFile();

const { succeeds } = kitOn(launcher);
const issues = async (query: string, by: OwnLauncher = launcher) =>
  (await by.api("GET", `/api/issues?${query}`)).json<{ issues: Issue[] }>().issues;
const detail = async (id: string) => (await launcher.api("GET", `/api/issues/${id}`)).json<IssueDetail>();
const change = async (id: string, body: object) => (await launcher.api("PUT", `/api/issues/${id}`, body)).json<Issue>();

const counted = (title: string, count: number, by: OwnLauncher = launcher) =>
  until(`${count} of ${title}`, async () => {
    const listed = await issues("limit=200", by);
    return listed.find((issue) => issue.title === title && issue.count === count);
  });

test("equal reports become one issue, and their receipts name it", async () => {
  await succeeds("fire", "recording", "saga_door_reached");
  await succeeds("fire", "monitor", "Door 41 has no key");
  await succeeds("fire", "monitor", "Door 42 has no key");
  const issue = await counted("Door 41 has no key", 2);
  // A full hour may have begun between the reports.
  const lately = issue.hours.slice(-2).reduce((sum, count) => sum + count, 0);
  assert.deepEqual([issue.state, issue.isNew, lately], ["open", true, 2]);
  const { report: newest, breadcrumbs, occurrences } = await detail(issue.id);
  assert.equal(newest?.message, "Door 42 has no key");
  assert.ok(breadcrumbs.every(({ text }) => text === "saga_door_reached"));
  const { states } = await launcher.receipt(occurrences[0]?.event ?? "");
  assert.deepEqual(
    states.map(({ state, by, reason }) => [state, by, reason && textOf(reason)]),
    [
      ["accepted", "inbox", undefined],
      ["grouped", "monitor", `issue ${issue.id}: Door 41 has no key`],
    ],
  );
  assert.ok((await launcher.health()).capabilities.includes("issues"));
});

test("counts and issues survive a restart, and counting continues", async () => {
  for (let index = 0; index < 40; index += 1)
    await launcher.report(`Lamp ${index} is out`, "at: light (res://lamp.gd:7)");
  const issue = await counted("Lamp 0 is out", 40);
  await launcher.restart();
  assert.equal((await counted("Lamp 0 is out", 40)).id, issue.id);
  for (let index = 0; index < 10; index += 1)
    await launcher.report(`Lamp ${index} is out`, "at: light (res://lamp.gd:9)");
  assert.equal((await counted("Lamp 0 is out", 50)).id, issue.id);
});

test("after kills the count includes every acknowledged report and none that was not sent", async () => {
  await using killed = await startLauncherProcess();
  let acknowledged = 0;
  let sent = 0;
  const storm = async (ends: { now: boolean }) => {
    while (!ends.now) {
      sent += 1;
      await killed.report(`Torch ${sent} is out`).then(
        () => {
          acknowledged += 1;
        },
        () => undefined,
      );
    }
  };
  for (let cycle = 0; cycle < 3; cycle += 1) {
    const ends = { now: false };
    const before = acknowledged;
    const storms = [storm(ends), storm(ends), storm(ends), storm(ends)];
    await until("a storm", async () => acknowledged > before + 100);
    await killed.restart("SIGKILL", async () => {
      ends.now = true;
      await Promise.all(storms);
    });
  }
  // Reports are processed in order: when this one is counted, the whole storm is.
  await killed.report("The storm is over");
  await counted("The storm is over", 1, killed);
  const [torch] = await issues("search=torch", killed);
  const count = torch?.count ?? 0;
  assert.ok(count >= acknowledged && count <= sent, `${count} of ${sent} sent, ${acknowledged} acknowledged`);
});

test("a resolved issue that occurs again is regressed, and a muted one is found by its state", async () => {
  await launcher.report("The map is torn");
  const { id } = await counted("The map is torn", 1);
  assert.equal((await change(id, { state: "resolved" })).state, "resolved");
  await launcher.report("The map is torn");
  await counted("The map is torn", 2);
  assert.deepEqual(
    (await issues("state=regressed")).map((issue) => issue.id),
    [id],
  );
  const mutedUntil = new Date(Date.now() + 8 * 3_600_000).toISOString();
  const muted = await change(id, { state: "muted", mutedUntil });
  assert.deepEqual([muted.state, muted.mutedUntil], ["muted", mutedUntil]);
  assert.deepEqual(
    (await issues("state=muted&search=MAP")).map((issue) => issue.id),
    [id],
  );
  assert.equal((await change(id, { state: "muted", mutedForCount: 5 })).mutedUntilCount, 7);
  assert.equal((await change(id, { state: "open", note: "seen" })).note, "seen");
  assert.equal((await launcher.api("GET", "/api/issues/nothing")).status, 404);
});

test("a report that arrives late reopens an issue by its own time up to 10 s, and by its arrival beyond that", async () => {
  const clock = { ms: Date.parse("2026-05-03T10:00:00Z") };
  await using dated = await startOwnLauncher({ now: () => clock.ms });
  const report = async (message: string, atMs: number) => {
    const timestamp = new Date(atMs).toISOString();
    assert.equal((await dated.send("monitor", { message, stackTrace: "", timestamp })).status, 202);
  };
  const resolvedMs = clock.ms + 1_000;
  for (const message of ["The early bell", "The old bell", "The new bell"]) {
    await report(message, clock.ms);
    const { id } = await counted(message, 1, dated);
    await dated.api("PUT", `/api/issues/${id}`, { state: "resolved" });
  }
  const states = async () => {
    const { issues: listed } = (await dated.api("GET", "/api/issues")).json<{ issues: Issue[] }>();
    return Object.fromEntries(listed.map(({ title, state }) => [title, state]));
  };
  assert.deepEqual(new Set(Object.values(await states())), new Set(["resolved"]));
  clock.ms += 10_000;
  await report("The early bell", clock.ms - 10_000);
  await report("The old bell", clock.ms - 10_001);
  await report("The new bell", resolvedMs);
  for (const message of ["The early bell", "The old bell", "The new bell"]) await counted(message, 2, dated);
  assert.deepEqual(await states(), {
    "The early bell": "resolved",
    "The old bell": "regressed",
    "The new bell": "regressed",
  });
});

test("an issue that is resolved in a build regresses with that build, and not with an older one", async () => {
  const stackTrace = "at: swing (res://bell.gd:7)";
  const seenIn = async (build: string) => {
    const sent = await launcher.send("monitor", {
      message: "The bell is cracked",
      stackTrace,
      build,
      timestamp: new Date().toISOString(),
    });
    assert.equal(sent.status, 202, sent.text);
  };
  await seenIn("1.3");
  await seenIn("1.4");
  const { id } = await counted("The bell is cracked", 2);
  assert.equal((await change(id, { state: "resolved", resolvedBuild: "1.5" })).resolvedBuild, "1.5");
  await seenIn("1.4");
  assert.equal((await counted("The bell is cracked", 3))?.state, "resolved");
  await seenIn("1.5");
  assert.equal((await counted("The bell is cracked", 4))?.state, "regressed");
  assert.equal((await change(id, { state: "resolved", resolvedBuild: "1.6" })).resolvedBuild, "1.6");
});

test("issues are merged and split, moved to the trash and restored", async () => {
  await launcher.report("The rope broke");
  await launcher.report("The sword broke");
  const rope = await counted("The rope broke", 1);
  const sword = await counted("The sword broke", 1);
  await launcher.api("POST", `/api/issues/${rope.id}/merge`, { ids: [sword.id] });
  const whole = await detail(rope.id);
  assert.deepEqual([whole.issue.count, whole.merged.map(({ id }) => id)], [2, [sword.id]]);
  assert.deepEqual(
    (await detail(sword.id)).merged.map(({ id }) => id),
    [sword.id],
  );
  await launcher.api("POST", `/api/issues/${sword.id}/split`);
  assert.deepEqual([(await detail(rope.id)).issue.count, (await detail(sword.id)).issue.count], [1, 1]);
  await launcher.api("DELETE", `/api/issues/${rope.id}`);
  assert.deepEqual(
    (await issues("bin=true")).map(({ id }) => id),
    [rope.id],
  );
  await launcher.api("POST", `/api/issues/${rope.id}/restore`);
  assert.deepEqual(await issues("bin=true"), []);
});

test("issues are shown only to clients with the secret", async () => {
  const reply = await fetch(`http://127.0.0.1:${launcher.port}/api/issues`);
  assert.equal(reply.status, 401);
  assert.equal((await launcher.api("GET", "/api/issues?limit=1000")).status, 422);
  assert.equal((await launcher.api("POST", "/api/issues/x/merge", { ids: [] })).status, 422);
});
