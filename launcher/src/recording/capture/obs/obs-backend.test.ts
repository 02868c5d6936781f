// Tests of the OBS backend with a stand-in for OBS: connection, replay buffer, and failures.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { textOf } from "@kit/contract";
import { describe, test } from "vitest";
import { fake, recording, rig, times } from "../../../../test/recording/obs-rig.ts";
import { until } from "../../../../test/support/until.ts";

describe("finding OBS", () => {
  test("OBS becomes available when it starts, and unavailable when it ends", async (t) => {
    const first = await fake(t);
    const { backend, availability } = rig(t, first.url);
    await first.close();
    backend.connect();
    await until("the state says so", () => /does not answer/.test(textOf(backend.state().detail)));
    assert.deepEqual(availability, []);
    assert.match(textOf(backend.state().detail), /Tools → WebSocket Server Settings/);
    const second = await fake(t, {}, first.port);
    await until("available", backend.isAvailable);
    await second.close();
    await until("gone", () => !backend.isAvailable());
    assert.deepEqual(availability, [true, false]);
  });

  test("a wrong password is reported with advice", async (t) => {
    const obs = await fake(t);
    const { backend, availability } = rig(t, obs.url, { password: async () => "wrong" });
    backend.connect();
    await backend.start();
    await until("the state says so", () => /password/.test(textOf(backend.state().detail)));
    assert.equal(backend.state().state, "broken");
    assert.match(textOf(backend.state().detail), /rejects Kit.s password.*Show Connect Info/);
    assert.ok(!textOf(backend.state().detail).includes("wrong"));
    assert.deepEqual([availability, obs.requests], [[], []]);
  });

  test("a missing password is reported", async (t) => {
    const obs = await fake(t);
    const { backend } = rig(t, obs.url, { password: async () => null });
    backend.connect();
    await until("the state says so", () => /Kit has none/.test(textOf(backend.state().detail)));
  });

  test("an OBS without a replay buffer is not available until it has one", async (t) => {
    const obs = await fake(t, { replayBuffer: "off" });
    const { backend, availability } = rig(t, obs.url);
    backend.connect();
    await backend.start();
    await until("the state says so", () => /Enable Replay Buffer/.test(textOf(backend.state().detail)));
    assert.deepEqual([backend.state().state, availability], ["broken", []]);
    obs.does.replayBuffer = "stopped";
    await until("recording", () => backend.state().state === "recording");
    assert.deepEqual(availability, [true]);
  });

  test("a program that listens but never answers is abandoned after a timeout", async (t) => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    t.onTestFinished(() => void server.close());
    await until("listening", () => server.listening);
    const { port } = server.address() as { port: number };
    const { backend } = rig(t, `ws://127.0.0.1:${port}`, { times: { ...times, answerTimeoutMs: 100 } });
    backend.connect();
    await until("given up", () => /does not answer like OBS/.test(textOf(backend.state().detail)));
  });

  test("an OBS that stops answering is disconnected, and reconnected when it answers", async (t) => {
    const obs = await fake(t);
    const { backend, availability } = rig(t, obs.url, { times: { ...times, answerTimeoutMs: 1_000 } });
    backend.connect();
    await until("available", backend.isAvailable);
    obs.does.isSilent = true;
    await until("let go", () => !backend.isAvailable());
    obs.does.isSilent = false;
    await until("taken again", backend.isAvailable);
    // A busy machine may exceed the short time limit once more.
    assert.deepEqual(availability.slice(0, 3), [true, false, true]);
  });

  test("Kit never connects to another machine", async (t) => {
    const { backend } = rig(t, "ws://192.0.2.1:4455");
    backend.connect();
    await until("refused", () => /only to OBS on this machine/.test(textOf(backend.state().detail)));
  });
});

describe("OBS's replay buffer", () => {
  test("the buffer is started when footage is wanted, and stopped again if Kit started it", async (t) => {
    const obs = await fake(t);
    const backend = await recording(t, obs);
    assert.ok(obs.requests.includes("StartReplayBuffer"));
    await backend.stop();
    await until("stopped", () => obs.does.replayBuffer === "stopped");
    assert.equal(backend.state().state, "idle");
  });

  test("a buffer that is already running is used and left running", async (t) => {
    const obs = await fake(t, { replayBuffer: "running" });
    const backend = await recording(t, obs);
    await backend.stop();
    assert.ok(!obs.requests.includes("StartReplayBuffer") && !obs.requests.includes("StopReplayBuffer"));
    assert.equal(obs.does.replayBuffer, "running");
  });

  test("a buffer that a person stops in OBS stays stopped until footage is requested again", async (t) => {
    const obs = await fake(t);
    const backend = await recording(t, obs);
    obs.runs(false);
    await until("the state says so", () => /stopped in OBS/.test(textOf(backend.state().detail)));
    const requestCount = obs.requests.length;
    await until("another request arrives", () => obs.requests.slice(requestCount).includes("GetCurrentProgramScene"));
    assert.deepEqual([backend.state().state, obs.does.replayBuffer], ["broken", "stopped"]);
    await backend.start();
    await until("recording", () => backend.state().state === "recording");
  });

  test("the buffer is started again when OBS is back, and the time in between is counted", async (t) => {
    const obs = await fake(t);
    const backend = await recording(t, obs);
    await obs.close();
    await until("broken", () => backend.state().state === "broken");
    await fake(t, {}, obs.port);
    await until("recording", () => backend.state().state === "recording");
    assert.equal(backend.state().restarts, 1);
    assert.ok(backend.state().lostSeconds > 0);
  });

  test("a buffer shorter than a clip is reported with the length to set", async (t) => {
    const obs = await fake(t, { replaySeconds: 20 });
    const backend = await recording(t, obs);
    assert.match(textOf(backend.state().detail), /keeps 20 s.*Maximum Replay Time to 27 s/);
    obs.does.replaySeconds = 60;
    await until("fine", () => textOf(backend.state().detail) === "OBS 29.0.2 records; its replay buffer keeps 60 s.");
  });
});
