// Tests that a game is still answered while attackers hold more connections open than the launcher has file descriptors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { requestTimeoutMs, triggerRecording } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { freePort } from "../../../tools/engines/free-port.ts";
import { ask, startServer, withDescriptorsMax } from "../support/launcher-process.ts";
import { startLauncherProcess } from "../support/own-launcher.ts";
import { patienceMs } from "../support/until.ts";
import type { Attack, AttackReport } from "./half-open-attack.ts";

const skip = cannot.readProc;
const descriptorsMax = 1_024;
const connections = 1_500;
const sendEveryMs = 25;
const sendForMs = 10_000;
const acceptedShareMin = 0.99;

/** Resolves when every connection was opened once. The attack ends with the test. */
async function startAttack(t: TestContext, wanted: Attack): Promise<() => AttackReport> {
  const worker = new Worker(new URL("./half-open-attack.ts", import.meta.url), { workerData: wanted });
  t.onTestFinished(async () => void (await worker.terminate()));
  let report: AttackReport = { opened: 0, open: 0 };
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`only ${report.opened} connections were opened`)), patienceMs);
    worker.once("error", reject);
    worker.on("message", (message: AttackReport) => {
      report = message;
      if (report.opened < wanted.connections) return;
      clearTimeout(timer);
      resolve();
    });
  });
  return () => report;
}

type Sent = { readonly accepted: number; readonly tried: number; readonly latencyMs: readonly number[] };

/** Sends one event every 25 ms, each over its own connection, like a game. */
async function sendEvents(port: number, forMs: number): Promise<Sent> {
  const latencyMs: number[] = [];
  const sending: Promise<void>[] = [];
  const send = async () => {
    const beganMs = performance.now();
    const body = JSON.stringify({ eventId: "half_open", timestamp: new Date().toISOString() });
    const asking = { path: triggerRecording.path, body, timeoutMs: requestTimeoutMs };
    const answer = await ask(port, asking).catch(() => undefined);
    if (answer?.status === 202) latencyMs.push(performance.now() - beganMs);
  };
  const endMs = performance.now() + forMs;
  while (performance.now() < endMs) {
    sending.push(send());
    await pause(sendEveryMs);
  }
  await Promise.all(sending);
  return { accepted: latencyMs.length, tried: sending.length, latencyMs: latencyMs.toSorted((a, b) => a - b) };
}

const inWords = ({ accepted, tried, latencyMs }: Sent) =>
  `${accepted} of ${tried} accepted, p99 ${Math.round(latencyMs[Math.ceil(accepted * 0.99) - 1] ?? Number.NaN)} ms`;

const attacks = [
  { label: "endless headers", part: "headers", reopens: false },
  { label: "endless headers, reopened when closed", part: "headers", reopens: true },
  { label: "endless bodies, reopened when closed", part: "body", reopens: true },
] as const;

for (const { label, part, reopens } of attacks) {
  test(`a game is answered during an attack of ${connections} connections with ${label}`, { skip }, async (t) => {
    await using launcher = await startLauncherProcess({ within: withDescriptorsMax(descriptorsMax) });
    assert.match(readFileSync(`/proc/${launcher.process().pid}/limits`, "utf8"), /^Max open files +1024 +1024 /m);
    const attack = await startAttack(t, { port: launcher.port, connections, part, reopens });
    const sent = await sendEvents(launcher.port, sendForMs);
    console.log(`${inWords(sent)}; the attacker opened ${attack().opened} connections`);
    assert.ok(sent.accepted >= sent.tried * acceptedShareMin, inWords(sent));
    assert.ok((await launcher.health()).dropped.evicted > 0, "connections were closed to accept new ones");
    if (reopens) assert.ok(attack().opened > connections, "the attacker opened connections again");
  });
}

test("the same attack blocks a server that closes no connection", { skip }, async (t) => {
  const port = await freePort();
  const script = join(import.meta.dirname, "half-open-ungoverned.ts");
  const server = await startServer({
    command: withDescriptorsMax(descriptorsMax)([process.execPath, script, String(port)]),
    port,
    isReady: async () => (await ask(port, { method: "GET", path: "/" })).status === 202,
  });
  t.onTestFinished(() => server.end());
  await startAttack(t, { port, connections, part: "headers", reopens: true });
  const sent = await sendEvents(port, 2_000);
  console.log(inWords(sent));
  assert.ok(sent.accepted < sent.tried * acceptedShareMin, "the attack has no effect, so it proves nothing");
});
