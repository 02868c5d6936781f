// Tests of servers that fail for long, or in whose place something else answers: collectors, and videos for a tracker.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { type Received, startForwardServer } from "../../../test/monitor/forwarding-server.ts";
import { reportWith } from "../../../test/monitor/monitor-folder.ts";
import { startSimulatedLauncher } from "../../../test/monitor/simulated-launcher.ts";
import { openVideoFolder, videosAfterWaits } from "../../../test/monitor/video-folder.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const longestBackoffMs = 600_000;
/** One contact in ten minutes, and those before the wait was that long. */
const contactsIn = (ms: number) => ms / longestBackoffMs + 30;

/** So large that more than half of it is sent over a connection that is known to exist. Only then a failure counts as a try. */
const videoBytes = 4_000_000;
const signInPage = { status: 200, body: "<!doctype html><title>Sign in</title>" };

/** Closes each connection at once, as a server does that is being repaired. */
async function startClosing(port: number) {
  let made = 0;
  const server = createServer((socket) => {
    made += 1;
    socket.destroy();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    made: () => made,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

/** The reports that log records state, by the id of each record, so that a repeat counts once. */
function reportsInRecords(received: readonly Received[]): number {
  const byId = new Map<string, number>();
  for (const { body, url } of received) {
    if (url?.endsWith("/logs") !== true) continue;
    for (const { scopeLogs } of JSON.parse(body).resourceLogs)
      for (const { attributes } of scopeLogs.flatMap((scope: { logRecords: unknown[] }) => scope.logRecords)) {
        const said = (name: string) => attributes.find(({ key }: { key: string }) => key === name)?.value;
        byId.set(said("log.record.uid").stringValue, Number(said("kit.reports").intValue));
      }
  }
  return [...byId.values()].reduce((sum, n) => sum + n, 0);
}

test("a collector that is down for a day gets one connection in ten minutes, and then every report exactly once", async () => {
  const clock = { ms: Date.now() };
  const first = await startForwardServer();
  const { port } = first;
  await first[Symbol.asyncDispose]();
  await using launcher = await startSimulatedLauncher({ growthEveryMs: 20, pauseMs: 0 }, () => clock.ms);
  await launcher.targets.add({ kind: "otlp", address: `http://127.0.0.1:${port}`, game: null });
  const beganMs = clock.ms;
  let taken = 0;
  {
    await using down = await startClosing(port);
    for (let hour = 0; hour < dayMs / hourMs; hour += 1) {
      const names = [hour, hour % 5, hour % 5].map(
        (n) => `Room ${"abcdefghijklm"[n % 13]}${"nopqrstuvwxyz"[Math.floor(n / 13)]}`,
      );
      await launcher.take(names.map((name) => reportWith(`${name} has no door`, { atMs: clock.ms })));
      taken += names.length;
      await launcher.afterWaits(clock, () => clock.ms >= beganMs + (hour + 1) * hourMs);
    }
    console.log(`${down.made()} connections`);
    assert.ok(down.made() >= dayMs / longestBackoffMs - 1 && down.made() <= contactsIn(dayMs), `${down.made()}`);
  }
  await using server = await startForwardServer(port);
  server.aheadMs = clock.ms - Date.now();
  const target = await launcher.afterWaits(clock, ({ waiting }) => waiting === 0);
  assert.deepEqual([target.delivered, target.dropped, reportsInRecords(server.received)], [taken, 0, taken]);
});

test("a video for a tracker that is down is tried once in ten minutes, and given up after a day with a sentence, and not tried again", async () => {
  await using folder = await openVideoFolder();
  const first = await startForwardServer();
  const { port } = first;
  await folder.change(folder.id, { address: folder.dsn.replace(`:${folder.server.port}/`, `:${port}/`) });
  const event = await folder.report("No key");
  await first[Symbol.asyncDispose]();
  {
    await using down = await startClosing(port);
    folder.save(event);
    await videosAfterWaits(folder, () => folder.clock.ms >= 2 * hourMs);
    assert.ok(down.made() >= 12 && down.made() <= contactsIn(2 * hourMs), `${down.made()} connections`);
    folder.clock.ms += dayMs;
    const given = await videosAfterWaits(folder, ({ unsent }) => unsent === 1);
    assert.match(textOf(given?.unsentBecause ?? ""), /a day/);
    assert.deepEqual([given?.sent, given?.waiting], [0, 0]);
  }
  await using server = await startForwardServer(port);
  folder.clock.ms += 7 * dayMs;
  await folder.restart();
  folder.save(await folder.report("No door"));
  await videosAfterWaits(folder, ({ sent }) => sent === 1);
  // Videos are sent in order: the one that was given up would be before it.
  assert.equal(server.received.filter(({ video }) => video !== undefined).length, 1);
});

test("a video that failed five times in more than an hour is given up with a sentence, and the next one follows", async () => {
  await using folder = await openVideoFolder();
  folder.server.videoScript = Array.from({ length: 5 }, () => ({ status: 503 }));
  folder.save(await folder.report("No key"), videoBytes);
  for (let tries = 1; tries < 5; tries += 1) {
    await folder.videos(({ waitsUntil }) => folder.uploads().length === tries && waitsUntil !== null);
    folder.clock.ms += 20 * 60_000;
    await folder.restart();
  }
  const state = await folder.videos(({ unsent }) => unsent === 1);
  assert.match(
    textOf(state?.unsentBecause ?? ""),
    /^Kit tried to send the video several times, without success\. .*503/,
  );
  assert.deepEqual([state?.sent, state?.waiting, folder.uploads().length], [0, 0, 5]);
  folder.save(await folder.report("No door"));
  await videosAfterWaits(folder, ({ sent }) => sent === 1);
  assert.equal(folder.uploads().length, 6);
});

test("a video that failed six times within an hour is not given up", async () => {
  await using folder = await openVideoFolder();
  folder.server.videoScript = Array.from({ length: 6 }, () => ({ status: 503 }));
  folder.save(await folder.report("No key"), videoBytes);
  const state = await videosAfterWaits(folder, ({ sent, unsent }) => sent + unsent === 1);
  assert.deepEqual([state?.sent, state?.unsent, folder.uploads().length], [1, 0, 7]);
});

test("a sign-in page that answers 200 in place of a tracker is no delivery of a video", async () => {
  await using folder = await openVideoFolder();
  folder.server.videoScript = [signInPage];
  folder.save(await folder.report("No key"));
  const failed = await folder.videos(({ lastError }) => lastError !== null);
  assert.match(textOf(failed?.lastError ?? ""), /web page/);
  assert.deepEqual([failed?.sent, failed?.waiting], [0, 1]);
  await videosAfterWaits(folder, ({ sent }) => sent === 1);
  assert.equal(folder.uploads().length, 2);
});

test("a sign-in page that answers 200 in place of a collector is no delivery, of sums or of records", async () => {
  for (const pages of [1, 2]) {
    // The sums come first.
    const script = pages === 1 ? [signInPage] : [{ status: 200 }, signInPage];
    await using folder = await openForwardFolder();
    folder.server.script = script;
    await folder.add({ kind: "otlp", address: `http://127.0.0.1:${folder.server.port}`, game: null });
    await folder.take([reportWith("No key")]);
    const failed = await folder.target(({ lastError }) => lastError !== null);
    assert.match(textOf(failed.lastError ?? ""), /web page/);
    assert.deepEqual([failed.delivered, failed.waiting, failed.dropped], [0, 1, 0]);
    const { delivered } = await folder.target(({ waiting }) => waiting === 0);
    assert.deepEqual([delivered, folder.server.received.length], [1, pages + 2]);
  }
});
