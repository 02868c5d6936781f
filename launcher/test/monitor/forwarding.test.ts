// Tests of forwarding from the built launcher: a real server, and a launcher killed while it sends.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ForwardBucketTest,
  type ForwardTarget,
  type ForwardTestResult,
  type Invitation,
  type Issue,
  textOf,
} from "@kit/contract";
import { afterAll, test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { reopenedOf, startsOf } from "../data/games-folder.ts";
import { kitOn, type Ran } from "../support/kit-command.ts";
import { launcherProcessOfFile } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { invitationTo, invitedKey as key, startForwardServer } from "./forwarding-server.ts";

const outgoing = join(temporaryFolder("outgoing"), "log");
const hook = `--import=${new URL("../support/outgoing-hook.ts", import.meta.url)}`;
const launcher = await launcherProcessOfFile({
  env: { KIT_SECRETS: "file", KIT_TEST_OUTGOING: outgoing, NODE_OPTIONS: hook },
});
const server = await startForwardServer();
afterAll(() => server[Symbol.asyncDispose]());

/** Runs `kit api …` with this standard input. */
const kitApi = (words: readonly string[], input?: string) => kitOn(launcher, input).run("api", ...words);
const change = (id: string, ...values: readonly string[]) => kitApi(["changeForwardTarget", `id=${id}`, ...values]);
const remove = (id: string) => kitApi(["removeForwardTarget", `id=${id}`]);
const addSentry = ["addForwardTarget", "kind=sentry", "game=null", "address"];
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
  assert.equal((await kitApi(addSentry)).code, exitCodes.usage);
  assert.equal((await kitApi(addSentry, "https://example.com/1\n")).code, exitCodes.refused);
  const added = await kitApi(addSentry, `http://${key}@127.0.0.1:${server.port}/7\n`);
  assert.equal(added.code, exitCodes.ok, added.stderr);
  const { id, host } = added.json<ForwardTarget>();
  const tested = await kitApi(["testForwardTarget", `id=${id}`]);
  const { ok, report: testId } = tested.json<ForwardTestResult>();
  assert.deepEqual([tested.code, ok], [exitCodes.ok, true]);
  await has((testId ?? "").replaceAll("-", ""));
  await has(await report("The door has no key"));
  const listed = await until("delivered", async () => (await targets()).find(({ delivered }) => delivered === 1));
  assert.equal(listed.host, host);
  const shown = [added, tested, await kitApi(["listForwardTargets"])].map(({ stdout, stderr }) => stdout + stderr);
  assert.ok(!shown.join("").includes(key));
  assert.ok(!launcher.output().includes(key));
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
  const [{ stopped = "" } = {}] = await targets();
  assert.match(textOf(stopped ?? ""), /^The server refuses this key \(403\)/);
  const { ok, says, answer } = (await kitApi(["testForwardTarget", `id=${id}`])).json<ForwardTestResult>();
  assert.deepEqual([ok, /refuses this key \(403\)/.test(textOf(says)), answer], [false, true, "no"]);
  await change(id, "enabled=true");
  await until("sent", async () => (await targets())[0]?.waiting === 0);
  const off = (await change(id, "enabled=false")).json<ForwardTarget>();
  assert.deepEqual([off.enabled, off.delivered], [false, 4]);
  assert.equal((await remove(id)).code, exitCodes.ok);
  assert.deepEqual(await targets(), []);
  assert.equal((await remove(id)).code, exitCodes.refused);
});

