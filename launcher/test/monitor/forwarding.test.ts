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

test("a tester is invited by a link or a file, sees who asks for what, agrees, and sees what was sent", async () => {
  const kit = kitOn(launcher, `http://${key}@127.0.0.1:${server.port}/7\n`);
  const file = join(launcher.dataDir, "playtest.json");
  const words = ["team", "link", "sentry", "--studio", "Lantern Games", "--text", "Kept for 90 days."];
  const made = await kit.run(...words, "--environment", "playtest", "--file", file, "--json");
  assert.equal(made.code, exitCodes.ok, made.stderr);
  const { link } = made.json<{ link: string }>();
  assert.match(link, /^http:\/\/127\.0\.0\.1:9876\/#\/join\/[\w-]+$/);
  const requests = server.received.length;
  for (const given of [link, file]) {
    const shown = await kitOn(launcher).run("join", given);
    assert.equal(shown.code, exitCodes.ok, shown.stderr);
    assert.match(
      shown.stdout,
      new RegExp(`Lantern Games asks for error reports of all games.*127.0.0.1:${server.port}, project 7`),
    );
    assert.match(shown.stdout, /Kept for 90 days\.\n/);
    assert.match(shown.stdout, /#t=[\w-]+&page=join\/[\w-]+/);
  }
  assert.deepEqual([await targets(), server.received.length], [[], requests]);
  assert.equal((await kitOn(launcher).run("join", link, "--installation")).code, exitCodes.usage);
  const agreed = await kitOn(launcher).run("join", link, "--agree", "--installation");
  assert.match(agreed.stdout, /You agreed\. kit forward sent/);
  const [{ id = "", installation, earlierEvents, consent } = {}] = await targets();
  assert.deepEqual([earlierEvents, consent?.studio, typeof installation], [false, "Lantern Games", "string"]);
  const reported = await report("The bell rings twice");
  await has(reported);
  const listed = await until("the request is listed", async () => {
    const { stdout } = await forward(["sent", id]);
    return stdout.includes(reported) && stdout;
  });
  assert.match(listed, /The bell rings twice/);
  assert.ok(!listed.includes(key));
  await forward(["remove", id]);
});

test("an invitation with another scheme, another version, too long a text or a hidden password is refused, and nothing is stored", async () => {
  const invitation = { version: 1, studio: "x", text: "", kind: "sentry", game: null, environment: null, asks: [] };
  const bad = [
    { ...invitation, address: "ftp://example.com/1" },
    { ...invitation, address: `javascript:alert(1)//${key}@example.com/1` },
    { ...invitation, address: `http://${key}@example.com/1` },
    { ...invitation, address: `https://${key}:word@example.com/1` },
    { ...invitation, address: `https://${key}@169.254.169.254/1` },
    { ...invitation, address: `https://${key}@example.com/1`, version: 2 },
    { ...invitation, address: `https://${key}@example.com/1`, text: "x".repeat(2_001) },
    { ...invitation, address: `https://${key}@example.com/1`, asks: ["everything"] },
  ];
  for (const one of bad) {
    const refused = await kitOn(launcher).run("join", JSON.stringify(one), "--agree");
    assert.equal(refused.code, exitCodes.refused, JSON.stringify(one) + refused.stdout);
    assert.match(refused.stderr, /invitation|address/);
  }
  assert.equal((await kitOn(launcher).run("join", "http://127.0.0.1:9876/#/join/abc")).code, exitCodes.usage);
  assert.deepEqual(await targets(), []);
});

test("forwarding targets are shown only to clients with the secret", async () => {
  assert.equal((await fetch(`http://127.0.0.1:${launcher.port}/api/forwarding`)).status, 401);
});
