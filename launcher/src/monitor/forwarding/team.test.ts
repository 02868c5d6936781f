// Acceptance of forwarding for teams: fifty launchers, one server that stores as Bugsink does, connections that break, and exact
// sums, releases, environments and testers at the end.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { beganMs, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { type SimulatedLauncher, startSimulatedLauncher } from "../../../test/monitor/simulated-launcher.ts";
import { assertStorable } from "../../../test/monitor/wire-check.ts";
import { until } from "../../../test/support/until.ts";

type Stored = {
  readonly release: string | undefined;
  readonly environment: string | undefined;
  readonly user: string | undefined;
  readonly fingerprint: string | undefined;
  readonly reports: number;
};

/** A server that stores each id once. Of a hundred requests, it breaks one before and one after it stored the event. */
async function startTracker() {
  const stored = new Map<string, Stored>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []));
    requests += 1;
    if (requests % 100 === 50) return void response.destroy();
    const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
    assertStorable({ url: request.url, body });
    const event = (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event;
    const { event_id: id = "", release, environment, user, fingerprint, contexts } = event;
    const reports = Number(contexts?.kit?.reports);
    const known = { release, environment, user: user?.id?.toString(), fingerprint: fingerprint?.join(), reports };
    if (!stored.has(id)) stored.set(id, known);
    if (requests % 100 === 0) return void response.destroy();
    response.writeHead(200).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as { port: number }).port,
    stored,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const launchersTotal = 50;
const issuesTotal = 40;
const stormsEach = 5;
const stormReports = 60;
const letters = "abcdefghijklmnopqrstuvwxyz";
const nameOf = (issue: number) => `Room ${letters[issue % 26]}${letters[Math.floor(issue / 26)]} has no door`;

const sumsBy = (stored: Iterable<Stored>, keyOf: (one: Stored) => string | undefined) => {
  const sums = new Map<string, number>();
  for (const one of stored) sums.set(String(keyOf(one)), (sums.get(String(keyOf(one))) ?? 0) + one.reports);
  return sums;
};

test("fifty launchers with storms and broken connections add up exactly at one tracker", async () => {
  await using tracker = await startTracker();
  await using all = new AsyncDisposableStack();
  const launchers: SimulatedLauncher[] = [];
  for (let index = 0; index < launchersTotal; index += 1) {
    const launcher = all.use(await startSimulatedLauncher({ growthEveryMs: 1_000, attemptEveryMs: 0 }));
    const address = `http://${"0".repeat(32)}@127.0.0.1:${tracker.port}/1`;
    const { id } = await launcher.targets.add({ kind: "sentry", address, game: null, environment: "playtest" });
    // Three of five testers agree that their computer is told apart.
    if (index % 5 < 3) await launcher.targets.change(id, { installation: "new" });
    launchers.push(launcher);
  }
  const play = async (launcher: SimulatedLauncher, index: number) => {
    const made = (issue: number) =>
      reportWith(nameOf(issue), { game: "saga", build: index % 2 === 0 ? "1.4" : "1.5", atMs: beganMs + issue });
    await launcher.take(Array.from({ length: issuesTotal }, (_, issue) => made(issue)));
    for (let storm = 0; storm < stormsEach; storm += 1) await launcher.flood(made(storm), stormReports);
  };
  await Promise.all(launchers.map(play));
  const expected = launchersTotal * (issuesTotal + stormsEach * stormReports);
  await until("every report is delivered", async () => {
    const lists = await Promise.all(launchers.map(({ targets }) => targets.list()));
    const states = lists.flat();
    assert.ok(states.every(({ dropped, stopped }) => dropped === 0 && stopped === null));
    return states.reduce((sum, { delivered }) => sum + delivered, 0) === expected;
  });
  const stored = [...tracker.stored.values()];
  const byIssue = sumsBy(stored, ({ fingerprint }) => fingerprint);
  assert.equal(byIssue.size, issuesTotal);
  assert.deepEqual(
    [...byIssue.values()].sort((a, b) => a - b),
    Array.from(
      { length: issuesTotal },
      (_, n) => launchersTotal * (n < issuesTotal - stormsEach ? 1 : 1 + stormReports),
    ),
  );
  assert.deepEqual(Object.fromEntries(sumsBy(stored, ({ release }) => release)), {
    "saga@1.4": expected / 2,
    "saga@1.5": expected / 2,
  });
  assert.deepEqual(Object.fromEntries(sumsBy(stored, ({ environment }) => environment)), { playtest: expected });
  const testers = sumsBy(stored, ({ user }) => user);
  assert.deepEqual([testers.size, testers.get("undefined")], [31, (expected * 2) / 5]);
  assert.ok(tracker.requests() > stored.length, "some messages were sent again");
});
