// Tests that an error report is assigned to the game of the process that sent it, with links into its source code.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Issue, IssueDetail, KitEvent, SourceFolder } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { patienceMs } from "../support/until.ts";

const launcher = await launcherOfFile({ env: { KIT_SENDERS: "on" } });

/** Sends what each line of its input says, over one connection, and prints the id of each event. */
const script = `
  const port = process.argv[1];
  const headers = { "content-type": "application/json", "user-agent": "TwinEngine/1.0" };
  for await (const line of require("node:readline").createInterface(process.stdin)) {
    const { path, ...members } = JSON.parse(line);
    const body = JSON.stringify({ ...members, timestamp: new Date().toISOString() });
    const answer = await fetch("http://127.0.0.1:" + port + path, { method: "POST", headers, body });
    console.log((await answer.json()).id);
  }`;

/** Starts a game in its own process, which ends with the test. */
function play(t: TestContext, name: string) {
  const words = ["-e", `(async () => {${script}})()`, String(launcher.port), name];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const sendEvent = async (path: string, members: object): Promise<string> => {
    child.stdin.write(`${JSON.stringify({ path, ...members })}\n`);
    return (await lines.next()).value ?? assert.fail(`${name} ended`);
  };
  const report = (message: string, stackTrace = "") => sendEvent("/api/monitor/report", { message, stackTrace });
  const trigger = (eventId: string) => sendEvent("/api/recording/trigger", { eventId });
  /** A busy machine may not find the sender of the first events in time. Afterwards it is known. */
  const triggerUntilKnown = async (eventId: string, game: string) => {
    for (const deadlineMs = performance.now() + patienceMs; performance.now() < deadlineMs; ) {
      await trigger(eventId);
      if ((await gameOf(await report("Who am I?"))) === game) return;
    }
    assert.fail(`${name} was never known`);
  };
  return { report, trigger, triggerUntilKnown };
}
const gameOf = async (id = "") => (await launcher.receipt(id)).event.game;
const listed = async (game: string) =>
  (await launcher.api("GET", `/api/events?kind=monitor&game=${game}`))
    .json<{ events: KitEvent[] }>()
    .events.map(({ payload }) => payload.message);

async function issueOf(title: string): Promise<Issue> {
  for (const deadlineMs = performance.now() + patienceMs; performance.now() < deadlineMs; await pause(50)) {
    const { issues } = (await launcher.api("GET", "/api/issues")).json<{ issues: Issue[] }>();
    const found = issues.find((issue) => issue.title === title);
    if (found !== undefined) return found;
  }
  return assert.fail(`${title} never became an issue`);
}
const detailOf = async ({ id }: Issue) => (await launcher.api("GET", `/api/issues/${id}`)).json<IssueDetail>();

test("reports of two games of one engine belong to their own game, with that game's earlier events and the build in its file", {
  skip: cannot.readProc,
}, async (t) => {
  const saga = play(t, "saga");
  const quest = play(t, "quest");
  await saga.triggerUntilKnown("saga_door_reached", "saga");
  await quest.triggerUntilKnown("quest_won", "quest");
  await launcher.api("PUT", "/api/rules/file", { kitEvents: 1, game: "saga", build: "1.4.2", events: {} });
  const stuck = await saga.report("The door is stuck");
  const gone = await quest.report("The prize is gone");
  assert.deepEqual([await gameOf(stuck), await gameOf(gone)], ["saga", "quest"]);
  const buildOf = async (id: string) => (await launcher.receipt(id)).event.payload.build;
  assert.deepEqual([await buildOf(stuck), await buildOf(gone)], ["1.4.2", undefined]);
  assert.equal((await issueOf("The door is stuck")).lastBuild, "1.4.2");
  assert.ok((await listed("saga")).includes("The door is stuck"));
  assert.ok(!(await listed("saga")).includes("The prize is gone"));
  await saga.trigger("saga_door_opened");
  await quest.report("The prize is back");
  const issue = await issueOf("The prize is back");
  assert.equal(issue.game, "quest");
  const before = (await detailOf(issue)).breadcrumbs.map(({ text }) => text);
  assert.deepEqual([before.at(-1), before.includes("quest_won")], ["The prize is gone", true]);
  assert.ok(!before.some((text) => /saga|stuck/.test(text)));
});

test("a report is unassigned until its sender sends a trigger, and a correction reassigns it, also after a restart", {
  skip: cannot.readProc,
}, async (t) => {
  const alone = await play(t, "alone").report("The menu is empty");
  assert.equal(await gameOf(alone), null);
  const game = play(t, "my game");
  await game.triggerUntilKnown("my_game_map_opened", "my");
  const torn = await game.report("The map is torn");
  await launcher.api("PUT", "/api/games", { game: "my_game" });
  assert.equal(await gameOf(torn), "my_game");
  await launcher.restart();
  assert.equal(await gameOf(torn), "my_game");
  assert.ok((await listed("my_game")).includes("The map is torn"));
  const unsorted = await listed("unsorted");
  assert.deepEqual([unsorted.includes("The menu is empty"), unsorted.includes("The map is torn")], [true, false]);
});

test("a stack frame opens in the editor after the source folder of the game is set", {
  skip: cannot.readProc,
}, async (t) => {
  const root = join(launcher.dataDir, "..", "tower");
  mkdirSync(join(root, "actors"), { recursive: true });
  writeFileSync(join(root, "actors/enemy.gd"), "");
  const set = (folder: string) =>
    launcher.api("PUT", "/api/games/sources", { game: "tower", root: folder, editor: "vscode" });
  const named = await set(root);
  assert.deepEqual(named.json<SourceFolder>(), { game: "tower", root, editor: "vscode", problem: null });
  const stack = "at: hurt (res://actors/enemy.gd:12)\nat: steal (res://../../../../etc/passwd:1)";
  const game = play(t, "tower");
  await game.triggerUntilKnown("tower_entered", "tower");
  await game.report("Nobody to hurt", stack);
  const { report } = await detailOf(await issueOf("Nobody to hurt"));
  assert.deepEqual(
    report?.frames.map(({ source }) => source),
    [{ path: join(root, "actors/enemy.gd"), link: `vscode://file${join(root, "actors/enemy.gd")}:12` }, null],
  );
  assert.match((await set(join(root, "nowhere"))).text, /There is no folder .*nowhere/);
});
