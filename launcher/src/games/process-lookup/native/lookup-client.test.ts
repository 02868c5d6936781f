// Tests that the lookup process may fail in any way without harm to the launcher.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test, vi } from "vitest";
import { createLookupClient, LookupUnavailable } from "./lookup-client.ts";

/** A client whose process runs `script` for each question. */
function clientOf(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "kit-lookup-"));
  const program = join(folder, "lookup.cjs");
  writeFileSync(program, `process.on("message", ({ id, question }) => { ${script} });`);
  const failures: string[] = [];
  let nowMs = 0;
  const client = createLookupClient({
    program,
    now: () => nowMs,
    onFailure: (error) => failures.push((error as Error).message),
  });
  t.onTestFinished(() => {
    client.stop();
    rmSync(folder, { recursive: true });
  });
  return { client, failures, advance: (ms: number) => (nowMs += ms) };
}
const unavailable = { name: LookupUnavailable.name };
const answers = "process.send({ id, answer: question.about.map(String) });";

test("questions are answered by one process, each with its own answer", async (t) => {
  const { client, failures } = clientOf(t, answers);
  const found = await Promise.all([client.ask("startTimes", [1, 2]), client.ask("startTimes", [3])]);
  assert.deepEqual(found, [["1", "2"], ["3"]]);
  assert.deepEqual(failures, []);
});

test("a crash rejects what waits, is reported once, and the process starts again after a growing pause", async (t) => {
  const crashes = `if (question.about[0] === 0) process.abort(); ${answers}`;
  const { client, failures, advance } = clientOf(t, crashes);
  const crash = async () => {
    const waiting = [client.ask("startTimes", [0]), client.ask("startTimes", [1])];
    for (const each of waiting) await assert.rejects(each, unavailable);
  };
  await crash();
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? "", process.platform === "win32" ? /ended with 134/ : /ended with SIGABRT/);
  await assert.rejects(client.ask("startTimes", [1]), unavailable);
  advance(1_000);
  await crash();
  advance(1_999);
  await assert.rejects(client.ask("startTimes", [1]), unavailable);
  advance(1);
  assert.deepEqual(await client.ask("startTimes", [1]), ["1"]);
  assert.equal(failures.length, 2);
});

test("a question that the system refuses is rejected with its reason, and the process goes on", async (t) => {
  const { client, failures } = clientOf(
    t,
    `if (question.about[0] === 0) process.send({ id, failed: "no" }); else ${answers}`,
  );
  await assert.rejects(client.ask("startTimes", [0]), { message: "no" });
  assert.deepEqual(await client.ask("startTimes", [1]), ["1"]);
  assert.deepEqual(failures, []);
});

test("a process that starts slowly, as on a busy computer, goes on and answers", async (t) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client, failures } = clientOf(t, answers);
  const asked = client.ask("startTimes", [1]);
  vi.advanceTimersByTime(29_999);
  assert.deepEqual(await asked, ["1"]);
  assert.deepEqual(failures, []);
});

test("a process that never starts is ended", async (t) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client, failures } = clientOf(t, answers);
  const asked = client.ask("startTimes", [1]);
  vi.advanceTimersByTime(30_000);
  await assert.rejects(asked, unavailable);
  assert.deepEqual(failures, ["the lookup process did not answer"]);
});

test("a process that does not answer is ended after five seconds", async (t) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client, failures } = clientOf(t, `if (question.about[0] === 0) ${answers}`);
  await client.ask("startTimes", [0]);
  const asked = client.ask("startTimes", [1]);
  vi.advanceTimersByTime(5_000);
  await assert.rejects(asked, unavailable);
  assert.deepEqual(failures, ["the lookup process did not answer"]);
});

test("a question that was asked while the process started has five seconds once it answers others", async (t) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { client, failures } = clientOf(t, `if (question.about[0] === 0) ${answers}`);
  const asked = client.ask("startTimes", [1]);
  const rejected = assert.rejects(asked, unavailable);
  await client.ask("startTimes", [0]);
  vi.advanceTimersByTime(5_000);
  assert.deepEqual(failures, ["the lookup process did not answer"]);
  await rejected;
});

test("a stopped client answers no more and reports no failure", async (t) => {
  const { client, failures } = clientOf(t, "");
  const asked = client.ask("startTimes", [1]);
  client.stop();
  await assert.rejects(asked, unavailable);
  await assert.rejects(client.ask("startTimes", [1]), unavailable);
  assert.deepEqual(failures, []);
});
