// Tests of forwarding reports as OpenTelemetry logs: what a collector receives, and how its answers are handled.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { ForwardTestResult } from "@kit/contract";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { type ForwardFolder, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import type { Received } from "../../../test/monitor/forwarding-server.ts";
import { beganMs, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { startSimulatedLauncher } from "../../../test/monitor/simulated-launcher.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";

type Value = { stringValue?: string; intValue?: number; doubleValue?: number };
type Attributes = { key: string; value: Value }[];
type LogRecord = {
  timeUnixNano: string;
  severityNumber: number;
  severityText: string;
  body: Value;
  attributes: Attributes;
};
type Logs = {
  resourceLogs: {
    resource: { attributes: Attributes };
    scopeLogs: { scope: { name: string }; logRecords: LogRecord[] }[];
  }[];
};

const plain = (attributes: Attributes) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue]),
  );

/** The received log records as a collector reads them, each with its resource. */
const recordsIn = ({ body }: Received) =>
  (JSON.parse(body) as Logs).resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map((record) => ({
        ...record,
        scope: scope.name,
        resource: plain(resource.attributes),
        said: plain(record.attributes),
      })),
    ),
  );

const headers = { "x-collector-key": "a-key-of-the-collector" };
const addOtlp = (folder: ForwardFolder) =>
  folder.add({ kind: "otlp", address: `http://127.0.0.1:${folder.server.port}`, headers, game: null });

test("reports of several games arrive as log records in one request, with the attributes of the conventions", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 503, headers: { "retry-after": "3600" } }];
  await addOtlp(folder);
  const stackTrace = "System.NullReferenceException: No door\n   at Game.Door.Open() in /home/bo/Door.cs:line 41";
  const key = reportWith("System.NullReferenceException: No door", { stackTrace, game: "saga" });
  await folder.take([key]);
  assert.equal((await folder.target(({ waitsBecause }) => waitsBecause === "rate-limit")).waiting, 1);
  await folder.take([reportWith("No lamp", { game: "quest" })]);
  assert.equal(folder.server.received.length, 1, "the exporter does not repeat by itself");
  folder.clock.ms = 3_700_000;
  folder.server.aheadMs = folder.clock.ms;
  await folder.restart();
  const [, sums, request] = await folder.server.have(3);
  assert.ok(sums && request);
  assert.equal(sums.url, "/v1/metrics");
  const { resourceMetrics } = JSON.parse(sums.body);
  assert.deepEqual(
    resourceMetrics.map(({ resource }: { resource: { attributes: Attributes } }) => plain(resource.attributes)),
    [{ "service.name": "saga" }, { "service.name": "quest" }],
  );
  const { name, sum } = resourceMetrics[0].scopeMetrics[0].metrics[0];
  const [{ startTimeUnixNano, timeUnixNano, asInt, asDouble }] = sum.dataPoints;
  assert.deepEqual([name, sum.isMonotonic, sum.aggregationTemporality, asInt ?? asDouble], ["kit.reports", true, 2, 1]);
  const nanoseconds = `${BigInt(beganMs) * 1_000_000n}`;
  assert.equal(startTimeUnixNano, nanoseconds);
  // The time of the sum is when Kit told it, by the server's clock, however long it waited.
  const agoMs = sums.atMs + folder.server.aheadMs - Number(BigInt(timeUnixNano) / 1_000_000n);
  assert.ok(agoMs >= 0 && agoMs < 30_000, `${agoMs} ms`);
  assert.deepEqual(
    [request.method, request.url, request.headers["x-collector-key"]],
    ["POST", "/v1/logs", headers["x-collector-key"]],
  );
  const [door, lamp] = recordsIn(request);
  assert.deepEqual([door?.resource["service.name"], lamp?.resource["service.name"]], ["saga", "quest"]);
  assert.deepEqual(
    [door?.severityNumber, door?.severityText, door?.body, door?.scope],
    [17, "ERROR", { stringValue: "No door" }, "kit"],
  );
  assert.equal(door?.timeUnixNano, `${BigInt(beganMs) * 1_000_000n}`);
  const { "kit.issue.id": issue, "kit.fingerprint": fingerprint, ...said } = door?.said ?? {};
  assert.match(`${issue} ${fingerprint}`, /^[\da-f-]{36} [\da-f]{32}$/);
  assert.deepEqual(said, {
    "log.record.uid": key.event.id,
    "exception.type": "System.NullReferenceException",
    "exception.message": "No door",
    "exception.stacktrace": "System.NullReferenceException: No door\n   at Game.Door.Open() in ~/Door.cs:line 41",
    "kit.reports": 1,
    "kit.reports.total": 1,
    "kit.reports.since": new Date(beganMs).toISOString(),
    "kit.count": 1,
    "kit.news": "new",
    "kit.dialect": "dotnet",
  });
  await folder.target(({ delivered, waiting }) => delivered === 2 && waiting === 0);
});

