// Whoever sends too much, or reads too little, costs the launcher little and the other games nothing.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import {
  bodyBytesMax,
  createClient,
  getHealth,
  messageCharsMax,
  reportError,
  switchServices,
  triggerRecording,
} from "@kit/contract";
import { ask, residentBytesOf, type ServerProcess, startLauncher } from "./launcher-process.ts";
import { openFeed } from "./oversize-readers.ts";
import { floodAnnounced, floodEndless, sendPipelined, sendUnendedBody } from "./oversize-senders.ts";

const skip = process.platform === "linux" ? false : "not run: memory is read the way Linux shows it";
const MiB = 1024 * 1024;
const growthBytesMax = 64 * MiB;
const answeredMsMax = 1_000;
const warmUpEvents = 2_000;
/** Little enough to be sent whole before the connection is closed: then the answer is there to be read. */
const tooLargeBytes = bodyBytesMax + 16 * 1024;

const trigger = () => JSON.stringify({ eventId: "oversize_game", timestamp: new Date().toISOString() });
const inMiB = (bytes: number) => `${Math.round(bytes / MiB)} MiB`;

async function start(t: TestContext): Promise<{ launcher: ServerProcess; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), "kit-oversize-"));
  const launcher = await startLauncher(dataDir);
  t.after(async () => {
    await launcher.end();
    rmSync(dataDir, { recursive: true, force: true });
  });
  // What events need is loaded, and the heap has its working size, before memory is looked at.
  await sendMany(launcher.port, warmUpEvents, triggerRecording.path, trigger);
  return { launcher, dataDir };
}

/** Sends `count` events over eight connections; fails unless each is accepted. */
async function sendMany(port: number, count: number, path: string, body: () => string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let left = count;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await ask(port, { path, body: body(), agent });
      assert.equal(answer.status, 202, answer.body);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send)).finally(() => agent.destroy());
}

/** Runs `work` and returns what it came to, and by how much the process was larger than before at most. */
async function watchingMemory<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; growthBytes: number }> {
  const before = residentBytesOf(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytesOf(pid));
  }, 20);
  const result = await work().finally(() => clearInterval(timer));
  return { result, growthBytes: Math.max(most, residentBytesOf(pid)) - before };
}

async function assertWell({ port, isRunning }: ServerProcess): Promise<void> {
  assert.ok(isRunning(), "the launcher runs");
  assert.equal((await ask(port, { method: "GET", path: getHealth.path })).status, 200);
  assert.equal((await ask(port, { path: triggerRecording.path, body: trigger() })).status, 202);
}

/** Sends events, one after the other, until `until` has settled. Returns how many were accepted: all. */
async function sendDuring(port: number, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  until.then(over, over);
  let accepted = 0;
  while (!isOver) {
    const answer = await ask(port, { path: triggerRecording.path, body: trigger() });
    assert.equal(answer.status, 202, "a game that does nothing wrong is heard");
    accepted += 1;
    await pause(5);
  }
  return accepted;
}

/** Eight at a time, ten times over. */
async function again<T>(once: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let round = 0; round < 10; round += 1) {
    all.push(...(await Promise.all(Array.from({ length: 8 }, once))));
  }
  return all;
}

const floods = [
  { says: "bodies without end", send: floodEndless },
  { says: "bodies announced as 10 MB", send: (port: number) => floodAnnounced(port, 10_000_000) },
] as const;

for (const { says, send } of floods) {
  test(`senders of ${says} are cut off and cost neither memory nor the other games`, { skip }, async (t) => {
    const { launcher } = await start(t);
    const { result, growthBytes } = await watchingMemory(launcher.pid, async () => {
      const flooding = again(() => send(launcher.port));
      return { accepted: await sendDuring(launcher.port, flooding), cutOff: await flooding };
    });
    const slowestMs = Math.round(Math.max(...result.cutOff.map(({ afterMs }) => afterMs)));
    const mostSent = Math.max(...result.cutOff.map(({ sentBytes }) => sentBytes));
    t.diagnostic(`cut off within ${slowestMs} ms and ${inMiB(mostSent)}; memory +${inMiB(growthBytes)}`);
    assert.ok(growthBytes <= growthBytesMax, `memory grew by ${inMiB(growthBytes)}`);
    assert.ok(result.accepted > 0, "events were sent meanwhile");
    await assertWell(launcher);
  });
}

