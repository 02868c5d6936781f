// Tests of what the team's guide shows from ClickHouse: messages of several launchers, stored as a collector stores them, some twice, and
// every query of the dashboard and of the guide on ClickHouse itself; and that ClickHouse confirms only what is on its disk.
import assert from "node:assert/strict";
import { test } from "vitest";
import { type ClickHouse, openClickHouse } from "../../../tools/engines/clickhouse.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { until } from "../support/until.ts";
import { type ForwardServer, type Received, startForwardServer } from "./forwarding-server.ts";
import { beganMs, reportWith } from "./monitor-folder.ts";
import { type SimulatedLauncher, startSimulatedLauncher } from "./simulated-launcher.ts";
import { contentOf, dashboardQueries, readGuideFile } from "./studio-guide.ts";

const skip = skipWithout("ClickHouse");

// Columns, types and keys of the table that the collector's exporter makes and fills: open-telemetry/opentelemetry-collector-contrib,
// exporter/clickhouseexporter/internal/sqltemplates/logs_table.sql at 169e3b3e0562. Its codecs and its indexes that skip rows change no
// result, and a TTL would delete the old reports of this test.
const attributes = "Map(LowCardinality(String), String)";
const logsTable = `CREATE TABLE otel_logs (
  Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp),
  TraceId String, SpanId String, TraceFlags UInt8, SeverityText LowCardinality(String), SeverityNumber UInt8,
  ServiceName LowCardinality(String), Body String, ResourceSchemaUrl LowCardinality(String), ResourceAttributes ${attributes},
  ScopeSchemaUrl LowCardinality(String), ScopeName String, ScopeVersion LowCardinality(String), ScopeAttributes ${attributes},
  LogAttributes ${attributes}
) ENGINE = MergeTree PARTITION BY toDate(TimestampTime) PRIMARY KEY (ServiceName, TimestampTime)
ORDER BY (ServiceName, TimestampTime, Timestamp)`;

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
/** The exporter writes each value as text. Kit sends texts and numbers only. */
const asTexts = (given: Attributes = []) =>
  Object.fromEntries(given.map(({ key, value }) => [key, String(Object.values(value)[0])]));

const inWords = (atMs: number) => new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
const exactly = (atMs: number) => `${inWords(atMs)}.${String((atMs % 1_000) * 1_000_000).padStart(9, "0")}`;

/** The rows that the exporter makes of a request. */
const rowsOf = ({ body }: Pick<Received, "body">): Record<string, unknown>[] =>
  JSON.parse(body).resourceLogs.flatMap(
    ({ resource, scopeLogs }: { resource: { attributes: Attributes }; scopeLogs: [] }) =>
      scopeLogs.flatMap(({ scope, logRecords }: { scope: { name: string; version?: string }; logRecords: [] }) =>
        logRecords.map((record: Record<string, string> & { body: { stringValue: string }; attributes: Attributes }) => {
          const of = asTexts(resource.attributes);
          return {
            Timestamp: exactly(Number(BigInt(record.timeUnixNano ?? assert.fail()) / 1_000_000n)),
            SeverityText: record.severityText,
            SeverityNumber: record.severityNumber,
            ServiceName: of["service.name"] ?? "",
            Body: record.body.stringValue,
            ResourceAttributes: of,
            ScopeName: scope.name,
            ScopeVersion: scope.version ?? "",
            LogAttributes: asTexts(record.attributes),
          };
        }),
      ),
  );

const store = ({ run }: ClickHouse, rows: readonly object[]) =>
  run(`INSERT INTO otel_logs FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join("\n")}`);

/** Grafana's data source puts the shown time into this macro. */
const inTime = (sql: string, fromMs: number, toMs: number) =>
  sql.replaceAll(
    /\$__timeFilter\((\w+)\)/g,
    `$1 >= toDateTime(${Math.floor(fromMs / 1_000)}) AND $1 <= toDateTime(${Math.floor(toMs / 1_000)})`,
  );

/** The rows of each panel, by type and title. Numbers are numbers, whichever type of ClickHouse they have. */
function panels(clickhouse: ClickHouse, fromMs: number, toMs: number) {
  return Object.fromEntries(
    [...dashboardQueries()].map(([name, query]) => [
      name,
      clickhouse.run(`${inTime(query, fromMs, toMs)} SETTINGS output_format_json_quote_64bit_integers = 0`),
    ]),
  );
}

/** Four launchers of two games; the third sends no id, the fourth knows no build. */
const launchers = [
  { game: "saga", build: "1.4", hasId: true },
  { game: "saga", build: "1.5", hasId: true },
  { game: "saga", build: "1.5", hasId: false },
  { game: "quest", build: undefined, hasId: true },
];
const stormReports = 60;
const hourMs = 3_600_000;

/** Each launcher has two kinds of errors, and one of them a storm: 62 reports. A test of the target stands for none. */
async function play(
  launcher: SimulatedLauncher,
  server: ForwardServer,
  { game, build, hasId }: (typeof launchers)[number],
) {
  const address = `http://127.0.0.1:${server.port}`;
  const { id } = await launcher.targets.add({ kind: "otlp", address, game: null });
  if (hasId) await launcher.targets.change(id, { installation: "new" });
  const made = (text: string, atMs: number) => reportWith(text, { game, atMs, ...(build !== undefined && { build }) });
  await launcher.take([made("No door", beganMs), made("No lamp", beganMs + hourMs)]);
  await launcher.flood(made("No door", beganMs), stormReports);
  await until("all is delivered", async () => (await launcher.targets.list())[0]?.delivered === 2 + stormReports);
  assert.equal((await launcher.targets.test(id)).ok, true);
  return (await launcher.targets.list())[0]?.installation ?? null;
}

