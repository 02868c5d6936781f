// Tests of forwarding: reports are sent in order, at least once with one id, without personal data, and as the server asks.
import assert from "node:assert/strict";
import { demoGame, textOf } from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { type ForwardFolder, key, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import type { Received } from "../../../test/monitor/forwarding-server.ts";
import { beganMs, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { sql } from "../../storage/sql.ts";

const eventIn = ({ body }: Received): Event => (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event;
const newsAndReports = ({ tags, contexts }: Event) => [tags?.["kit.news"], contexts?.kit?.reports];
const idOf = (event: string) => event.replaceAll("-", "");
const addSentry = (folder: ForwardFolder) => folder.add({ kind: "sentry", address: folder.dsn, game: null });
const stackTrace = "TypeError: No key\n    at open (/home/bo/door.js:41:7)\n    at main (/home/bo/main.js:5:1)";

test("a report arrives as an event with its frames, count and kind, and with its id in Kit", async () => {
  await using folder = await openForwardFolder();
  await addSentry(folder);
  const [first, second] = [1, 2].map(() => reportWith("TypeError: No key", { stackTrace, game: "saga" }));
  assert.ok(first && second);
  folder.monitor.before = [
    { ...reportWith("Opened by ana.lima").event, actsOn: new Date(beganMs - 1_000).toISOString() },
  ];
  await folder.take([first]);
  await folder.take([second]);
  const [one, two] = await folder.server.have(2);
  assert.ok(one && two);
  assert.deepEqual([one.method, one.url], ["POST", "/api/7/envelope/"]);
  assert.match(String(one.headers["x-sentry-auth"]), new RegExp(`sentry_version=7.*sentry_key=${key}`));
  const event = eventIn(one);
  assert.equal(event.event_id, idOf(first.event.id));
  assert.deepEqual(event.exception?.values?.[0]?.stacktrace?.frames, [
    { function: "main", in_app: true, filename: "~/main.js", lineno: 5, colno: 1 },
    { function: "open", in_app: true, filename: "~/door.js", lineno: 41, colno: 7 },
  ]);
  const { type, value } = event.exception?.values?.[0] ?? {};
  assert.deepEqual([type, value, event.platform, event.level], ["TypeError", "No key", "javascript", "error"]);
  assert.deepEqual([event.tags?.game, event.tags?.["kit.news"], event.extra?.count], ["saga", "new", 1]);
  assert.deepEqual([event.timestamp, event.sdk], [beganMs / 1_000, { name: "kit", version: "0.1.0" }]);
  assert.deepEqual(
    (event.breadcrumbs as unknown as { values: { message: string }[] }).values.map(({ message }) => message),
    ["Opened by <user>"],
  );
  const repeat = eventIn(two);
  assert.deepEqual([repeat.tags?.["kit.news"], repeat.extra?.count], ["more", 2]);
  assert.deepEqual(repeat.fingerprint, event.fingerprint);
  assert.deepEqual(event.fingerprint?.[0], "kit-1", "a new version of the rules does not rename what the server knows");
  const target = await folder.target(({ delivered }) => delivered === 2);
  assert.deepEqual(
    [target.waiting, target.dropped, target.lastError, target.host],
    [0, 0, null, `127.0.0.1:${folder.server.port}`],
  );
});

test("a frame of GameMaker without a line number is sent without one, because a tracker may refuse a negative number", async () => {
  await using folder = await openForwardFolder();
  await addSentry(folder);
  const frames = ["gml_Object_obj_door_Step_0 (line -1)", "gml_Object_obj_game_Step_0 (line 12)"];
  await folder.take([reportWith("No key", { stackTrace: frames.join("\n"), game: "saga" })]);
  const [sent] = await folder.server.have(1);
  assert.ok(sent);
  assert.deepEqual(
    eventIn(sent).exception?.values?.[0]?.stacktrace?.frames?.map((frame) => [frame.function, frame.lineno]),
    [
      ["gml_Object_obj_game_Step_0", 12],
      ["gml_Object_obj_door_Step_0", undefined],
    ],
  );
});

test("a target for all games gets no report of the demo", async () => {
  await using folder = await openForwardFolder();
  await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  await folder.take([reportWith("No lid", { game: demoGame }), reportWith("No door", { game: "saga" })]);
  await folder.server.have(1);
  await folder.take([reportWith("No roof", { game: "saga" })]);
  assert.doesNotMatch(JSON.stringify(await folder.server.have(2)), /No lid/);
});

test("a target gets only reports of its game while enabled, none of muted issues, and the first of a regression", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: "saga" });
  await folder.take([reportWith("No key", { game: "quest" }), reportWith("No door", { game: "saga" })]);
  await folder.server.have(1);
  const [issue] = (await folder.monitor.issues.list({ game: "saga" }, "count", null, 9)).issues;
  await folder.monitor.issues.change(issue?.id ?? "", { state: "muted" });
  await folder.take([reportWith("No door", { game: "saga", atMs: beganMs + 1_000 })]);
  folder.monitor.clock.ms = beganMs + 2_000;
  await folder.monitor.issues.change(issue?.id ?? "", { state: "resolved" });
  for (const s of [3, 4]) await folder.take([reportWith("No door", { game: "saga", atMs: beganMs + s * 1_000 })]);
  const [, back, again] = await folder.server.have(3);
  assert.ok(back && again);
  assert.deepEqual([eventIn(back), eventIn(again)].map(newsAndReports), [
    ["regressed", 2],
    ["more", 1],
  ]);
  assert.deepEqual([eventIn(back).extra?.count, eventIn(again).extra?.count], [3, 4]);
  await folder.change(id, { enabled: false });
  await folder.take([reportWith("No door", { game: "saga", atMs: beganMs + 9_000 })]);
  assert.equal((await folder.target()).waiting, 0);
  assert.deepEqual(folder.server.received.length, 3);
});