type Sums = {
  resourceMetrics: {
    resource: { attributes: Attributes };
    scopeMetrics: { metrics: { sum: { dataPoints: Point[] } }[] }[];
  }[];
};
type Point = { attributes: Attributes; asInt?: number; asDouble?: number; startTimeUnixNano: string };

/** The newest value of each series, as a collector keeps it. A series never falls, and has one start time. */
function seriesIn(received: readonly Received[]) {
  const values = new Map<string, { value: number; start: string }>();
  for (const { url, body } of received) {
    if (url !== "/v1/metrics") continue;
    for (const { resource, scopeMetrics } of (JSON.parse(body) as Sums).resourceMetrics)
      for (const { attributes, asInt, asDouble, startTimeUnixNano: start } of scopeMetrics[0]?.metrics[0]?.sum
        .dataPoints ?? []) {
        const series = JSON.stringify([plain(resource.attributes), plain(attributes)]);
        const value = Number(asInt ?? asDouble);
        const before = values.get(series);
        assert.ok(before === undefined || (before.value <= value && before.start === start), series);
        values.set(series, { value, start });
      }
  }
  return values;
}
const sumOf = (received: readonly Received[]) =>
  [...seriesIn(received).values()].reduce((sum, { value }) => sum + value, 0);

test("the sums of two launchers add up, also after one of them changed its random id", async () => {
  await using one = await openForwardFolder();
  await using other = await startSimulatedLauncher({ growthEveryMs: 100, pauseMs: 0 });
  const { id } = await addOtlp(one);
  await other.targets.add({ kind: "otlp", address: `http://127.0.0.1:${one.server.port}`, headers, game: null });
  await Promise.all([one.take([reportWith("No key")]), other.take([reportWith("No key")])]);
  await one.take([reportWith("No key"), reportWith("No key")]);
  await one.target(({ delivered }) => delivered === 3);
  await until("the other delivered", async () => (await other.targets.list())[0]?.delivered === 1);
  assert.equal(sumOf(one.server.received), 4);
  const { installation } = await one.change(id, { installation: "new", environment: "playtest" });
  await one.take([reportWith("No key", { build: "1.4" }), reportWith("No key")]);
  await one.target(({ delivered }) => delivered === 5);
  assert.equal(sumOf(one.server.received), 6);
  const ends = recordsIn(one.server.received.findLast(({ url }) => url === "/v1/logs") ?? assert.fail());
  const { "service.name": _, "service.version": build, ...resource } = ends[0]?.resource ?? {};
  assert.ok(build === undefined || build === "1.4");
  assert.deepEqual(resource, { "deployment.environment.name": "playtest", "service.instance.id": installation });
});

test("the start of a sum stays the same when the clock is corrected and after a restart, and a new random id begins a new one", async () => {
  await using folder = await openForwardFolder();
  const yearMs = 365 * 86_400_000;
  // The clock of this computer is a year behind.
  folder.clock.ms = -yearMs;
  const { id } = await addOtlp(folder);
  const wrongMs = Date.now() - yearMs;
  let told = 0;
  const tell = async () => {
    await folder.take([reportWith("No key", { atMs: wrongMs })]);
    told += 1;
    await folder.target(({ delivered }) => delivered === told);
  };
  const startsMs = () => [...seriesIn(folder.server.received).values()].map(({ start }) => Number(start) / 1_000_000);
  await tell();
  const [first = 0] = startsMs();
  assert.ok(Math.abs(first - wrongMs - yearMs) < 60_000, new Date(first).toISOString());
  folder.clock.ms = 0;
  await tell();
  await folder.restart();
  await tell();
  assert.deepEqual(startsMs(), [first]);
  // The connection learns of the server's clock only after a restart.
  folder.server.aheadMs = 3_600_000;
  await folder.restart();
  await tell();
  assert.deepEqual(startsMs(), [first]);
  await folder.change(id, { installation: "new" });
  await tell();
  const [, second = 0] = startsMs();
  assert.ok(second > first, new Date(second).toISOString());
  await folder.restart();
  await tell();
  assert.deepEqual(startsMs(), [first, second]);
});