test("the dashboard and the query of the guide count exactly over four launchers, also what is stored twice", {
  skip,
}, async () => {
  await using server = await startForwardServer();
  await using all = new AsyncDisposableStack();
  const installations: (string | null)[] = [];
  for (const one of launchers) {
    // The answer to some messages is lost, so Kit sends them again.
    server.script = [{ status: 200 }, (response) => void response.destroy(), { status: 200 }, { status: 200 }];
    const launcher = all.use(await startSimulatedLauncher({ growthEveryMs: 100, pauseMs: 0 }));
    installations.push(await play(launcher, server, one));
  }
  using clickhouse = openClickHouse();
  clickhouse.run(logsTable);
  const rows = server.received.filter(({ url }) => url === "/v1/logs").flatMap(rowsOf);
  const uids = rows.map(({ LogAttributes: said }) => (said as Record<string, string>)["log.record.uid"]);
  assert.ok(new Set(uids).size < uids.length, "Kit sent some records twice");
  store(clickhouse, rows);
  // Another program uses the same collector.
  store(clickhouse, [{ Timestamp: inWords(beganMs), ServiceName: "shop", Body: "GET /", ScopeName: "http" }]);

  const each = 2 + stormReports;
  const shown = panels(clickhouse, beganMs - hourMs, Date.now() + hourMs);
  // What is checked below. Another panel needs a check too.
  assert.deepEqual(Object.keys(shown), [
    "stat Reports",
    "stat Issues",
    "stat Testers who send an id",
    "timeseries Reports by hour",
    "table Issues",
    "table Builds",
    "table Testers",
  ]);
  assert.deepEqual(shown["stat Reports"], [{ Reports: 4 * each }]);
  assert.deepEqual(shown["stat Issues"], [{ Issues: 2 }]);
  assert.deepEqual(shown["stat Testers who send an id"], [{ Testers: 3 }]);
  const hourOf = (atMs: number) => inWords(Math.floor(atMs / hourMs) * hourMs);
  assert.deepEqual(shown["timeseries Reports by hour"], [
    { time: hourOf(beganMs), Reports: 4 * (each - 1) },
    { time: hourOf(beganMs + hourMs), Reports: 4 },
  ]);
  const issues = shown["table Issues"] ?? [];
  const both = { Type: "Error", Testers: 3, Builds: "1.4, 1.5" };
  assert.deepEqual(
    issues.map(({ Game: _, Fingerprint: __, ...row }) => row),
    [
      { ...both, Message: "No door", Reports: 4 * (each - 1), First: exactly(beganMs), Last: exactly(beganMs) },
      { ...both, Message: "No lamp", Reports: 4, First: exactly(beganMs + hourMs), Last: exactly(beganMs + hourMs) },
    ],
  );
  const builds = shown["table Builds"] ?? [];
  assert.deepEqual(
    new Set(builds.map((row) => Object.values(row).join())),
    new Set([`saga,1.5,${2 * each},2,1`, `saga,1.4,${each},2,1`, `quest,unknown,${each},2,1`]),
  );
  const testers = (shown["table Testers"] ?? []).map(({ Tester, Reports, Issues }) => `${Tester},${Reports},${Issues}`);
  assert.deepEqual(
    new Set(testers),
    new Set(installations.map((installation) => `${installation ?? "without an id"},${each},2`)),
  );
  const sums = clickhouse.run(
    `${readGuideFile("clickhouse.sql").replace(";", "")} SETTINGS output_format_json_quote_64bit_integers = 0`,
  );
  assert.deepEqual(
    sums.map(({ fingerprint, reports }) => [fingerprint, reports]),
    issues.map(({ Fingerprint, Reports }) => [Fingerprint, Reports]),
  );
  const later = panels(clickhouse, beganMs + hourMs / 2, Date.now() + hourMs);
  assert.deepEqual([later["stat Reports"], later["stat Issues"]], [[{ Reports: 4 }], [{ Issues: 1 }]]);
});

test("with the settings of the compose file, what ClickHouse confirms or merges is on its disk, and without them it may not be", {
  skip,
}, () => {
  const { merge_tree: durable } = contentOf<{ merge_tree: Readonly<Record<string, number>> }>("durable");
  const settings = Object.entries(durable).map(([name, value]) => `${name} = ${value}`);
  using clickhouse = openClickHouse();
  const waits = () =>
    clickhouse.run(`SELECT toInt32(sumIf(value, event = 'FileSync')) AS files,
      toInt32(sumIf(value, event = 'DirectorySync')) AS folders FROM system.events`)[0] as {
      files: number;
      folders: number;
    };
  /** How often ClickHouse waited for the disk while it stored two rows, and while it merged them. */
  const waitsWith = (given: readonly string[]) => {
    clickhouse.run(`DROP TABLE IF EXISTS otel_logs SYNC`);
    clickhouse.run(`${logsTable}${given.length === 0 ? "" : ` SETTINGS ${given.join(", ")}`}`);
    const before = waits();
    for (const Body of ["No door", "No lamp"]) store(clickhouse, [{ Timestamp: inWords(beganMs), Body }]);
    const stored = waits();
    clickhouse.run("OPTIMIZE TABLE otel_logs FINAL");
    const [{ parts } = assert.fail()] = clickhouse.run(
      "SELECT toInt32(count()) AS parts FROM system.parts WHERE table = 'otel_logs' AND active",
    );
    assert.equal(parts, 1, "the rows were merged");
    const merged = waits();
    return [stored.files - before.files, stored.folders - before.folders, merged.files - stored.files];
  };
  assert.deepEqual(waitsWith([]), [0, 0, 0]);
  for (const count of waitsWith(settings)) assert.ok(count >= 1, `${count}`);
});
