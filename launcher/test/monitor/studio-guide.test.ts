// Tests of the compose file of the guide for studios: what it mounts is there, and its parts, the dashboard and the guide name the same
// ports, databases, users and variables. Nothing here starts it.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "vitest";
import {
  compose,
  contentOf,
  dashboardPanels,
  dashboardQueries,
  guide,
  guideFile,
  readGuideFile,
} from "./studio-guide.ts";

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Collector = {
  readonly receivers: { readonly otlp: { readonly protocols: { readonly http: { readonly endpoint: string } } } };
  readonly exporters: { readonly clickhouse: Readonly<Record<string, string>> };
  readonly service: { readonly pipelines: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> };
};

const text = readGuideFile("compose.yaml");
const { services, configs, volumes } = compose;
const { collector, clickhouse, grafana } = services;
const portOf = (address: string) => Number(/:(\d+)(?:\?|$)/.exec(address)?.[1] ?? assert.fail(address));
const same = (some: Iterable<string>, others: Iterable<string>) =>
  assert.deepEqual([...new Set(some)].sort(), [...new Set(others)].sort());

test("every file, configuration and volume that the compose file mounts is there, and each is mounted", () => {
  const all = Object.values(services);
  const mounts = all.flatMap((service) => service.configs ?? []);
  same(
    mounts.map(({ source }) => source),
    Object.keys(configs),
  );
  for (const [name, { file, content }] of Object.entries(configs)) {
    assert.notEqual(file === undefined, content === undefined, name);
    if (file !== undefined) assert.ok(existsSync(guideFile(file)), file);
  }
  same(
    all.flatMap((service) => service.volumes ?? []).map((mount) => mount.split(":")[0] ?? ""),
    Object.keys(volumes),
  );
  for (const { depends_on: needed = {} } of all)
    for (const name of Object.keys(needed)) assert.ok(Object.hasOwn(services, name), name);
  // A tag alone may mean another image later; an image without one means any.
  for (const { image } of all) assert.match(image, /^[\w./-]+:\d+\.\d+/);
});

