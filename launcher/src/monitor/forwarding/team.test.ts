// Acceptance of forwarding for teams: many launchers, one server that stores as Bugsink does, connections that break, a week without the
// server, and exact sums, releases, environments and testers at the end.
import assert from "node:assert/strict";
import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test, vi } from "vitest";
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

/** Nothing listens, connections are closed at once, or half of the requests are answered with 503 and the others not at all. */
const downs = ["refuses", "closes", "fails"] as const;
type Down = (typeof downs)[number];

/** A server that stores each id once. Of fifty requests, it breaks one before and one after it stored the event. */
async function startTracker() {
  const stored = new Map<string, Stored>();
  let requests = 0;
  /** Requests for the server's time. */
  let heads = 0;
  let accepted = 0;
  let down: Down | undefined;
  const server = createServer(async (request, response) => {
    if (request.method === "HEAD") {
      heads += 1;
      return void response.writeHead(405).end();
    }
    const bytes = Buffer.concat(await request.toArray().catch(() => []));
    requests += 1;
    if (down === "fails") return void (requests % 2 === 0 ? response.destroy() : response.writeHead(503).end());
    if (requests % 50 === 25) return void response.destroy();
    const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
    assertStorable({ url: request.url, body });
    const event = (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event;
    const { event_id: id = "", release, environment, user, fingerprint, contexts } = event;
    const reports = Number(contexts?.kit?.reports);
    const known = { release, environment, user: user?.id?.toString(), fingerprint: fingerprint?.join(), reports };
    if (!stored.has(id)) stored.set(id, known);
    if (requests % 50 === 0) return void response.destroy();
    response.writeHead(200).end();
  });
  server.on("connection", (socket) => {
    accepted += 1;
    if (down === "closes") socket.destroy();
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    stored,
    requests: () => requests,
    counts: () => ({ requests: requests + heads, accepted }),
    async setDown(how: Down | undefined) {
      down = how;
      server.closeAllConnections();
      if (how === "refuses" && server.listening) await new Promise((resolve) => server.close(resolve));
      if (how !== "refuses" && !server.listening) await listen(port);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A multiple of ten, because the testers differ in their build and consent. */
const launchersTotal = Number(process.env.KIT_TEAM_LAUNCHERS ?? 20);
const issuesTotal = 20;
const stormsEach = 3;
const stormReports = 60;
const letters = "abcdefghijklmnopqrstuvwxyz";
const nameOf = (issue: number) => `Room ${letters[issue % 26]}${letters[Math.floor(issue / 26)]} has no door`;

const sumsBy = (stored: Iterable<Stored>, keyOf: (one: Stored) => string | undefined) => {
  const sums = new Map<string, number>();
  for (const one of stored) sums.set(String(keyOf(one)), (sums.get(String(keyOf(one))) ?? 0) + one.reports);
  return sums;
};

const addTracker = ({ targets }: SimulatedLauncher, { port }: { port: number }) =>
  targets.add({
    kind: "sentry",
    address: `http://${"0".repeat(32)}@127.0.0.1:${port}/1`,
    game: null,
    environment: "playtest",
  });

test("launchers of a team, with storms and broken connections, add up exactly at one tracker", async () => {
  await using tracker = await startTracker();
  await using all = new AsyncDisposableStack();
  const launchers: SimulatedLauncher[] = [];
  for (let index = 0; index < launchersTotal; index += 1) {
    const launcher = all.use(await startSimulatedLauncher({ growthEveryMs: 1_000, pauseMs: 0 }));
    const { id } = await addTracker(launcher, tracker);
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
  assert.deepEqual([testers.size, testers.get("undefined")], [(launchersTotal * 3) / 5 + 1, (expected * 2) / 5]);
  assert.ok(tracker.requests() > stored.length, "some messages were sent again");
});

const hourMs = 3_600_000;
const downMs = 7 * 24 * hourMs;
const longestWaitMs = 600_000;
/** The waits before the longest one is reached. */
const shorterWaitsMax = 30;

/** Counts the connections that this process begins to a port, also those that are refused. */
function countConnections(port: number) {
  let begun = 0;
  const hook = createHook({
    init(_id, type, _trigger, made: { readonly port?: number }) {
      // Node fills the request in after it made it.
      if (type !== "TCPCONNECTWRAP") return;
      process.nextTick(() => {
        if (made.port === port) begun += 1;
      });
    },
  }).enable();
  return { begun: () => begun, [Symbol.dispose]: () => void hook.disable() };
}

test("a server that is down for seven days, in whatever way, gets one request or connection in ten minutes, and then every report exactly once", async () => {
  const clock = { ms: Date.now() };
  await using tracker = await startTracker();
  await using launcher = await startSimulatedLauncher({ growthEveryMs: 20, pauseMs: 0 }, () => clock.ms);
  await addTracker(launcher, tracker);
  using connections = countConnections(tracker.port);
  const beganAt = clock.ms;
  let taken = 0;
  /** What a way to be down cost: the connections that were begun, and the requests of all kinds over them. */
  const costs: Record<string, { connections: number; accepted: number; requests: number }> = {};
  const hours = Array.from({ length: downMs / hourMs }, (_, hour) => hour);
  for (const [n, how] of downs.entries()) {
    await tracker.setDown(how);
    const [before, begun] = [tracker.counts(), connections.begun()];
    for (const hour of hours.filter((one) => Math.floor((one * downs.length) / hours.length) === n)) {
      const stackTrace = `Error: lost\n${"    at open (/home/bo/door.js:41:7)\n".repeat(100)}`;
      const entries = [hour, hour % 5, hour % 5].map((n) => reportWith(nameOf(n), { stackTrace, atMs: clock.ms }));
      await launcher.take(entries);
      taken += entries.length;
      await launcher.afterWaits(clock, () => clock.ms >= beganAt + (hour + 1) * hourMs);
    }
    const { requests, accepted } = tracker.counts();
    costs[how] = {
      connections: connections.begun() - begun,
      accepted: accepted - before.accepted,
      requests: requests - before.requests,
    };
  }
  console.log(JSON.stringify(costs));
  const { refuses, closes, fails } = costs;
  assert.ok(refuses && closes && fails);
  assert.deepEqual([refuses.accepted, refuses.requests, closes.requests], [0, 0, 0]);
  // Each request to a server that answers with 503 keeps its connection, so the requests are the larger number there.
  const [most, contacts] = [
    downMs / longestWaitMs + shorterWaitsMax,
    refuses.connections + closes.connections + Math.max(fails.requests, fails.connections),
  ];
  assert.ok(contacts >= downMs / longestWaitMs - downs.length && contacts <= most, JSON.stringify(costs));
  const [{ delivered, dropped, waiting, waitingBytes } = assert.fail()] = await launcher.targets.list();
  assert.deepEqual([delivered, dropped, waiting, tracker.stored.size], [0, 0, taken, 0]);
  assert.ok(waitingBytes > 500_000 && waitingBytes <= 64 * 1024 * 1024, `${waitingBytes} bytes`);
  await tracker.setDown(undefined);
  const target = await launcher.afterWaits(clock, (one) => one.waiting === 0);
  assert.deepEqual([target.delivered, target.dropped, target.lastError], [taken, 0, null]);
  const byIssue = [...sumsBy(tracker.stored.values(), ({ fingerprint }) => fingerprint).values()];
  assert.deepEqual([byIssue.length, byIssue.reduce((sum, n) => sum + n)], [downMs / hourMs, taken]);
});

test("of 250 issues that grow, a target is told of 100 a minute, the largest increases first, and none waits forever, with exact sums", async () => {
  const clock = { ms: Date.now() };
  await using tracker = await startTracker();
  await using launcher = await startSimulatedLauncher({ growthEveryMs: hourMs, pauseMs: 0 }, () => clock.ms);
  const { id } = await addTracker(launcher, tracker);
  const issues = Array.from({ length: 250 }, (_, n) => n);
  const grow = (some: readonly number[]) => launcher.take(some.map((n) => reportWith(nameOf(n), { atMs: clock.ms })));
  /** Fifty each that were new at the same time. Their order is not that of their rows. */
  const groups = [4, 3, 2, 1, 0].map((group) => issues.filter((n) => Math.floor(n / 50) === group));
  for (const group of groups) {
    await grow(group);
    // The monitor takes a limited number of new issues in an hour.
    clock.ms += hourMs;
  }
  await launcher.afterWaits(clock, ({ delivered }) => delivered === issues.length);
  const fingerprints = [...tracker.stored.values()].map(({ fingerprint }) => fingerprint);
  const groupOf = (fingerprint: string | undefined) => Math.floor(fingerprints.indexOf(fingerprint) / 50);
  let seen = tracker.stored.size;
  /** Returns how many messages about each group a minute brings. */
  const minute = async () => {
    clock.ms += 60_000;
    // Switching on tells the growth at once.
    await launcher.targets.change(id, { enabled: true });
    await launcher.afterWaits(clock, ({ waitingBytes }) => waitingBytes === 0);
    const told = [...tracker.stored.values()].slice(seen).map(({ fingerprint }) => groupOf(fingerprint));
    seen += told.length;
    return groups.map((_, group) => told.filter((one) => one === group).length);
  };
  // The increases are the larger, the later a group was new.
  for (const group of groups.keys()) await grow(groups.slice(group).flat());
  // Twenty that the target heard of longest ago, and eighty with the largest increases.
  assert.deepEqual(
    [await minute(), await minute(), await minute()],
    [
      [20, 0, 0, 30, 50],
      [20, 10, 50, 20, 0],
      [10, 40, 0, 0, 0],
    ],
  );
  const [smallest = [], ...larger] = groups;
  await grow(smallest);
  let smallTold = 0;
  for (let minutes = 0; minutes < Math.ceil(issues.length / 20); minutes += 1) {
    await grow(larger.flat());
    await grow(larger.flat());
    const [small = 0, ...others] = await minute();
    smallTold += small;
    assert.equal(
      others.reduce((sum, n) => sum + n, small),
      100,
    );
  }
  assert.equal(smallTold, 50, "a small increase was told, though larger ones took all other places");
  for (let left = 1; left > 0; ) left = (await minute()).reduce((sum, n) => sum + n);
  const sums = sumsBy(tracker.stored.values(), ({ fingerprint }) => fingerprint);
  for (const [fingerprint, sum] of sums) {
    const group = groupOf(fingerprint);
    assert.equal(sum, 1 + (group + 1) + (group === 0 ? 1 : 26));
  }
});

test("without limits of a test, the growth of an issue is told once a minute", async () => {
  await using tracker = await startTracker();
  await using launcher = await startSimulatedLauncher({});
  const begin = globalThis.setTimeout;
  const minutes: (() => void)[] = [];
  vi.spyOn(globalThis, "setTimeout").mockImplementation((call: () => void, ms?: number, ...rest: unknown[]) => {
    if (ms !== 60_000) return begin(call, ms, ...(rest as []));
    // The test ends this minute. A timer that runs on would end it again, after the launcher.
    minutes.push(call);
    return begin(() => undefined, ms);
  });
  await addTracker(launcher, tracker);
  const told = (reports: number) => launcher.afterWaits({ ms: 0 }, ({ delivered }) => delivered === reports);
  await launcher.take([reportWith(nameOf(0))]);
  await told(1);
  await launcher.take([reportWith(nameOf(0)), reportWith(nameOf(0))]);
  // News is told at once, also after the growth, which waits for its minute.
  await launcher.take([reportWith(nameOf(1))]);
  const { waiting } = await told(2);
  // The monitor's forwarding, made as in production, has one too. It has no target here.
  assert.deepEqual([waiting, minutes.length], [2, 2]);
  for (const minute of minutes) minute();
  await told(4);
  assert.deepEqual(
    [...tracker.stored.values()].map(({ reports }) => reports),
    [1, 1, 2],
  );
});
