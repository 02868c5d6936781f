// Tests of forwarding from the built launcher: `kit forward`, a real server, and a launcher killed while it sends.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ForwardBucketTest, ForwardTarget, ForwardTestResult, Invitation, Issue } from "@kit/contract";
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

test("a bucket is set with keys from standard input, tested, shown without them, and removed", async () => {
  const added = await forward(["add", "sentry", "--json"], `http://${key}@127.0.0.1:${server.port}/7\n`);
  const { id } = added.json<ForwardTarget>();
  const keys = ["AKIDOFTHETEST", "secretOfTheTestBucket"];
  const endpoint = `http://127.0.0.1:${server.port}`;
  const set = ["bucket", id, "set", "--endpoint", endpoint, "--bucket", "lantern-videos", "--prefix", "playtest"];
  const ran: Ran[] = [];
  const run = async (words: readonly string[], code: number, input?: string): Promise<Ran> => {
    const one = await forward(words, input);
    ran.push(one);
    assert.equal(one.code, code, `${words.join(" ")}: ${one.stdout}${one.stderr}`);
    return one;
  };
  /** What a store answers to the small file: it is written, read and deleted. */
  const file = "This is a test of Kit. It can be deleted.";
  const store = [{ status: 200, headers: { etag: '"1"' } }, { status: 200, body: file }, { status: 204 }];
  await run(set, exitCodes.usage, "only-one-key\n");
  server.script = [...store];
  assert.equal(
    (await run([...set, "--json"], exitCodes.ok, `${keys.join("\n")}\n`)).json<ForwardBucketTest>().ok,
    true,
  );
  server.script = [{ status: 503 }];
  assert.match((await run(["bucket", id, "test"], exitCodes.unwell)).stdout, /The store failed \(503\)/);
  assert.match((await run([], exitCodes.ok)).stdout, new RegExp(`${id} bucket: lantern-videos at ${endpoint}`));
  const bucketOf = (targets: readonly ForwardTarget[]) => targets.find((target) => target.id === id)?.bucket;
  const place = { endpoint, region: "us-east-1", name: "lantern-videos", prefix: "playtest/", hostStyle: false };
  const shown = { ...place, hasKeys: true };
  assert.deepEqual(bucketOf((await run(["--json"], exitCodes.ok)).json()), shown);
  assert.equal((await run(["bucket", id, "none", "--json"], exitCodes.ok)).json<ForwardTarget>().bucket, null);
  assert.equal(bucketOf((await run(["--json"], exitCodes.ok)).json()), null);
  const said = ran.map(({ stdout, stderr }) => stdout + stderr).join("");
  assert.deepEqual(
    keys.filter((each) => said.includes(each)),
    [],
  );
  await forward(["remove", id]);
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
    assert.match(
      shown.stdout,
      /Only the server's address is certain: anybody can write any studio's name into a link\.\n/,
    );
    assert.match(shown.stdout, /Kept for 90 days\.\n/);
    assert.match(shown.stdout, /#t=[\w-]+&page=join\/[\w-]+/);
  }
  assert.deepEqual([await targets(), server.received.length], [[], requests]);
  assert.equal((await kitOn(launcher).run("join", link, "--installation")).code, exitCodes.usage);
  const agreed = await kitOn(launcher).run("join", link, "--agree", "--installation");
  assert.match(agreed.stdout, /also sees the internet address of this computer/);
  assert.match(agreed.stdout, /You agreed\. npx kit forward sent/);
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
  await forward(["events", id, "on"]);
  const { stdout } = await forward([]);
  assert.match(
    stdout,
    /consent: Lantern Games, \d{4}-\S+ \S+; on: error reports, a random id of this computer; off: the events before an error, videos of errors, with their sound; invitation [0-9a-f]{64}\n/,
  );
  assert.match(stdout, /changed: \d{4}-\S+ \S+; the events before an error: on\n/);
  await forward(["remove", id]);
});

test("a studio names a bucket in its link; a tester sees it, agrees to videos, and enters only the keys", async () => {
  const collector = `http://127.0.0.1:${server.port}`;
  const link = ["team", "link", "otlp", "--studio", "Lantern Games"];
  const place = ["--endpoint", collector, "--bucket", "lantern-videos", "--prefix", "playtest/"];
  const help = await kitOn(launcher).run("team", "link", "--help");
  for (const flag of ["--endpoint", "--region", "--bucket", "--prefix", "--host-style"])
    assert.match(help.stdout, new RegExp(`${flag}\\b`));
  const half = await kitOn(launcher, `${collector}\n\n`).run(...link, "--bucket", "lantern-videos");
  assert.deepEqual([half.code, /needs --endpoint and --bucket/.test(half.stderr)], [exitCodes.usage, true]);
  const made = await kitOn(launcher, `${collector}\n\n`).run(...link, ...place, "--json");
  assert.equal(made.code, exitCodes.ok, made.stderr);
  const invitation = made.json<{ link: string }>().link;
  const shown = await kitOn(launcher).run("join", invitation);
  assert.match(shown.stdout, new RegExp(`bucket lantern-videos/playtest/ at 127.0.0.1:${server.port}\\.\n`));
  assert.match(shown.stdout, /a random id of this computer; videos of errors, with their sound\./);
  const agreed = await kitOn(launcher).run("join", invitation, "--agree", "--videos");
  const [{ id = "", bucket, videos } = {}] = await targets();
  assert.deepEqual([bucket?.name, bucket?.hasKeys, videos], ["lantern-videos", false, true]);
  assert.match(agreed.stdout, new RegExp(`enter the keys of the bucket: npx kit forward bucket ${id} set`));
  const file = "This is a test of Kit. It can be deleted.";
  server.script = [{ status: 200, headers: { etag: '"1"' } }, { status: 200, body: file }, { status: 204 }];
  const set = await forward(["bucket", id, "set"], "AKIDOFTHETEST\nsecretOfTheTestBucket\n");
  assert.equal(set.code, exitCodes.ok, set.stdout + set.stderr);
  assert.deepEqual((await targets())[0]?.bucket, { ...bucket, hasKeys: true });
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
  const file = join(launcher.dataDir, "videos.json");
  writeFileSync(file, JSON.stringify({ ...invitation, game: "mygame", text: "From a file" }));
  const added = [
    (await forward(["add", "sentry", "--json"], `${address}\n`)).json<ForwardTarget>(),
    await post("/api/forwarding", { kind: "sentry", address, game: null, ...others }),
    await post("/api/invitations/accept", { invitation, reports: true, ...nothing }),
    (await kitOn(launcher).run("join", file, "--agree", "--json")).json<ForwardTarget>(),
  ];
  const bucket = {
    endpoint: `http://127.0.0.1:${server.port}`,
    region: "x",
    name: "videos",
    prefix: "",
    hostStyle: false,
  };
  for (const { id } of added) {
    await forward(["off", id]);
    await forward(["on", id]);
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
  for (const { id } of added) await forward(["remove", id]);
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
  await forward(["remove", id]);
});