test("no request is sent before the time that a server asked for, even after a restart", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [
    { status: 429, headers: { "retry-after": "1", "x-sentry-rate-limits": "3600:error:key, 9:transaction:key" } },
  ];
  const { id } = await addSentry(folder);
  await folder.take([reportWith("No key"), reportWith("No door")]);
  const limited = await folder.target(({ waitsBecause }) => waitsBecause === "rate-limit");
  const askedMs = Date.parse(limited.waitsUntil ?? "") - (folder.server.received[0]?.atMs ?? 0);
  assert.ok(askedMs > 3_590_000 && askedMs < 3_610_000, `${askedMs} ms`);
  assert.match(textOf(limited.lastError ?? ""), /fewer requests \(429\)/);
  await folder.restart();
  assert.match(textOf((await folder.test(id)).says), /no test was sent/);
  assert.equal((await folder.target()).waiting, 2);
  assert.equal(folder.server.received.length, 1);
  folder.clock.ms = 3_700_000;
  await folder.restart();
  assert.equal((await folder.server.have(3)).length, 3);
  assert.equal((await folder.target(({ delivered }) => delivered === 2)).lastError, null);
});

test("a wait that began while the clock was a year ahead ends when the clock is corrected", async () => {
  for (const answer of [{ status: 503 }, { status: 429, headers: { "retry-after": "3600" } }]) {
    await using folder = await openForwardFolder();
    folder.clock.ms = 365 * 86_400_000;
    folder.server.script = [answer];
    const { id } = await addSentry(folder);
    await folder.take([reportWith("No key")]);
    await folder.target(({ waitsUntil }) => waitsUntil !== null);
    folder.clock.ms = 0;
    assert.equal((await folder.target()).waitsUntil, null);
    assert.equal((await folder.test(id)).ok, true);
    await folder.restart();
    await folder.target(({ delivered }) => delivered === 1);
  }
});