test("who sends a body that is too large and waits for the answer is told 413 at once", async (t) => {
  const { launcher } = await start(t);
  const whole = await again(async () => {
    const beganMs = performance.now();
    const answer = await ask(launcher.port, { path: triggerRecording.path, body: "x".repeat(tooLargeBytes) });
    return { answer: `HTTP/1.1 ${answer.status} `, afterMs: performance.now() - beganMs };
  });
  const unended = await again(() => sendUnendedBody(launcher.port, tooLargeBytes));
  const answers = [...whole, ...unended];
  const slowestMs = Math.round(Math.max(...answers.map(({ afterMs }) => afterMs)));
  t.diagnostic(`the slowest of ${answers.length} answers took ${slowestMs} ms`);
  for (const { answer } of answers) assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.ok(slowestMs <= answeredMsMax, `413 came after ${slowestMs} ms`);
  await assertWell(launcher);
});

test("10,000 events down one connection without reading an answer do no harm", { skip }, async (t) => {
  const { launcher } = await start(t);
  const { result, growthBytes } = await watchingMemory(launcher.pid, async () => {
    const sending = sendPipelined(launcher.port, 10_000);
    return { accepted: await sendDuring(launcher.port, sending), statuses: await sending };
  });
  const accepted = result.statuses.filter((status) => status === 202).length;
  t.diagnostic(`${result.statuses.length} answers, ${accepted} of them 202, memory +${inMiB(growthBytes)}`);
  assert.ok(accepted > 0, "the first of them are taken");
  assert.ok(growthBytes <= growthBytesMax, `memory grew by ${inMiB(growthBytes)}`);
  await assertWell(launcher);
});

test("readers of the live feed that stop reading are not waited for in memory", { skip }, async (t) => {
  const { launcher, dataDir } = await start(t);
  const secret = readFileSync(join(dataDir, "secret"), "utf8").trim();
  const message = "x".repeat(messageCharsMax);
  const report = () => JSON.stringify({ message, stackTrace: "", timestamp: new Date().toISOString() });
  const eventsPerStep = 90;
  // What is switched off is stored and shown one by one; of a flood that is wanted only some would be.
  const client = createClient(`http://127.0.0.1:${launcher.port}`, () => ({ authorization: `Bearer ${secret}` }));
  await client.call(switchServices, { body: { monitor: false } });
  const follower = await openFeed(launcher.port, secret);
  t.after(() => follower.socket.destroy());
  let sent = 0;
  // Step by step with a reader that keeps up: nobody falls behind but who does not read.
  const sendSteps = async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      sent += eventsPerStep;
      await Promise.all([follower.reads(sent), sendMany(launcher.port, eventsPerStep, reportError.path, report)]);
    }
  };
  // First without slow readers: what the events cost by themselves is not theirs.
  await sendSteps(20);
  const before = sent;
  const readers = await Promise.all(Array.from({ length: 6 }, () => openFeed(launcher.port, secret)));
  for (const { socket } of readers) {
    socket.pause();
    t.after(() => socket.destroy());
  }
  // Several times what garbage that waits for its collection may come to, so that the one is not taken for the other.
  const { growthBytes } = await watchingMemory(launcher.pid, () => sendSteps(100));

  const missed = sent - before;
  const held = await Promise.all(readers.map(({ reads }) => reads(missed)));
  const mostHeld = Math.max(...held.map(({ events }) => events));
  const unread = readers.length * missed * messageCharsMax;
  t.diagnostic(
    `${inMiB(unread)} not read, memory +${inMiB(growthBytes)}; at most ${mostHeld} of ${missed} events were held`,
  );
  // Connections buffer a few MiB by themselves; beyond that a reader is told how much it missed.
  assert.ok(
    held.every(({ toldOfMissed }) => toldOfMissed),
    `${mostHeld} of ${missed} events were held for a reader that did not read`,
  );
  assert.ok(growthBytes <= unread / 2, `memory grew by ${inMiB(growthBytes)}`);
  await assertWell(launcher);
});
