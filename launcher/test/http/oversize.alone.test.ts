// Tests of clients that send too much or read too slowly: they cost the launcher little and other games nothing.
import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { bodyBytesMax, messageCharsMax, reportError, streamFeed, triggerRecording } from "@kit/contract";
import { createParser } from "eventsource-parser";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { ask, residentBytesOf } from "../support/launcher-process.ts";
import { launcherProcessOfFile, timestamp } from "../support/own-launcher.ts";
import { openRaw, requestBytes } from "../support/raw-http.ts";
import { until } from "../support/until.ts";

const skip = cannot.readProc;
const MiB = 1024 * 1024;
const growthBytesMax = 64 * MiB;
const warmUpEvents = 2_000;
/** Small enough to be sent completely before the connection is closed, so that the answer can be read. */
const tooLargeBytes = bodyBytesMax + 16 * 1024;

const trigger = () => JSON.stringify({ eventId: "oversize_game", timestamp: timestamp() });
const inMiB = (bytes: number) => `${Math.round(bytes / MiB)} MiB`;

const launcher = await launcherProcessOfFile();
const { port } = launcher;
// Loads the code for events and lets the heap grow before memory is measured.
await sendMany(warmUpEvents, triggerRecording.path, trigger);

/** Sends `count` events over eight connections. Fails unless each is accepted. */
async function sendMany(count: number, path: string, body: () => string): Promise<void> {
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

/** Runs `work` and returns its result, and the largest growth of the process's memory. */
async function watchingMemory<T>(work: () => Promise<T>): Promise<{ result: T; growthBytes: number }> {
  const { pid } = launcher.process();
  const before = residentBytesOf(pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytesOf(pid));
  }, 20);
  const result = await work().finally(() => clearInterval(timer));
  return { result, growthBytes: Math.max(most, residentBytesOf(pid)) - before };
}

async function assertWell(): Promise<void> {
  assert.ok(launcher.process().isRunning(), "the launcher is running");
  assert.equal((await launcher.health()).storage.state, "ok");
  assert.equal((await launcher.send("recording", trigger())).status, 202);
}

/** Sends events one after the other until `until` has settled. Returns how many were accepted: all. */
async function sendDuring(until: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  until.then(over, over);
  let accepted = 0;
  while (!isOver) {
    const answer = await launcher.send("recording", trigger());
    assert.equal(answer.status, 202, "a well-behaved game is answered");
    accepted += 1;
    await pause(5);
  }
  return accepted;
}

/** Eight at a time, ten times. */
async function again<T>(once: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let round = 0; round < 10; round += 1) {
    all.push(...(await Promise.all(Array.from({ length: 8 }, once))));
  }
  return all;
}

const json = ["Content-Type", "application/json"] as const;
const headWith = (...header: readonly [string, string]) =>
  requestBytes(port, { method: "POST", target: triggerRecording.path, headers: [json, header] });
const piece = Buffer.alloc(64 * 1024, 0x20);
const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);

/** Sends without end, whatever the answer is. Resolves with the number of sent bytes when the connection is closed. */
async function flood(head: Buffer, part: Buffer): Promise<number> {
  const { socket, ended } = openRaw(port);
  let sentBytes = 0;
  const sendMore = () => {
    do sentBytes += part.length;
    while (socket.writable && socket.write(part));
  };
  socket.on("drain", sendMore);
  socket.write(head);
  sendMore();
  await ended;
  return sentBytes;
}

const floods = [
  ["endless bodies", headWith("Transfer-Encoding", "chunked"), chunk],
  ["bodies announced as 10 MB", headWith("Content-Length", "10000000"), piece],
] as const;

for (const [label, head, part] of floods) {
  test(`senders of ${label} are cut off, and cost little memory and no other game's events`, { skip }, async () => {
    const { result, growthBytes } = await watchingMemory(async () => {
      const flooding = again(() => flood(head, part));
      return { accepted: await sendDuring(flooding), sent: await flooding };
    });
    console.log(`cut off within ${inMiB(Math.max(...result.sent))}; memory +${inMiB(growthBytes)}`);
    assert.ok(growthBytes <= growthBytesMax, `memory grew by ${inMiB(growthBytes)}`);
    assert.ok(result.accepted > 0, "events were accepted meanwhile");
    await assertWell();
  });
}