test("a server that asks for a wait of weeks is asked again after a day", async () => {
  const limits = { "x-sentry-rate-limits": `${30 * 86_400}:error:key` };
  for (const status of [200, 429]) {
    await using folder = await openForwardFolder();
    folder.server.script = [{ status, headers: limits }];
    const { id } = await addSentry(folder);
    const beforeMs = Date.now();
    if (status === 200) await folder.take([reportWith("No key")]);
    else await folder.test(id);
    const { waitsUntil } = await folder.target(({ waitsBecause }) => waitsBecause === "rate-limit");
    const waitMs = Date.parse(waitsUntil ?? "") - beforeMs;
    assert.ok(waitMs >= 86_400_000 && waitMs < 86_400_000 + 60_000, `${waitMs} ms`);
  }
});

test("a temporary failure is tried again with growing pauses and the same id, and nothing is lost", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 503 }, (response) => void response.destroy(), { status: 500 }];
  await addSentry(folder);
  const entry = reportWith("No key");
  await folder.take([entry]);
  const requests = await folder.server.have(4);
  assert.deepEqual(
    requests.map((request) => eventIn(request).event_id),
    Array(4).fill(idOf(entry.event.id)),
  );
  const pauses = requests.slice(1).map(({ atMs }, index) => atMs - (requests[index]?.atMs ?? 0));
  assert.ok(
    pauses.every((ms) => ms >= 990),
    pauses.join(", "),
  );
  const target = await folder.target(({ delivered }) => delivered === 1);
  assert.deepEqual([target.dropped, target.waiting, target.waitsUntil], [0, 0, null]);
});

test("a permanent refusal stops the target with a remedy, and enabling it resumes it", async () => {
  for (const [status, says] of [
    [401, /key/],
    [403, /is disabled/],
    [404, /Check the address/],
    [302, /does not follow redirects/],
  ] as const) {
    await using folder = await openForwardFolder();
    const elsewhere = { location: `http://127.0.0.1:${folder.server.port}/elsewhere` };
    folder.server.script = [
      { status, headers: elsewhere, body: `who is ${key}?` },
      { status, body: `who is ${key}?` },
    ];
    const { id } = await addSentry(folder);
    await folder.take([reportWith("No key")]);
    const target = await folder.target(({ stopped }) => stopped !== null);
    assert.match(textOf(target.stopped ?? ""), says);
    assert.deepEqual([target.waiting, folder.server.received.length], [1, 1]);
    const tested = await folder.test(id);
    assert.deepEqual([tested.ok, tested.status, tested.answer], [false, status, "who is <key>?"]);
    await folder.take([reportWith("No door")]);
    assert.equal((await folder.target()).waiting, 2, "new reports wait");
    await folder.change(id, { enabled: true });
    await folder.target(({ delivered, stopped }) => delivered === 2 && stopped === null);
  }
});

test("a report that a server refuses does not block the others", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 413 }, { status: 413 }, { status: 200 }];
  const { id } = await addSentry(folder);
  await folder.take([reportWith("Too large", { stackTrace }), reportWith("No key")]);
  const large = await folder.target(({ delivered }) => delivered === 1);
  assert.equal(large.dropped, 1);
  const [whole, stripped, next] = folder.server.received.map(eventIn);
  assert.deepEqual([whole?.event_id, stripped?.exception?.values?.[0]?.stacktrace], [stripped?.event_id, undefined]);
  assert.equal(stripped?.tags?.["kit.details"], "left-out");
  assert.match(folder.server.received[2]?.body ?? "", /"client_report".*\n.*"category":"error","quantity":1/);
  assert.equal(next?.contexts?.kit?.reports, 1);
  folder.server.script = [{ status: 400 }, { status: 400 }, { status: 400 }];
  await folder.take([reportWith("No door"), reportWith("No lamp")]);
  await folder.target(({ stopped }) => stopped !== null);
  await folder.change(id, { enabled: true });
  const target = await folder.target(({ delivered }) => delivered === 2);
  assert.deepEqual([target.dropped, target.waiting], [2, 0]);
});

test("an endless answer is cut off, and its status 200 counts", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [
    (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on("drain", more);
      more();
    },
  ];
  await addSentry(folder);
  await folder.take([reportWith("No key")]);
  await folder.target(({ delivered }) => delivered === 1);
});

