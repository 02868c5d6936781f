// Tests of forwarding reports as OpenTelemetry logs: what a collector receives, and how its answers are handled.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ForwardTestResult } from "@kit/contract";
import { textOf } from "@kit/contract";
import { type ForwardFolder, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import type { Received } from "../../../test/monitor/forwarding-server.ts";
import { beganMs, reportWith } from "../../../test/monitor/monitor-folder.ts";

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
  folder.server.script = [{ status: 200, headers: { date: new Date(Date.now() + folder.clock.ms).toUTCString() } }];
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
  assert.deepEqual([startTimeUnixNano, timeUnixNano], [nanoseconds, nanoseconds]);
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

test("a server that answers slowly is waited for ten seconds", async () => {
  await using folder = await openForwardFolder();
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
  assert.deepEqual([result.ok, textOf(result.says)], [false, "The server did not answer within 10 seconds."]);
});
