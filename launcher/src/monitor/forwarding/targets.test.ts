// Tests of forwarding targets: their addresses and keys, and their tests.
import assert from "node:assert/strict";
import { KitError, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { test } from "vitest";
import { type ForwardFolder, key, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { reportWith } from "../../../test/monitor/monitor-folder.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";

const addSentry = (folder: ForwardFolder) => folder.add({ kind: "sentry", address: folder.dsn, game: null });

test("an invalid address is refused, and nothing of it is stored or shown", async () => {
  await using folder = await openForwardFolder();
  const { port } = folder.server;
  const refused = [
    ["sentry", `https://${key}@example.com/`],
    ["sentry", "https://example.com/1"],
    ["sentry", `http://${key}@example.com/1`],
    ["sentry", `http://${key}@localhost.example.com/1`],
    ["sentry", `https://${key}@169.254.169.254/1`],
    ["sentry", `https://${key}@[::ffff:169.254.169.254]/1`],
    ["sentry", `https://${key}@0/1`],
    ["sentry", `ftp://${key}@example.com/1`],
    ["sentry", key],
    ["otlp", "http://192.168.1.4:4318"],
    ["otlp", `https://user:${key}@example.com`],
    ["otlp", `https://example.com/?key=${key}`],
  ] as const;
  for (const [kind, address] of refused) {
    const error = await folder.add({ kind, address, game: null }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof KitError && error.code === "payload_invalid", address);
    assert.ok(!JSON.stringify([error.message, error.errors]).includes(key), error.message);
  }
  await assert.rejects(
    folder.add({ kind: "otlp", address: `http://127.0.0.1:${port}`, headers: { "x-key": "a\r\nb" }, game: null }),
    KitError,
  );
  assert.equal(folder.secrets.size, 0);
  await addSentry(folder);
  const shown = JSON.stringify([await folder.target(), await folder.monitor.rows(sql`SELECT * FROM forward_target`)]);
  assert.ok(!shown.includes(key));
  assert.equal(folder.secrets.size, 1);
});

test("a missing key stops the target with a reason, and no report is lost", async () => {
  await using folder = await openForwardFolder();
  const { id } = await addSentry(folder);
  folder.secrets.clear();
  await folder.restart();
  await folder.take([reportWith("No key")]);
  assert.match(textOf((await folder.target(({ stopped }) => stopped !== null)).stopped ?? ""), /Enter them again/);
  await folder.change(id, { address: folder.dsn });
  await folder.target(({ delivered, stopped }) => delivered === 1 && stopped === null);
  assert.deepEqual(folder.failures, []);
});

test("another server or project gets a new random id, and another key at the same one the old id", async () => {
  await using folder = await openForwardFolder();
  const { id } = await addSentry(folder);
  const { port } = folder.server;
  const [otherKey, otherServer, otherProject] = [
    `http://${"f".repeat(32)}@127.0.0.1:${port}/7`,
    `http://${key}@localhost:${port}/7`,
    `http://${key}@localhost:${port}/8`,
  ];
  assert.equal((await folder.change(id, { address: otherServer })).installation, null);
  await folder.change(id, { address: folder.dsn });
  const { installation: first } = await folder.change(id, { installation: "new" });
  assert.equal((await folder.change(id, { address: otherKey })).installation, first);
  const { installation: second } = await folder.change(id, { address: otherServer });
  const { installation: third } = await folder.change(id, { address: otherProject });
  assert.equal(new Set([null, first, second, third]).size, 4);
  const { installation: none } = await folder.change(id, { address: folder.dsn, installation: "none" });
  assert.equal(none, null);
});

test("a test ends at once when its target is switched off or removed", async () => {
  await using folder = await openForwardFolder();
  folder.server.holds = true;
  const { id } = await addSentry(folder);
  const ended = { ok: false, status: null, answer: null, report: null, says: message("target.test_ended") };
  const first = folder.test(id);
  await until("a test is sent", () => folder.server.held.length === 1);
  await folder.change(id, { enabled: false });
  assert.deepEqual(await first, ended);
  assert.equal(textOf(ended.says), "The test was ended: the target is switched off.");
  const second = folder.test(id);
  await until("another is sent", () => folder.server.held.length === 2);
  assert.deepEqual((await Promise.all([second, folder.remove(id)]))[0], ended);
});