test("the compose file needs the variables that the guide lists, and no other", () => {
  const listed = /beside a file `\.env`:\n\n```sh\n([^`]*)```/.exec(guide)?.[1] ?? assert.fail();
  const used = [...text.matchAll(/(?<!\$)\$\{(\w+):\?/g)].map(([, name]) => name ?? "");
  assert.deepEqual([...text.matchAll(/(?<!\$)\$(?!\$|\{\w+:\?)/g)], [], "each says what is missing");
  same(
    used,
    listed
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0] ?? ""),
  );
});

test("the ports of the guide's text are those that are published, and that the programs listen at", () => {
  const [, collectorPort, grafanaPort] =
    /The collector listens at port (\d+); Grafana is at `http:\/\/localhost:(\d+)` \(user `admin`\), only on that\s+computer/.exec(
      guide,
    ) ?? assert.fail();
  const { receivers } = contentOf<Collector>("collector");
  const listens = portOf(receivers.otlp.protocols.http.endpoint);
  assert.deepEqual(collector.ports, [`${collectorPort}:${listens}`]);
  // Grafana listens at port 3000 unless a setting says another one.
  assert.deepEqual(grafana.ports, [`127.0.0.1:${grafanaPort}:3000`]);
  assert.deepEqual(
    Object.keys(grafana.environment).filter((name) => name.startsWith("GF_SERVER")),
    [],
  );
  assert.equal(clickhouse.ports, undefined, "nobody outside reaches the database");
});

test("the collector's pipelines use what it defines, get logs and metrics, and write where ClickHouse expects them", () => {
  const { service, receivers, exporters, ...rest } = contentOf<Collector>("collector");
  const defined: Components = { receivers, exporters, ...(rest as Components) };
  assert.deepEqual(Object.keys(service.pipelines).sort(), ["logs", "metrics"]);
  for (const [kind, parts] of Object.entries(defined))
    same(
      Object.values(service.pipelines).flatMap((pipeline) => pipeline[kind] ?? []),
      Object.keys(parts),
    );
  for (const pipeline of Object.values(service.pipelines))
    for (const kind of Object.keys(pipeline)) assert.ok(Object.hasOwn(defined, kind), kind);
  const [mount, ...others] = collector.configs ?? [];
  assert.deepEqual([collector.command, others], [[`--config=${mount?.target}`], []]);
  const { endpoint, database, username, password, ttl, logs_table_name: table } = exporters.clickhouse;
  assert.equal(new URL(endpoint ?? "").hostname in services, true);
  const { CLICKHOUSE_DB, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD } = clickhouse.environment;
  assert.deepEqual([database, username, table], [CLICKHOUSE_DB, CLICKHOUSE_USER, undefined]);
  assert.equal(password, "${env:CLICKHOUSE_PASSWORD}");
  assert.equal(collector.environment.CLICKHOUSE_PASSWORD, CLICKHOUSE_PASSWORD);
  const days = /Reports are kept for (\d+) days \(`ttl`\)/.exec(guide)?.[1];
  assert.equal(ttl, `${Number(days) * 24}h`);
});

test("the collector has no queue, so that it confirms only what ClickHouse confirmed, and ClickHouse gets its settings where it reads them", () => {
  const { exporters, service } = contentOf<Collector>("collector");
  const { async_insert: later, sending_queue: queue, retry_on_failure: retry } = exporters.clickhouse as never;
  assert.deepEqual([later, queue, retry], [false, { enabled: false }, { enabled: false }]);
  assert.ok(!new URL(exporters.clickhouse.endpoint ?? "").searchParams.has("async_insert"), "it would come first");
  // A processor that collects a batch answers before the exporter does.
  for (const pipeline of Object.values(service.pipelines)) assert.equal(pipeline.processors, undefined);
  assert.deepEqual(
    clickhouse.configs?.map(({ target }) => target),
    ["/etc/clickhouse-server/config.d/durable.yaml"],
  );
});

test("Grafana reads the database that the collector writes, and every panel of the dashboard uses that source", () => {
  type Source = Readonly<Record<"uid" | "type", string>> & {
    readonly jsonData: Readonly<Record<string, unknown>>;
    readonly secureJsonData: { readonly password: string };
  };
  const [source, ...others] = contentOf<{ datasources: Source[] }>("datasource").datasources;
  assert.ok(source !== undefined && others.length === 0);
  const { endpoint = "" } = contentOf<Collector>("collector").exporters.clickhouse;
  const { hostname: host } = new URL(endpoint);
  const { CLICKHOUSE_DB: defaultDatabase, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD } = clickhouse.environment;
  assert.deepEqual(source.jsonData, { host, port: portOf(endpoint), protocol: "native", username, defaultDatabase });
  assert.equal(source.secureJsonData.password, "$CLICKHOUSE_PASSWORD");
  assert.equal(grafana.environment.CLICKHOUSE_PASSWORD, CLICKHOUSE_PASSWORD);
  assert.equal(grafana.environment.GF_PLUGINS_PREINSTALL_SYNC, source.type);
  const { type, uid } = source;
  for (const { title, datasource, targets } of dashboardPanels())
    for (const used of [datasource, ...targets.map((target) => target.datasource)])
      assert.deepEqual(used, { type, uid }, title);
  const targetOf = (name: string) => grafana.configs?.find((mount) => mount.source === name)?.target ?? "";
  assert.match(targetOf("datasource"), /^\/etc\/grafana\/provisioning\/datasources\/\w+\.yaml$/);
  assert.match(targetOf("dashboards"), /^\/etc\/grafana\/provisioning\/dashboards\/\w+\.yaml$/);
  const [provider] = contentOf<{ providers: { options: { path: string } }[] }>("dashboards").providers;
  assert.equal(targetOf("dashboard").replace(/\/\w+\.json$/, ""), provider?.options.path);
  assert.equal(configs.dashboard?.file, "./dashboard.json", "its queries are those that the test of ClickHouse runs");
  // The exporter's own name, because the collector is given no other.
  for (const sql of [...dashboardQueries().values(), readGuideFile("clickhouse.sql")])
    assert.deepEqual(
      [...sql.matchAll(/FROM (\w+)/g)].map(([, table]) => table),
      ["otel_logs"],
    );
});