test("a bucket is set with keys from standard input, tested, shown without them, and removed", async () => {
  const added = await kitApi(addSentry, `http://${key}@127.0.0.1:${server.port}/7\n`);
  const { id } = added.json<ForwardTarget>();
  const keys = ["AKIDOFTHETEST", "secretOfTheTestBucket"];
  const endpoint = `http://127.0.0.1:${server.port}`;
  const place = { endpoint, region: "us-east-1", name: "lantern-videos", prefix: "playtest/", hostStyle: false };
  const values = Object.entries(place).map(([name, value]) => `bucket.${name}=${value}`);
  const set = ["changeForwardTarget", `id=${id}`, ...values, "bucket.accessKey", "bucket.secretKey"];
  const ran: Ran[] = [];
  const run = async (words: readonly string[], code: number, input?: string): Promise<Ran> => {
    const one = await kitApi(words, input);
    ran.push(one);
    assert.equal(one.code, code, `${words.join(" ")}: ${one.stdout}${one.stderr}`);
    return one;
  };
  /** What a store answers to the small file: it is written, read and deleted. */
  const file = "This is a test of Kit. It can be deleted.";
  const store = [{ status: 200, headers: { etag: '"1"' } }, { status: 200, body: file }, { status: 204 }];
  await run(set, exitCodes.usage, "only-one-key\n");
  const changed = (await run(set, exitCodes.ok, `${keys.join("\n")}\n`)).json<ForwardTarget>();
  assert.deepEqual(changed.bucket, { ...place, hasKeys: true });
  const test = async () => (await run(["testForwardBucket", `id=${id}`], exitCodes.ok)).json<ForwardBucketTest>();
  server.script = [...store];
  assert.equal((await test()).ok, true);
  server.script = [{ status: 503 }];
  const failed = await test();
  assert.deepEqual([failed.ok, /The store failed \(503\)/.test(textOf(failed.says))], [false, true]);
  assert.equal((await change(id, "bucket=null")).json<ForwardTarget>().bucket, null);
  const said = ran.map(({ stdout, stderr }) => stdout + stderr).join("");
  assert.deepEqual(
    keys.filter((each) => said.includes(each)),
    [],
  );
  await remove(id);
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
    const decided = { reports: true, earlierEvents: false, installation: false, videos: false };
    const refused = await launcher.api("POST", "/api/invitations/accept", { invitation: one, ...decided });
    assert.equal(refused.status, 422, JSON.stringify(one) + refused.text);
    assert.match(refused.text, /invitation|address/);
  }
  assert.deepEqual(await targets(), []);
});

test("a restored backup switches nothing on again, and no server is told of the same reports twice", async () => {
  const [received, message] = [server.received.length, "The bell is cracked"];
  const put = (id: string, body: object) => launcher.api("PUT", `/api/forwarding/${id}`, body);
  const add = async (project: number) => {
    const address = `http://${key}@127.0.0.1:${server.port}/${project}`;
    const added = await launcher.api("POST", "/api/forwarding", { kind: "sentry", address, game: null });
    return added.json<ForwardTarget>().id;
  };
  const [removed, id] = [await add(8), await add(7)];
  assert.equal((await put(removed, { enabled: false })).status, 200);
  await put(id, { installation: "new" });
  const delivered = (n: number) =>
    until(`${n} delivered`, async () => (await targets()).find((one) => one.delivered === n && one.waiting === 0));
  await report(message);
  await delivered(1);
  await report(message);
  await until("one waits to be told", async () => (await targets()).some(({ waiting }) => waiting === 1));
  const { name } = (await launcher.api("POST", "/api/backups")).json<{ name: string }>();
  // Switching on tells the growth at once.
  for (const enabled of [false, true]) await put(id, { enabled });
  await delivered(2);
  await put(id, { enabled: false, installation: "none", earlierEvents: false });
  await launcher.api("DELETE", `/api/forwarding/${removed}`);
  const began = await startsOf(launcher);
  assert.equal((await launcher.api("POST", `/api/backups/${name}/restore`)).status, 202);
  await reopenedOf(launcher, began);
  const restored = await targets();
  assert.deepEqual(
    restored.map((one) => [one.id, one.enabled, one.installation, one.earlierEvents, one.delivered, one.waiting]),
    [
      [removed, false, null, false, 0, 0],
      [id, false, null, false, 2, 0],
    ],
  );
  const reports = async () => {
    const { issues } = (await launcher.api("GET", "/api/issues")).json<{ issues: Issue[] }>();
    return issues.find(({ title }) => title === message)?.count ?? 0;
  };
  const before = await reports();
  await report(message);
  await until("it is counted", async () => (await reports()) > before);
  assert.equal((await targets())[1]?.waiting, 0);
  await put(id, { enabled: true });
  await report(message);
  await until("the new one waits to be told", async () => (await targets()).some(({ waiting }) => waiting === 1));
  await put(id, { enabled: true });
  await delivered(3);
  const told = server.received.slice(received).flatMap(({ body }) => /"reports":(\d+)/.exec(body)?.[1] ?? []);
  assert.deepEqual(told, ["1", "1", "1"]);
  for (const each of [removed, id]) await launcher.api("DELETE", `/api/forwarding/${each}`);
});