test("a sum that begins anew while a message waits begins where the reports of that message do", async () => {
  await using folder = await openForwardFolder();
  const { id } = await addOtlp(folder);
  await folder.take([reportWith("No key")]);
  await folder.target(({ delivered }) => delivered === 1);
  const [row] = await folder.monitor.rows(sql`SELECT told_ms AS ms FROM forward_count`);
  folder.server.script = [{ status: 503, headers: { "retry-after": "3600" } }];
  folder.clock.ms = 1_000_000;
  await folder.take([reportWith("No key")]);
  await folder.target(({ waitsBecause }) => waitsBecause === "rate-limit");
  await folder.change(id, { installation: "new" });
  folder.clock.ms = 5_000_000;
  folder.server.aheadMs = folder.clock.ms;
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 2);
  const [, begun] = [...seriesIn(folder.server.received.filter(({ url }) => url === "/v1/metrics")).values()];
  // The server's clock is whole seconds, and is 1,000 s further ahead than the clock was then.
  assert.deepEqual([begun?.value, Math.abs(Number(begun?.start) / 1_000_000 - Number(row?.ms)) < 10_000], [1, true]);
});

test("a partial success does not count for the rejected records", async () => {
  await using folder = await openForwardFolder();
  const partialSuccess = { rejectedLogRecords: "1", errorMessage: "too old" };
  folder.server.script = [{ status: 404 }, { status: 200, body: JSON.stringify({ partialSuccess }) }];
  await addOtlp(folder);
  await folder.take([reportWith("No key")]);
  const target = await folder.target(({ waiting }) => waiting === 0);
  assert.deepEqual([target.delivered, target.dropped], [0, 1]);
  assert.match(textOf(target.lastError ?? ""), /rejected 1 of the reports: too old/);
});

test("refused sums are said, keep no logs back, and are sent again after an hour with the whole number", async () => {
  await using folder = await openForwardFolder();
  const partialSuccess = { rejectedDataPoints: "1", errorMessage: "too many series" };
  folder.server.script = [{ status: 400 }, { status: 200 }];
  await addOtlp(folder);
  const take = async (times: number) => {
    await folder.take([reportWith("No key")]);
    return folder.target(({ delivered }) => delivered === times);
  };
  assert.match(textOf((await take(1)).lastError ?? ""), /no sums at \/v1\/metrics \(400\)/);
  assert.match(textOf((await take(2)).lastError ?? ""), /no sums/);
  const urls = () => folder.server.received.map(({ url }) => url?.slice(4));
  assert.deepEqual(urls(), ["metrics", "logs", "logs"]);
  folder.clock.ms = 3_700_000;
  folder.server.aheadMs = folder.clock.ms;
  folder.server.script = [{ status: 200, body: JSON.stringify({ partialSuccess }) }];
  assert.match(textOf((await take(3)).lastError ?? ""), /rejected 1 of the sums. too many series/);
  assert.equal((await take(4)).lastError, null);
  assert.equal(sumOf(folder.server.received.slice(1)), 4);
});

test("a collector is told of 150 counts that grew in one minute", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 60_000, pauseMs: 0 } });
  const { id } = await addOtlp(folder);
  const reports = ["1.3", "1.4", "1.5"].flatMap((build) =>
    Array.from({ length: 50 }, (_, n) =>
      reportWith(`No room ${"abcdefghij"[n % 10]}${"klmno"[Math.floor(n / 10)]}`, { build }),
    ),
  );
  await folder.take(reports);
  await folder.target(({ delivered }) => delivered === 150);
  await folder.take(reports.map((one) => ({ ...one, event: { ...one.event, id: crypto.randomUUID() } })));
  assert.equal((await folder.target()).waiting, 150);
  // Switching on tells the growth at once.
  await folder.change(id, { enabled: true });
  await folder.target(({ delivered }) => delivered === 300);
});

