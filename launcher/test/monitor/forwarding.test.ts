// Tests of forwarding from the built launcher: `kit forward`, a real server, and a launcher killed while it sends.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { ForwardTarget, ForwardTestResult } from "@kit/contract";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kitOn } from "../support/kit-command.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { startForwardServer } from "./forwarding-server.ts";

const key = "fedcba9876543210fedcba9876543210";
const launcher = await launcherOfFile({ env: { KIT_SECRETS: "file" } });
const server = await startForwardServer();
after(() => server[Symbol.asyncDispose]());

/** Runs `kit forward …` with this standard input. */
const forward = (words: readonly string[], input?: string) => kitOn(launcher, input).run("forward", ...words);
const targets = async () => (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets;
const report = async (message: string) => (await launcher.report(message)).replaceAll("-", "");
const has = (id: string, times = 1) =>
  until(`${id} at the server`, () => server.received.filter(({ body }) => body.includes(id)).length >= times);
/** Every file below a folder that contains the key. */
const filesWithKey = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(key));

test("a server is added by its DSN from standard input, tested, and gets reports; its key is readable nowhere", async () => {
  assert.match((await forward([])).stdout, /No forwarding target yet/);
  assert.equal((await forward(["add", "sentry"])).code, exitCodes.usage);
  assert.equal((await forward(["add", "sentry"], "https://example.com/1\n")).code, exitCodes.refused);
  const added = await forward(["add", "sentry", "--json"], `http://${key}@127.0.0.1:${server.port}/7\n`);
  assert.equal(added.code, exitCodes.ok, added.stderr);
  const { id, host } = added.json<ForwardTarget>();
  const tested = await forward(["test", id, "--json"]);
  const { ok, report: testId } = tested.json<ForwardTestResult>();
  assert.deepEqual([tested.code, ok], [exitCodes.ok, true]);
  await has((testId ?? "").replaceAll("-", ""));
  await has(await report("The door has no key"));
  const listed = await until("delivered", async () => (await targets()).find(({ delivered }) => delivered === 1));
  assert.equal(listed.host, host);
  const shown = [added, tested, await forward([]), await forward(["--json"])].map(
    ({ stdout, stderr }) => stdout + stderr,
  );
  assert.match(shown[2] ?? "", new RegExp(`${id} +sentry +127.0.0.1:${server.port}, project 7 +all games +on +1 +0`));
  assert.ok(!shown.join("").includes(key));
  assert.ok(!launcher.process().output().includes(key));
  assert.deepEqual(filesWithKey(launcher.dataDir), []);
});

test("a launcher killed while it sends repeats the report with the same id, and later reports follow", async () => {
  server.script = [() => undefined];
  const held = await report("The lamp is out");
  await has(held);
  const next = await report("The rope is cut");
  await until("both wait", async () => (await targets())[0]?.waiting === 2);
  await launcher.restart("SIGKILL");
  await has(held, 2);
  await has(next);
  const target = await until("nothing waits", async () => (await targets()).find(({ waiting }) => waiting === 0));
  assert.deepEqual([target.delivered, target.dropped, target.stopped], [3, 0, null]);
});

test("a refusal stops the target with a reason; the target can be enabled, disabled and removed", async () => {
  const [{ id = "" } = {}] = await targets();
  server.script = [{ status: 403 }, { status: 403, body: "no" }];
  await report("The sword is blunt");
  await until("stopped", async () => (await targets())[0]?.stopped !== null);
  assert.match((await forward([])).stdout, /stopped: The server refuses this key \(403\)/);
  const tested = await forward(["test", id]);
  assert.equal(tested.code, exitCodes.unwell);
  assert.match(tested.stdout, /refuses this key \(403\).*\nThe server answered: no/);
  await forward(["on", id]);
  await until("sent", async () => (await targets())[0]?.waiting === 0);
  assert.match((await forward(["off", id])).stdout, / off +4 /);
  assert.equal((await forward(["remove", id])).code, exitCodes.ok);
  assert.deepEqual(await targets(), []);
  assert.equal((await forward(["remove", id])).code, exitCodes.refused);
});

test("forwarding targets are shown only to clients with the secret", async () => {
  assert.equal((await fetch(`http://127.0.0.1:${launcher.port}/api/forwarding`)).status, 401);
});