test("a target that was just added sends no videos, however it was added and whatever else the call says", async () => {
  const address = `http://${key}@127.0.0.1:${server.port}/7`;
  const others = { videos: true, installation: true, videoQueue: {}, consent: { studio: "x" } };
  const post = async (path: string, body: object) => {
    const reply = await launcher.api("POST", path, body);
    assert.equal(reply.status, 201, reply.text);
    return reply.json<ForwardTarget>();
  };
  const base = {
    version: 1,
    studio: "Lantern Games",
    text: "",
    kind: "sentry",
    game: null,
    environment: null,
  } as const;
  const invitation: Invitation = { ...base, address, asks: ["videos"] };
  const nothing = { earlierEvents: false, installation: false, videos: false };
  const other: Invitation = { ...invitation, game: "mygame", text: "For one game" };
  const added = [
    (await kitApi(addSentry, `${address}\n`)).json<ForwardTarget>(),
    await post("/api/forwarding", { kind: "sentry", address, game: null, ...others }),
    await post("/api/invitations/accept", { invitation, reports: true, ...nothing }),
    await post("/api/invitations/accept", { invitation: other, reports: true, ...nothing }),
  ];
  const bucket = {
    endpoint: `http://127.0.0.1:${server.port}`,
    region: "x",
    name: "videos",
    prefix: "",
    hostStyle: false,
  };
  for (const { id } of added) {
    for (const enabled of ["enabled=false", "enabled=true"]) await change(id, enabled);
    const forged = { consent: { ...others.consent, decidedAt: "2026-05-03T10:20:30.000Z" } };
    assert.equal((await launcher.api("PUT", `/api/forwarding/${id}`, forged)).status, 200);
    // A place for videos is no consent to them.
    const keys = { accessKey: "a", secretKey: "b" };
    assert.equal((await launcher.api("PUT", `/api/forwarding/${id}`, { bucket: { ...bucket, ...keys } })).status, 200);
  }
  const listed = (await targets()).filter(({ id }) => added.some((one) => one.id === id));
  assert.deepEqual(
    [...added, ...listed].map(({ videos, videoQueue }) => [videos, videoQueue?.sent ?? 0]),
    Array(8).fill([false, 0]),
  );
  assert.deepEqual(
    listed.map(({ installation, consent }) => [installation, consent?.studio ?? null]),
    [
      [null, null],
      [null, null],
      [null, "Lantern Games"],
      [null, "Lantern Games"],
    ],
  );
  for (const { id } of added) await remove(id);
});

test("forwarding targets are shown only to clients with the secret", async () => {
  assert.equal((await fetch(`http://127.0.0.1:${launcher.port}/api/forwarding`)).status, 401);
});

const letters = "abcdefgh";

test("with any of the switches on or off, the launcher looks up and contacts nobody before a person agrees, and then only the target", async () => {
  let seen = 0;
  /** What went out since the last call, except to the OBS of this computer, which the launcher looks for. */
  const wentOut = () => {
    const lines = existsSync(outgoing) ? readFileSync(outgoing, "utf8").split("\n").slice(0, -1) : [];
    const fresh = lines.slice(seen).filter((line) => line !== "TCPCONNECTWRAP 127.0.0.1 4455");
    seen = lines.length;
    return [...new Set(fresh)].sort();
  };
  const handled = async (id: string) =>
    until("the event is handled", async () => (await launcher.receipt(id)).states.length > 1);
  const everyKind = async (message: string) => {
    const ids = [
      await launcher.report(message),
      await launcher.trigger("saga_won"),
      await launcher.trigger("saga_won", "social"),
    ];
    for (const id of ids) await handled(id);
  };
  const invitation = invitationTo(server.port);
  const decide = (reports: boolean, others: object) =>
    launcher.api("POST", "/api/invitations/accept", { invitation, reports, ...others });
  wentOut();
  const { bytes } = server;
  await everyKind("Before anybody was asked");
  for (let bits = 0; bits < 8; bits += 1) {
    const others = { earlierEvents: bits % 2 > 0, installation: (bits & 2) > 0, videos: (bits & 4) > 0 };
    assert.equal((await decide(false, others)).status, 422);
    await everyKind(`Nobody agreed ${letters[bits]}`);
  }
  assert.deepEqual([wentOut(), server.bytes], [[], bytes]);
  const allowed = [`GETADDRINFOREQWRAP localhost`, `TCPCONNECTWRAP 127.0.0.1 ${server.port}`];
  for (let bits = 0; bits < 8; bits += 1) {
    const others = { earlierEvents: bits % 2 > 0, installation: (bits & 2) > 0, videos: (bits & 4) > 0 };
    assert.equal((await decide(true, others)).status, 201);
    const id = await launcher.report(`They agreed ${letters[bits]}`);
    await has(id.replaceAll("-", ""));
    await until("delivered", async () => (await targets())[0]?.waiting === 0);
    // A computer may try the name's IPv6 address first.
    const contacted = wentOut().filter((line) => line !== `TCPCONNECTWRAP ::1 ${server.port}`);
    assert.deepEqual(contacted, allowed, JSON.stringify(others));
    assert.equal((await decide(false, others)).status, 201);
    const bytesBefore = server.bytes;
    await everyKind(`They withdrew ${letters[bits]}`);
    assert.deepEqual([wentOut(), server.bytes], [[], bytesBefore], JSON.stringify(others));
  }
  const [{ id = "" } = {}] = await targets();
  await remove(id);
});
