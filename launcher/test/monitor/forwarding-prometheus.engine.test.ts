// Tests of the sums that Kit sends to a collector, passed on to Prometheus: the query of the guide for studios answers the exact number, also
// long after an issue grew, and of launchers that could not send for hours.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { startPrometheus } from "../../../tools/engines/prometheus-server.ts";
import { until } from "../support/until.ts";
import { openForwardFolder } from "./forwarding-folder.ts";
import { reportWith } from "./monitor-folder.ts";
import { writeSums } from "./remote-write.ts";
import { startSimulatedLauncher } from "./simulated-launcher.ts";
import { guide } from "./studio-guide.ts";

const skip = skipWithout("Prometheus");
const hourMs = 3_600_000;
const guideQuery = /Prometheus\*\*: `(sum by[^`]+)`/.exec(guide)?.[1] ?? assert.fail("the guide has no query");

/** A collector: stores logs nowhere, and passes sums on to Prometheus. The answer to every third request is lost. */
async function startCollector(prometheus: string) {
  const refused: string[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "HEAD") return void response.writeHead(405).end();
    const bytes = Buffer.concat(await request.toArray());
    const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
    const isSums = request.url === "/v1/metrics";
    const { status, text } = isSums ? await writeSums(prometheus, body) : { status: 200, text: "" };
    if (status >= 300) refused.push(`${status} ${text.trim()}`);
    requests += 1;
    if (requests % 3 === 0) return void response.destroy();
    response.writeHead(status < 300 ? 200 : status).end(status < 300 ? "{}" : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What the query of the guide answers at that time, largest first. */
async function reportsAt(prometheus: string, atMs: number): Promise<number[]> {
  const asked = new URLSearchParams({ query: guideQuery, time: String(atMs / 1_000) });
  const answer = (await (await fetch(`${prometheus}/api/v1/query?${asked}`)).json()) as {
    data: { result: { metric: Record<string, string>; value: [number, string] }[] };
  };
  const { result } = answer.data;
  assert.ok(result.every(({ metric }) => Object.keys(metric).join() === "kit_fingerprint"));
  return result.map(({ value }) => Number(value[1])).sort((one, other) => other - one);
}

test("Prometheus has the exact sums of two launchers after lost answers, growth, a restart and a new id, also hours later", {
  skip,
}, async () => {
  await using prometheus = await startPrometheus();
  await using collector = await startCollector(prometheus.address);
  await using one = await openForwardFolder();
  await using other = await startSimulatedLauncher({ growthEveryMs: 200, pauseMs: 0 });
  const target = { kind: "otlp", address: collector.address, game: null } as const;
  const { id } = await one.add(target);
  await other.targets.add(target);
  const delivered = (count: number) => one.target((state) => state.delivered === count && state.waiting === 0);
  const doors = (count: number, build?: string) =>
    Array.from({ length: count }, () => reportWith("No door", { game: "saga", ...(build !== undefined && { build }) }));
  await one.take([...doors(1), reportWith("No lamp", { game: "saga" })]);
  await other.take(doors(1));
  await delivered(2);
  await one.take(doors(10));
  await delivered(12);
  await one.restart();
  await one.take(doors(20, "1.5"));
  await delivered(32);
  await one.change(id, { installation: "new" });
  await one.take(doors(5, "1.5"));
  await delivered(37);
  await other.flood(reportWith("No door", { game: "saga" }), 50);
  await until("the other delivered", async () => (await other.targets.list())[0]?.delivered === 51);
  assert.deepEqual(collector.refused, []);
  assert.deepEqual(await reportsAt(prometheus.address, Date.now()), [36 + 51, 1]);
  assert.deepEqual(await reportsAt(prometheus.address, Date.now() + 6 * hourMs), [36 + 51, 1]);
});

test("Prometheus takes the sums of a launcher whose reports waited for six hours", { skip }, async () => {
  await using prometheus = await startPrometheus();
  await using collector = await startCollector(prometheus.address);
  await using one = await startSimulatedLauncher({ growthEveryMs: 200, pauseMs: 0 });
  await using late = await startSimulatedLauncher({ growthEveryMs: 200, pauseMs: 0 });
  for (const [launcher, atMs] of [
    [one, Date.now()],
    [late, Date.now() - 6 * hourMs],
  ] as const) {
    await launcher.targets.add({ kind: "otlp", address: collector.address, game: null });
    await launcher.take([reportWith("No door", { game: "saga", atMs })]);
    await until("it is delivered", async () => (await launcher.targets.list())[0]?.delivered === 1);
  }
  assert.deepEqual(collector.refused, []);
  assert.deepEqual(await reportsAt(prometheus.address, Date.now()), [2]);
});