test("an answer 429 that names no time means a minute, each time, and one that names ten days means a day", async () => {
  for (const kind of ["sentry", "otlp"] as const) {
    await using folder = await openForwardFolder();
    const address = kind === "sentry" ? folder.dsn : `http://127.0.0.1:${folder.server.port}`;
    folder.server.script = [{ status: 429 }, { status: 429 }, { status: 429, headers: { "retry-after": "864000" } }];
    await folder.add({ kind, address, game: null });
    await folder.take([reportWith("No key")]);
    for (const [n, seconds] of [60, 60, 86_400].entries()) {
      const { waitsUntil, waitsBecause } = await folder.target((target) => target.waitsUntil !== null);
      const waitMs = Date.parse(waitsUntil ?? "") - folder.clock.ms - (folder.server.received[n]?.atMs ?? 0);
      // The answer comes after the request.
      assert.ok(waitMs >= seconds * 1_000 && waitMs < seconds * 1_000 + 30_000, `${kind}: ${waitMs} ms`);
      assert.deepEqual([waitsBecause, folder.server.received.length], ["rate-limit", n + 1]);
      folder.clock.ms += waitMs;
      await folder.take([]);
      await folder.server.have(n + 2);
    }
    await folder.target(({ delivered }) => delivered === 1);
  }
});

test("a test reports the collector's answer without the key, follows no redirect and repeats nothing", async () => {
  await using folder = await openForwardFolder();
  const { port } = folder.server;
  const { id } = await addOtlp(folder);
  folder.server.script = [
    { status: 200, body: "{}" },
    { status: 401, body: `not ${headers["x-collector-key"]}` },
    { status: 307, headers: { location: `http://127.0.0.1:${port}/elsewhere` } },
    (response) => void response.destroy(),
    (response) => void response.writeHead(500).end("x".repeat(1_000_000)),
  ];
  const results: ForwardTestResult[] = [];
  for (let n = 0; n < 5; n += 1) results.push(await folder.test(id));
  assert.deepEqual(
    results.map(({ ok, status }) => [ok, status]),
    [
      [true, 200],
      [false, 401],
      [false, 307],
      [false, null],
      [false, 500],
    ],
  );
  assert.equal(results[1]?.answer, "not <key>");
  assert.ok((results[4]?.answer?.length ?? 0) <= 500);
  assert.equal(folder.server.received.length, 5);
  const [record] = folder.server.received.slice(0, 1).flatMap(recordsIn);
  assert.deepEqual(
    [record?.severityText, record?.said["kit.news"], record?.said["log.record.uid"]],
    ["INFO", "test", results[0]?.report],
  );
});

test("a server that answers slowly is waited for, but not for ever", async () => {
  await using folder = await openForwardFolder({ limits: { withinMs: 1_500 } });
  const { id } = await addOtlp(folder);
  folder.server.script = [
    (response) => {
      response.writeHead(500);
      const drip = setInterval(() => response.write("."), 200);
      response.on("close", () => clearInterval(drip));
    },
  ];
  // The answer never ends, so any result shows that the wait was limited.
  const result = await folder.test(id);
  assert.deepEqual([result.ok, textOf(result.says)], [false, "The server did not answer within 1.5 seconds."]);
});

test("the dashboard of the team's guide reads only what a collector gets", async () => {
  await using folder = await openForwardFolder();
  const { id } = await addOtlp(folder);
  await folder.change(id, { environment: "playtest", installation: "new" });
  await folder.take([reportWith("No key", { game: "saga", build: "1.5" })]);
  const received = await folder.server.have(2);
  const logs = received.find(({ url }) => url === "/v1/logs");
  assert.ok(logs);
  const [{ said, resource, scope } = assert.fail()] = recordsIn(logs);
  const dashboard = readFileSync(new URL("../../../../docs/studio/dashboard.json", import.meta.url), "utf8");
  const read = (column: string) =>
    [...dashboard.matchAll(new RegExp(`${column}\\['([^']+)'\\]`, "g"))].map(([, name]) => name);
  assert.ok(read("LogAttributes").includes("kit.reports"));
  assert.deepEqual(
    [...new Set(read("LogAttributes"))].filter((name) => !(`${name}` in said)),
    [],
  );
  assert.deepEqual(
    [...new Set(read("ResourceAttributes"))].filter((name) => !(`${name}` in resource)),
    [],
  );
  assert.equal(scope, "kit");
});
