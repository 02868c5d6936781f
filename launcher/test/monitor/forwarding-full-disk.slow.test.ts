// Tests forwarding while the disk of the data folder is full: nothing acknowledged is lost, the counts are exact afterwards, and the
// server gets no more requests than usual.
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Acknowledgement, type ForwardTarget, textOf } from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { describe, test } from "vitest";
import { type LauncherProcess, startLauncherProcess, timestamp } from "../support/own-launcher.ts";
import { fill, notMounted, smallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { type ForwardServer, startForwardServer } from "./forwarding-server.ts";

const key = "fedcba9876543210fedcba9876543210";
const kinds = ["door", "lamp", "rope", "bell"].map((what) => `The ${what} is lost`);
const full = /The disk is full\. Free up space/;
/** What a queue may have sent when it could not store the answer: one message, and once more after a restart. */
const requestsMax = 2;

/** Sends one report of each kind. Returns the ids of those that were acknowledged. */
async function reportEach(launcher: LauncherProcess): Promise<string[]> {
  const replies = await Promise.all(
    kinds.map((message) =>
      launcher.send("monitor", { message, stackTrace: "x".repeat(2_000), timestamp: timestamp() }),
    ),
  );
  for (const { status, text } of replies) {
    assert.ok(status === 202 || status === 503, text);
    if (status === 503) assert.match(text, full);
  }
  return replies.filter(({ status }) => status === 202).map((reply) => reply.json<Acknowledgement>().id);
}

/** The reports that the messages at the server stand for, by the text of the error. A repeat of an id counts once. */
function reportsAt({ received }: ForwardServer): Map<string, number> {
  const events = received.map(({ body }) => (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event);
  const byId = new Map(events.map((event) => [event.event_id, event]));
  const sums = new Map<string, number>();
  for (const { exception, contexts } of byId.values()) {
    const text = exception?.values?.[0]?.value ?? "";
    sums.set(text, (sums.get(text) ?? 0) + Number(contexts?.kit?.reports));
  }
  return sums;
}

// Each has a disk and a launcher of its own, and mostly waits.
describe("a disk that fills up", { concurrent: true }, () => {
  for (const [what, isKilled, status] of [
    ["while reports are forwarded", false, 200],
    ["while reports are forwarded, and a launcher killed on it,", true, 200],
    ["while a server refuses a report as too large", false, 413],
  ] as const) {
    test(`${what} loses and doubles none, and costs no more requests`, async (t) => {
      using disk = smallDisk(16);
      if (disk === undefined) return t.skip(notMounted);
      await using server = await startForwardServer();
      await using launcher = await startLauncherProcess({
        dataDir: join(disk.path, "data"),
        env: { KIT_SECRETS: "file" },
      });
      const address = `http://${key}@127.0.0.1:${server.port}/7`;
      const { id } = (
        await launcher.api("POST", "/api/forwarding", { kind: "sentry", address, game: null })
      ).json<ForwardTarget>();
      const target = async () =>
        (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets[0] ?? assert.fail();
      const began = launcher.process();
      const acknowledged: string[] = [];
      // A message is on its way when the disk fills up: its answer cannot be stored.
      const { promise: isFull, resolve: answer } = Promise.withResolvers<void>();
      server.script = [(response) => void isFull.then(() => response.writeHead(status).end("{}"))];
      for (let n = 0; n < 25; n += 1) acknowledged.push(...(await reportEach(launcher)));
      await server.have(1);
      const giveBack = fill(disk.path);
      await until("reports are refused", async () => {
        const more = await reportEach(launcher);
        acknowledged.push(...more);
        return more.length === 0;
      });
      const { storage } = await launcher.health();
      assert.equal(storage.state, "failing");
      assert.match(textOf(storage.detail ?? ""), full);
      const before = server.arrivedMs.length;
      answer();
      if (isKilled) await launcher.restart("SIGKILL");
      for (let n = 0; n < 20; n += 1) acknowledged.push(...(await reportEach(launcher)));
      // Longer than the pauses after a failure to store something.
      const waitedMs = performance.now();
      await until(
        "a while has passed",
        async () => {
          await target();
          return performance.now() - waitedMs > 25_000;
        },
        500,
      );
      const requests = server.arrivedMs.length - before;
      console.log(`${acknowledged.length} acknowledged, ${requests} requests while the disk was full`);
      assert.ok(requests <= requestsMax, `${requests} requests`);
      giveBack();
      await until("storage is well again", async () => (await launcher.health()).storage.state === "ok");
      acknowledged.push(...(await reportEach(launcher)));
      let told = await target();
      await until(
        () => `everything is told: ${JSON.stringify(told)}`,
        async () => {
          told = await target();
          // Switching on tells the growth at once.
          if (told.waiting > 0 && told.waitsUntil === null)
            await launcher.api("PUT", `/api/forwarding/${id}`, { enabled: true });
          return told.delivered >= acknowledged.length && told.waiting === 0;
        },
        1_000,
      );
      assert.ok(acknowledged.length > 100);
      assert.deepEqual([told.delivered, told.dropped, told.stopped], [acknowledged.length, 0, null]);
      const sums = reportsAt(server);
      assert.equal(
        [...sums.values()].reduce((sum, n) => sum + n, 0),
        acknowledged.length,
      );
      for (const event of acknowledged) assert.equal((await launcher.receipt(event)).event.intact, true);
      if (!isKilled) assert.equal(launcher.process(), began, "the launcher ran all the time");
    });
  }
});