test("a launcher that is killed after sending sends again with the same id", async () => {
  await using folder = await openForwardFolder();
  let answer: (() => void) | undefined;
  folder.server.script = [(response) => (answer = () => void response.end())];
  await addSentry(folder);
  const entry = reportWith("No key");
  await folder.take([entry]);
  await folder.server.have(1);
  await folder.restart(true);
  const requests = await folder.server.have(2);
  assert.deepEqual(
    requests.map((request) => eventIn(request).event_id),
    Array(2).fill(idOf(entry.event.id)),
  );
  answer?.();
  const target = await folder.target(({ waiting }) => waiting === 0);
  assert.deepEqual([target.delivered, target.dropped], [1, 0]);
});

/** The reports that the received messages stand for; a repeat of an id counts once, as at a server. */
const reportsAt = ({ server }: ForwardFolder) => {
  const byId = new Map(server.received.map((request) => eventIn(request)).map((event) => [event.event_id, event]));
  return [...byId.values()].reduce((sum, { contexts }) => sum + Number(contexts?.kit?.reports), 0);
};
const equalReports = (n: number, message = "No key", from = 0) =>
  Array.from({ length: n }, (_, index) => reportWith(message, { stackTrace, atMs: beganMs + (from + index) * 100 }));

test("2,000 equal reports become a few messages, which state 2,000 reports together, whatever is repeated", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 200 }, (response) => void response.destroy(), { status: 503 }];
  await addSentry(folder);
  for (let sent = 0; sent < 2_000; sent += 250) await folder.take(equalReports(250, "No key", sent));
  const { dropped, waiting } = await folder.target(({ delivered }) => delivered === 2_000);
  assert.deepEqual([reportsAt(folder), dropped, waiting], [2_000, 0, 0]);
  assert.ok(folder.server.received.length < 40, `${folder.server.received.length} requests`);
  const last = eventIn(folder.server.received.at(-1) ?? assert.fail());
  assert.deepEqual(
    [last.contexts?.kit?.total, last.tags?.["kit.reports"]],
    [2_000, String(last.contexts?.kit?.reports)],
  );
});

test("a server that was told of reports before an old copy of the data came back drops the message as a repeat", async () => {
  await using folder = await openForwardFolder();
  await addSentry(folder);
  await folder.take(equalReports(2));
  await folder.target(({ delivered }) => delivered === 2);
  await folder.take(equalReports(5));
  await folder.target(({ delivered }) => delivered === 7);
  await folder.monitor.storage.write(
    sql`UPDATE forward_count SET told = 2, untold = 5, told_number = 2`,
    sql`DELETE FROM issue_sample WHERE number > 2`,
  );
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 12);
  assert.equal(reportsAt(folder), 7);
});

test("each build is told with its own number; environment and installation are sent only as a person decided", async () => {
  await using folder = await openForwardFolder();
  const { id, installation } = await folder.add({
    kind: "sentry",
    address: folder.dsn,
    game: null,
    environment: "playtest",
  });
  assert.equal(installation, null);
  const of = (build: string, n: number) =>
    Array.from({ length: n }, () => reportWith("No key", { stackTrace, game: "saga", build }));
  await folder.take([...of("1.4", 3), ...of("1.5 beta", 4)]);
  const first = (await folder.server.have(2)).map(eventIn);
  assert.deepEqual(
    first
      .map(({ release, environment, user, contexts }) => [release, environment, user, contexts?.kit?.reports])
      .sort(),
    [
      ["saga@1.4", "playtest", undefined, 3],
      ["saga@1.5-beta", "playtest", undefined, 4],
    ],
  );
  const made = (await folder.change(id, { installation: "new" })).installation;
  const renewed = (await folder.change(id, { installation: "new", environment: null })).installation;
  assert.ok(made !== null && renewed !== null && made !== renewed);
  await folder.take(of("1.4", 5));
  const [, , growth] = (await folder.server.have(3)).map(eventIn);
  assert.deepEqual(
    [growth?.user, growth?.environment, growth?.contexts?.kit?.reports],
    [{ id: renewed }, undefined, 5],
  );
  assert.equal((await folder.change(id, { installation: "none" })).installation, null);
});

