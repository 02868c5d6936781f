// Tests of forwarding to the Aspire dashboard, a receiver of OpenTelemetry that was not made for Kit: what it keeps of the messages that
// Kit sends to it, and that the sums are exact there.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { textOf } from "@kit/contract";
import { test } from "vitest";
import { type AspireServer, startAspire } from "../../../tools/engines/aspire-server.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { until } from "../support/until.ts";
import { openForwardFolder } from "./forwarding-folder.ts";
import { beganMs, reportWith } from "./monitor-folder.ts";

const skip = skipWithout("Aspire dashboard");
const key = "a-key-of-the-receiver";

type Attributes = readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
const plain = (attributes: Attributes) => Object.fromEntries(attributes.map((one) => [one.key, one.value.stringValue]));

/** The log records that it has, as it answers them: each value as text, with a number of its own. */
async function recordsOf({ page }: AspireServer) {
  const answer = await fetch(`${page}/api/telemetry/logs`);
  const { data } = (await answer.json()) as {
    data: {
      resourceLogs: {
        resource: { attributes: Attributes };
        scopeLogs: { scope: { name: string }; logRecords: { attributes: Attributes; [member: string]: unknown }[] }[];
      }[];
    };
  };
  return data.resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, logRecords }) =>
      logRecords.map(({ attributes, timeUnixNano, severityNumber, body }) => {
        const { "aspire.log_id": _, ...said } = plain(attributes);
        return { resource: plain(resource.attributes), scope: scope.name, timeUnixNano, severityNumber, body, said };
      }),
    ),
  );
}

/** The newest value of each series. Its interface answers no metrics, so this reads its database. */
function sumsOf({ database }: AspireServer): { fingerprint: string; series: string; reports: number }[] {
  using tables = new DatabaseSync(database, { readOnly: true });
  const attribute = (name: string) =>
    `(SELECT attribute_value FROM telemetry_metric_dimension_attributes
      WHERE dimension_id = points.dimension_id AND attribute_key = '${name}')`;
  const sql = `SELECT ${attribute("kit.fingerprint")} AS fingerprint, ${attribute("kit.series")} AS series,
      coalesce(integer_value, double_value) AS reports
    FROM telemetry_metric_points AS points
    JOIN telemetry_metric_dimensions USING (dimension_id) JOIN telemetry_metric_instruments USING (instrument_id)
    WHERE instrument_name = 'kit.reports' AND is_monotonic = 1
      AND point_id = (SELECT max(point_id) FROM telemetry_metric_points WHERE dimension_id = points.dimension_id)`;
  return tables.prepare(sql).all() as ReturnType<typeof sumsOf>;
}

test("the Aspire dashboard keeps each record with its attributes, and the exact sum after growth and a restart", {
  skip,
}, async () => {
  await using aspire = await startAspire(key);
  await using folder = await openForwardFolder();
  const headers = { "x-otlp-api-key": key };
  const { id } = await folder.add({ kind: "otlp", address: aspire.otlp, headers, game: null });
  const { installation } = await folder.change(id, { environment: "playtest", installation: "new" });
  assert.deepEqual([(await folder.test(id)).ok, (await folder.test(id)).status], [true, 200]);
  const stackTrace = "System.NullReferenceException: No door\n   at Game.Door.Open() in /home/bo/Door.cs:line 41";
  const given = { stackTrace, game: "saga", build: "1.5" };
  const first = reportWith("System.NullReferenceException: No door", given);
  await folder.take([first]);
  await folder.target(({ delivered }) => delivered === 1);
  // It confirms before it lists.
  const record = await until("the record is listed", async () =>
    (await recordsOf(aspire)).find(({ said }) => said["kit.news"] === "new"),
  );
  const { "kit.issue.id": _, "kit.fingerprint": fingerprint, ...said } = record.said;
  assert.deepEqual(
    { ...record, said },
    {
      resource: {
        "service.name": "saga",
        "service.version": "1.5",
        "deployment.environment.name": "playtest",
        "service.instance.id": installation,
      },
      scope: "kit",
      timeUnixNano: `${beganMs}000000`,
      severityNumber: 17,
      body: { stringValue: "No door" },
      said: {
        "log.record.uid": first.event.id,
        "exception.type": "System.NullReferenceException",
        "exception.message": "No door",
        "exception.stacktrace": "System.NullReferenceException: No door\n   at Game.Door.Open() in ~/Door.cs:line 41",
        "kit.reports": "1",
        "kit.reports.total": "1",
        "kit.reports.since": new Date(beganMs).toISOString(),
        "kit.count": "1",
        "kit.news": "new",
        "kit.dialect": "dotnet",
      },
    },
  );
  const grow = (times: number) =>
    folder.take(Array.from({ length: times }, () => reportWith("System.NullReferenceException: No door", given)));
  await grow(20);
  await folder.target(({ delivered }) => delivered === 21);
  await folder.restart();
  await grow(30);
  await folder.take([reportWith("No lamp", { game: "quest" })]);
  await folder.target(({ delivered, waiting }) => delivered === 52 && waiting === 0);
  const records = (await recordsOf(aspire)).filter((one) => one.said["kit.fingerprint"] === fingerprint);
  assert.equal(
    records.reduce((sum, one) => sum + Number(one.said["kit.reports"]), 0),
    51,
  );
  const sums = sumsOf(aspire);
  assert.deepEqual(new Set(sums.map(({ reports }) => reports)), new Set([51, 1]));
  assert.deepEqual([sums.length, sums.find(({ reports }) => reports === 51)?.fingerprint], [2, fingerprint]);
});

test("the Aspire dashboard refuses a wrong key, which stops the queue with a sentence", { skip }, async () => {
  await using aspire = await startAspire(key);
  await using folder = await openForwardFolder();
  const headers = { "x-otlp-api-key": "another-key" };
  const { id } = await folder.add({ kind: "otlp", address: aspire.otlp, headers, game: null });
  assert.deepEqual([(await folder.test(id)).ok, (await folder.test(id)).status], [false, 401]);
  await folder.take([reportWith("No key")]);
  const { stopped, waiting, lastError } = await folder.target((target) => target.stopped !== null);
  assert.deepEqual([waiting, (await recordsOf(aspire)).length], [1, 0]);
  assert.match(textOf(lastError ?? ""), /401/, `${stopped}`);
});