test("a body that is too large gets 413, even before it ends", async () => {
  const whole = await again(() => ask(port, { path: triggerRecording.path, body: "x".repeat(tooLargeBytes) }));
  const unended = await again(async () => {
    const connection = openRaw(port);
    connection.socket.write(headWith("Transfer-Encoding", "chunked"));
    for (let sent = 0; sent < tooLargeBytes; sent += piece.length) connection.socket.write(chunk);
    const [answer] = await connection.answers();
    connection.socket.destroy();
    return answer;
  });
  for (const answer of [...whole, ...unended]) assert.equal(answer?.status, 413);
  await assertWell();
});

/** Sends `count` events over one connection without waiting for answers. Resolves with the statuses of the answers. */
async function sendPipelined(count: number): Promise<readonly number[]> {
  const event = requestBytes(port, { method: "POST", target: triggerRecording.path, headers: [json], body: trigger() });
  const connection = openRaw(port);
  connection.socket.end(Buffer.concat(Array.from({ length: count }, () => event)));
  await connection.ended;
  return (await connection.answers()).map(({ status }) => status);
}

test("10,000 events in one connection without reading an answer do no harm", { skip }, async () => {
  const { result, growthBytes } = await watchingMemory(async () => {
    const sending = sendPipelined(10_000);
    return { accepted: await sendDuring(sending), statuses: await sending };
  });
  const accepted = result.statuses.filter((status) => status === 202).length;
  console.log(`${result.statuses.length} answers, ${accepted} of them 202, memory +${inMiB(growthBytes)}`);
  assert.ok(accepted > 0, "the first events are accepted");
  assert.ok(growthBytes <= growthBytesMax, `memory grew by ${inMiB(growthBytes)}`);
  await assertWell();
});

/** Opens the live feed and reads all of it until the response is paused. */
async function openFeed() {
  const headers = { authorization: `Bearer ${launcher.secret()}` };
  const asked = request({ host: "127.0.0.1", port, path: streamFeed.path, headers, agent: false }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  let events = 0;
  let hasSkipped = false;
  const parser = createParser({
    onEvent({ event }) {
      hasSkipped ||= event === "skipped";
      if (event === "event" && !hasSkipped) events += 1;
    },
  });
  response.setEncoding("utf8");
  response.on("data", (text: string) => parser.feed(text));
  response.on("error", () => undefined);
  return {
    response,
    /** Continues reading until there are this many events, or the feed says that some were missed. */
    reads(wanted: number) {
      response.resume();
      const isEnough = () => (events >= wanted || hasSkipped) && { events, hasSkipped };
      return until(() => `${wanted} events; there were ${events}`, isEnough, 5);
    },
  };
}

test("slow readers of the live feed cost little memory", { skip }, async (t) => {
  const message = "x".repeat(messageCharsMax);
  const report = () => JSON.stringify({ message, stackTrace: "", timestamp: timestamp() });
  const eventsPerStep = 90;
  // Events of a disabled service are stored and sent one by one; of an enabled service only some reports would be.
  assert.equal((await launcher.api("PUT", "/api/services", { monitor: false })).status, 200);
  const follower = await openFeed();
  t.onTestFinished(() => void follower.response.destroy());
  let sent = 0;
  // In steps with a reader that keeps up, so that only paused readers fall behind.
  const sendSteps = async (steps: number) => {
    for (let step = 0; step < steps; step += 1) {
      sent += eventsPerStep;
      await Promise.all([follower.reads(sent), sendMany(eventsPerStep, reportError.path, report)]);
    }
  };
  // First without slow readers, because the events themselves need memory.
  await sendSteps(20);
  const before = sent;
  const readers = await Promise.all(Array.from({ length: 6 }, openFeed));
  for (const { response } of readers) {
    response.pause();
    t.onTestFinished(() => void response.destroy());
  }
  // Several times as much as uncollected garbage can be, so that the two can be told apart.
  const { growthBytes } = await watchingMemory(() => sendSteps(100));

  const missed = sent - before;
  const held = await Promise.all(readers.map(({ reads }) => reads(missed)));
  const mostHeld = Math.max(...held.map(({ events }) => events));
  const unread = readers.length * missed * messageCharsMax;
  console.log(
    `${inMiB(unread)} not read, memory +${inMiB(growthBytes)}; at most ${mostHeld} of ${missed} events were held`,
  );
  // Connections buffer a few MiB themselves; beyond that a reader is told how much it missed.
  assert.ok(
    held.every(({ hasSkipped }) => hasSkipped),
    `${mostHeld} of ${missed} events were held for a reader that did not read`,
  );
  assert.ok(growthBytes <= unread / 2, `memory grew by ${inMiB(growthBytes)}`);
  await assertWell();
});