test("a target gets at most two requests a second", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 60_000 } });
  await addSentry(folder);
  await folder.take(["No key", "No door", "No lamp", "No rope"].flatMap((message) => equalReports(500, message)));
  await folder.server.have(4);
  const { arrivedMs } = folder.server;
  const threeTakeMs = arrivedMs.slice(2).map((ms, index) => ms - (arrivedMs[index] ?? 0));
  assert.ok(threeTakeMs.length >= 3 && threeTakeMs.every((ms) => ms >= 1_000), threeTakeMs.join(", "));
});

test("while a server is down, the queue stays small, and afterwards the counts are exact", async () => {
  const limits = { rowsMax: 3, bytesMax: 300, growthEveryMs: 20, pauseMs: 0 };
  await using folder = await openForwardFolder({ limits });
  folder.server.script = [{ status: 503, headers: { "retry-after": "3600" } }];
  await addSentry(folder);
  const kinds = ["No key", "No door", "No lamp", "No rope"];
  for (let round = 0; round < 8; round += 1) for (const kind of kinds) await folder.take(equalReports(25, kind, round));
  const { waiting, waitingBytes } = await folder.target((target) => target.waitingBytes <= 300);
  assert.equal(waiting, 800);
  assert.ok(waitingBytes > 0);
  const [held] = await folder.monitor.rows(sql`SELECT count(*) AS n, sum(stripped) AS s FROM forward_report`);
  assert.ok(Number(held?.n) <= 4 && Number(held?.s) > 0, JSON.stringify(held));
  folder.clock.ms = 3_700_000;
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 800);
  assert.equal(reportsAt(folder), 800);
});

test("reports of an issue that is deleted before they are told count as dropped", async () => {
  await using folder = await openForwardFolder({ limits: { growthEveryMs: 60_000, pauseMs: 0 } });
  await addSentry(folder);
  await folder.take(equalReports(1));
  await folder.take(equalReports(9));
  await folder.target(({ delivered, waiting }) => delivered === 1 && waiting === 9);
  await folder.monitor.storage.write(sql`DELETE FROM issue`);
  const { delivered, waiting, dropped } = await folder.target();
  assert.deepEqual([delivered, waiting, dropped], [1, 0, 9]);
});

test("a web page that answers 200 is no delivery", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 200, body: "<!doctype html><title>Sign in</title>" }];
  await addSentry(folder);
  await folder.take([reportWith("No key")]);
  const target = await folder.target(({ lastError }) => lastError !== null);
  assert.deepEqual([target.delivered, target.waiting], [0, 1]);
  assert.match(textOf(target.lastError ?? ""), /web page/);
  await folder.target(({ delivered }) => delivered === 1);
});

test("requests are compressed, share a connection, and state the server's time if the clock is wrong", async () => {
  await using folder = await openForwardFolder();
  folder.clock.ms = 365 * 86_400_000;
  await addSentry(folder);
  await folder.take([reportWith("No key", { stackTrace: stackTrace.repeat(20) })]);
  await folder.server.have(1);
  await folder.take([reportWith("No door", { atMs: beganMs, stackTrace: stackTrace.repeat(20) })]);
  const [one, two] = await folder.server.have(2);
  assert.ok(one && two);
  assert.deepEqual([one.headers["content-encoding"], one.port], ["gzip", two.port]);
  for (const each of [one, two]) {
    assert.ok(Math.abs(Number(eventIn(each).timestamp) * 1_000 + folder.clock.ms - beganMs) < 60_000);
    const sentAt = (parseEnvelope(each.body)[0] as { sent_at?: string }).sent_at ?? "";
    assert.ok(Math.abs(Date.parse(sentAt) - each.atMs) < 60_000, sentAt);
  }
});
