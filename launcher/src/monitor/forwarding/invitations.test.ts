// Tests of invitations: only what a person agreed to leaves the computer, and they can see what did.
import assert from "node:assert/strict";
import {
  type ForwardTarget,
  forwardDecisionsMax,
  forwardTargetsMax,
  type Invitation,
  type KitError,
  sentRequestCharsMax,
  sentRequestsMax,
} from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { type ForwardFolder, key, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import type { Received } from "../../../test/monitor/forwarding-server.ts";
import { beganMs, reportWith } from "../../../test/monitor/monitor-folder.ts";
import { createIssueExportStore } from "../issues/issue-export-store.ts";

const eventIn = ({ body }: Received): Event => (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event;
const invitationTo = (folder: ForwardFolder): Invitation => ({
  version: 1,
  studio: "Lantern Games",
  text: "For the playtest.",
  kind: "sentry",
  address: folder.dsn,
  game: null,
  environment: "playtest",
  asks: ["earlierEvents", "installation", "videos"],
});

test("nothing is sent before a person agrees, and then only what each switch allows", async () => {
  for (const earlierEvents of [false, true]) {
    for (const installation of [false, true]) {
      await using folder = await openForwardFolder();
      folder.monitor.before = [
        { ...reportWith("Opened the gate").event, actsOn: new Date(beganMs - 1_000).toISOString() },
      ];
      await folder.take([reportWith("Before anybody agreed")]);
      assert.equal(folder.server.received.length, 0);
      const target = await folder.accept({
        invitation: invitationTo(folder),
        reports: true,
        earlierEvents,
        installation,
        videos: false,
      });
      await folder.take([reportWith("No key")]);
      const [request] = await folder.server.have(1);
      assert.ok(request);
      const event = eventIn(request);
      const { values } = event.breadcrumbs as unknown as { values: unknown[] };
      assert.deepEqual(
        [values.length, event.user?.id, event.environment, event.exception?.values?.[0]?.value],
        [Number(earlierEvents), target.installation ?? undefined, "playtest", "No key"],
      );
      assert.equal(target.installation !== null, installation);
      assert.equal(request.body.includes("Opened the gate"), earlierEvents);
      await folder.target(({ delivered }) => delivered === 1);
      assert.equal(folder.server.received.length, 1, "nothing of the time before is sent");
    }
  }
});

test("a report from before the consent is not sent, even if the same error occurs again", async () => {
  await using folder = await openForwardFolder();
  const [before, after] = [0, 1_000].map((laterMs) => reportWith("No key", { atMs: beganMs + laterMs }));
  assert.ok(before && after);
  await folder.take([before]);
  await folder.accept({
    invitation: invitationTo(folder),
    reports: true,
    earlierEvents: false,
    installation: false,
    videos: false,
  });
  await folder.take([after]);
  const [request] = await folder.server.have(1);
  assert.ok(request);
  const { event_id, timestamp } = eventIn(request);
  assert.deepEqual([event_id, timestamp], [after.event.id.replaceAll("-", ""), (beganMs + 1_000) / 1_000]);
});

test("the decision is kept with its time and the text, and the same invitation changes its target instead of adding another", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const first = await folder.accept({
    invitation,
    reports: true,
    earlierEvents: false,
    installation: true,
    videos: false,
  });
  const { studio, text, version, decidedAt } = first.consent ?? {};
  assert.deepEqual([studio, text], ["Lantern Games", "For the playtest."]);
  assert.match(version ?? "", /^[0-9a-f]{64}$/);
  assert.ok(Math.abs(Date.parse(decidedAt ?? "") - Date.now()) < 60_000);
  await folder.change(first.id, { enabled: false });
  const reordered = Object.fromEntries(Object.entries(invitation).toReversed()) as Invitation;
  const again = await folder.accept({
    invitation: reordered,
    reports: true,
    earlierEvents: true,
    installation: true,
    videos: false,
  });
  assert.deepEqual(
    [again.id, again.enabled, again.earlierEvents, again.installation],
    [first.id, true, true, first.installation],
  );
});

test("a server has one target for a game, whatever its invitations say, so that withdrawing one of them ends the reports", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const chosen = { reports: true, earlierEvents: true, installation: false, videos: true };
  const first = await folder.accept({ invitation, ...chosen });
  const changed = { ...invitation, text: "For the playtest, kept for ever.", environment: "next" };
  assert.equal((await folder.check(changed)).target?.id, first.id);
  const fewer = await folder.accept({ invitation: changed, ...chosen, earlierEvents: false });
  const { id, earlierEvents, environment, consent } = fewer;
  assert.deepEqual([id, earlierEvents, environment, consent?.text], [first.id, false, "next", changed.text]);
  const own = await folder.add({ kind: "sentry", address: folder.dsn, game: null, environment: null });
  const ofGame = await folder.accept({ invitation: { ...invitation, game: "saga" }, ...chosen });
  const elsewhere = { ...invitation, address: folder.dsn.replace(/7$/, "8") };
  const ofProject = await folder.accept({ invitation: elsewhere, ...chosen });
  assert.equal(new Set([first.id, own.id, ofGame.id, ofProject.id]).size, 4);
  for (const one of [own, ofGame, ofProject]) await folder.remove(one.id);
  await folder.accept({ invitation, ...chosen, reports: false, videos: false });
  await folder.take([reportWith("No key")]);
  await folder.restart();
  const [left, ...others] = await folder.targets();
  assert.deepEqual([left?.enabled, left?.videos, others], [false, false, []]);
  assert.deepEqual(folder.server.received, []);
});

test("two studios whose collectors are on one host each have a target of their own", async () => {
  await using folder = await openForwardFolder();
  const chosen = { reports: true, earlierEvents: false, installation: false, videos: false };
  const { origin } = new URL(folder.dsn);
  const accept = (path: string, studio = path) =>
    folder.accept({
      invitation: { ...invitationTo(folder), kind: "otlp", address: `${origin}/${path}`, studio, asks: [] },
      ...chosen,
    });
  const [one, other] = [await accept("lantern"), await accept("harbour")];
  assert.notEqual(one.id, other.id);
  assert.equal(
    (await accept("lantern", "Lantern")).id,
    one.id,
    "a server has one consent, whatever its studio is called",
  );
  await accept("lantern");
  assert.deepEqual(
    (await folder.targets()).map(({ consent }) => consent?.studio),
    ["lantern", "harbour"],
  );
});

test("the consent says which switches were accepted, and each later change of a switch is kept, newest first and within a limit", async () => {
  await using folder = await openForwardFolder();
  const chosen = { reports: true, earlierEvents: false, installation: true, videos: false };
  const first = await folder.accept({ invitation: invitationTo(folder), ...chosen });
  assert.deepEqual([first.consent?.switches, first.decisions], [chosen, []]);
  folder.clock.ms = 60_000;
  const { decisions } = await folder.change(first.id, { videos: true, installation: "new", earlierEvents: false });
  assert.deepEqual(
    decisions.map((one) => [one.switch, one.on]),
    [["videos", true]],
    "the others did not change",
  );
  assert.ok(Date.parse(decisions[0]?.at ?? "") - Date.parse(first.consent?.decidedAt ?? "") >= 60_000);
  await folder.change(first.id, { enabled: false, installation: "none", earlierEvents: true });
  await folder.restart();
  const later = await folder.target();
  assert.deepEqual(
    later.decisions.map((one) => `${one.switch} ${one.on}`).toSorted(),
    ["earlierEvents true", "installation false", "reports false", "videos true"],
    "the newest are first",
  );
  assert.equal(later.decisions.at(-1)?.switch, "videos");
  assert.deepEqual(later.consent, first.consent, "what was accepted stays as it was");
  const again = { reports: true, earlierEvents: false, installation: false, videos: true };
  const renewed = await folder.accept({ invitation: invitationTo(folder), ...again });
  assert.deepEqual(renewed.consent?.switches, again);
  assert.deepEqual(
    renewed.decisions
      .slice(0, 2)
      .map((one) => `${one.switch} ${one.on}`)
      .toSorted(),
    ["earlierEvents false", "reports true"],
  );
  for (let i = 0; i < forwardDecisionsMax + 5; i += 1) await folder.change(first.id, { videos: i % 2 === 1 });
  assert.equal((await folder.target()).decisions.length, forwardDecisionsMax);
});

test("the same invitation also switches its reports off, and restores the game and environment that it asks for", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const nothing = { earlierEvents: false, installation: false, videos: false };
  await assert.rejects(folder.accept({ invitation, reports: false, ...nothing }), /reports/);
  const { id, consent } = await folder.accept({ invitation, reports: true, ...nothing });
  await folder.change(id, { game: "saga", environment: null });
  folder.clock.ms = 60_000;
  const off = await folder.accept({ invitation, reports: false, ...nothing });
  assert.deepEqual([off.id, off.enabled, off.game, off.environment], [id, false, null, "playtest"]);
  assert.ok(Date.parse(off.consent?.decidedAt ?? "") > Date.parse(consent?.decidedAt ?? ""));
  const moved = await folder.change(id, { address: folder.dsn.replace(/7$/, "8") });
  assert.equal(moved.consent, null, "the studio did not ask for this server");
});

test("the same invitation restores its key and how the server is contacted, whatever became of them", async () => {
  const invitedKey = "fedcba9876543210fedcba9876543210";
  const chosen = { reports: true, earlierEvents: false, installation: true, videos: false };
  const ways: Record<string, (folder: ForwardFolder, target: ForwardTarget) => unknown> = {
    "another key": (folder, { id }) => folder.change(id, { address: folder.dsn }),
    "the transport": (folder, { id }) => folder.change(id, { withoutTls: true }),
    "a key that the keyring lost": (folder) => folder.secrets.clear(),
    "a damaged key": ({ secrets }) => {
      for (const name of secrets.keys()) secrets.set(name, "{");
    },
  };
  for (const [name, lose] of Object.entries(ways)) {
    await using folder = await openForwardFolder();
    const invitation = { ...invitationTo(folder), address: folder.dsn.replace(key, invitedKey) };
    const first = await folder.accept({ invitation, ...chosen });
    const stored = () => [...folder.secrets.values()].map((kept) => Object.values(JSON.parse(kept))[0]);
    const before = stored();
    await lose(folder, first);
    const again = await folder.accept({ invitation, ...chosen });
    assert.deepEqual([again.id, again.installation, stored()], [first.id, first.installation, before], name);
    await folder.take([reportWith("No key")]);
    const [request] = await folder.server.have(1);
    assert.match(String(request?.headers["x-sentry-auth"]), new RegExp(invitedKey), name);
    await lose(folder, again);
    const kept = [...folder.secrets];
    await folder.accept({ invitation, ...chosen, reports: false });
    assert.deepEqual([...folder.secrets], kept, `${name}: who withdraws changes no key`);
  }
});

test("what an invitation does not ask for, or its server does not take, cannot be accepted", async () => {
  await using folder = await openForwardFolder();
  const invitation = { ...invitationTo(folder), asks: [] };
  const nothing = { reports: true, earlierEvents: false, installation: false, videos: false };
  for (const ask of ["earlierEvents", "installation", "videos"])
    await assert.rejects(folder.accept({ invitation, ...nothing, [ask]: true }), new RegExp(ask));
  const collector = { ...invitationTo(folder), kind: "otlp" as const, address: "http://127.0.0.1:4318" };
  await assert.rejects(folder.accept({ invitation: collector, ...nothing }), /asks/);
  assert.equal(
    (await folder.accept({ invitation: { ...collector, asks: ["installation"] }, ...nothing })).kind,
    "otlp",
  );
});

test("what is wrong with an invitation is named by its place in it", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const bucket = { endpoint: "http://127.0.0.1:1", region: "eu", name: "lantern", prefix: "", hostStyle: false };
  const cases: [Partial<Invitation>, string][] = [
    [{ address: "https://example.com/1" }, "address"],
    [{ address: "ftp://example.com/1" }, "address"],
    [{ address: `http://${key}@example.com/1` }, "address"],
    [{ address: `https://${key}:word@example.com/1` }, "address"],
    [{ kind: "otlp", asks: [], address: "https://example.com/?key=1" }, "address"],
    [{ kind: "otlp", asks: [], address: `https://${key}@example.com` }, "address"],
    [{ certificate: "-----BEGIN CERTIFICATE-----" }, "certificate"],
    [{ kind: "otlp" as const, address: "https://example.com" }, "asks"],
    [{ asks: [], bucket }, "bucket"],
    [{ bucket: { ...bucket, endpoint: "http://example.com" } }, "bucket/endpoint"],
  ];
  for (const [change, field] of cases)
    await assert.rejects(folder.check({ ...invitation, ...change }), ({ errors }: KitError) => {
      assert.deepEqual(
        errors.map(({ path }) => path),
        [`/invitation/${field}`],
        JSON.stringify(change),
      );
      return true;
    });
});

test("a target that is narrowed to one game gets nothing of other games any more, and is not told of them", async () => {
  await using folder = await openForwardFolder();
  folder.server.script = [{ status: 503, headers: { "retry-after": "3600" } }];
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  const take = (game: string) => folder.take([reportWith(`No ${game}`, { game })]);
  for (const game of ["quest", "saga", "quest"]) await take(game);
  await folder.target(({ waitsBecause, waiting }) => waitsBecause === "rate-limit" && waiting === 3);
  const { waiting, dropped } = await folder.change(id, { game: "saga" });
  assert.deepEqual([waiting, dropped], [1, 2]);
  folder.clock.ms = 3_700_000;
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 1);
  await folder.change(id, { game: null });
  await take("quest");
  await folder.target(({ delivered }) => delivered === 2);
  const [, saga, quest] = folder.server.received;
  assert.ok(saga && quest && !saga.body.includes("quest") && !saga.body.includes("client_report"));
  const { tags } = eventIn(quest);
  assert.deepEqual([tags?.["kit.news"], tags?.["kit.reports"]], ["new", "1"]);
});

test("what was sent is kept word for word, newest first, within limits, and not beyond the data of its game", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  const count = sentRequestsMax + 5;
  await folder.take([reportWith("x".repeat(100_000), { game: "saga" })]);
  for (let i = 1; i < count; i += 1) await folder.take([reportWith(`No key ${"i".repeat(i)}`, { game: "saga" })]);
  await folder.target(({ delivered }) => delivered === count);
  const sent = await folder.sent(id);
  assert.deepEqual(
    sent.map(({ body }) => body),
    folder.server.received
      .map(({ body }) => body.slice(0, sentRequestCharsMax))
      .slice(-sentRequestsMax)
      .toReversed(),
  );
  assert.ok(sent.every(({ accepted, messages, body, chars }) => accepted && messages === 1 && body.length <= chars));
  await folder.monitor.storage.write(...createIssueExportStore(folder.monitor.storage).deleteGame("quest"));
  assert.equal((await folder.sent(id)).length, sentRequestsMax);
  await folder.monitor.storage.write(...createIssueExportStore(folder.monitor.storage).deleteGame("saga"));
  assert.deepEqual(await folder.sent(id), []);
});

test("each request that left is listed, whatever was answered, and one that reached no server is not", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  folder.server.script = [
    { status: 500 },
    { status: 413 },
    { status: 401 },
    { status: 200 },
    (response) => response.destroy(),
  ];
  await folder.take([reportWith("No key")]);
  await folder.target(({ stopped }) => stopped !== null);
  await folder.test(id);
  const target = await folder.target(({ delivered }) => delivered === 1);
  assert.equal(target.dropped, 0);
  const sent = await folder.sent(id);
  assert.deepEqual(
    sent.map(({ body }) => body),
    folder.server.received.map(({ body }) => body).toReversed(),
  );
  assert.deepEqual(sent.map(({ accepted, reports }) => [accepted, reports]).toReversed(), [
    [false, 1],
    [false, 1],
    [false, 1],
    [true, 0],
    [false, 1],
    [true, 1],
  ]);
  folder.server.script = [() => undefined];
  await folder.take([reportWith("No door")]);
  await folder.server.have(sent.length + 1);
  await folder.change(id, { enabled: false });
  assert.deepEqual(
    (await folder.sent(id)).map(({ accepted }) => accepted).slice(0, 2),
    [false, true],
    "it was cut off",
  );
  const { id: away } = await folder.add({
    kind: "sentry",
    address: folder.dsn.replace(/:\d+\/7$/, ":1/7"),
    game: null,
  });
  assert.equal((await folder.test(away)).ok, false);
  assert.deepEqual(await folder.sent(away), []);
});

test("an invitation that is accepted several times at once has one target, with one key, and switching it off ends all of it", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const chosen = { reports: true, earlierEvents: false, installation: true, videos: false };
  const accepted = await Promise.all(Array.from({ length: 6 }, () => folder.accept({ invitation, ...chosen })));
  assert.equal(new Set(accepted.map(({ id }) => id)).size, 1);
  assert.deepEqual([folder.secrets.size, (await folder.targets()).length], [1, 1]);
  await folder.take([reportWith("No key")]);
  const { id } = await folder.target(({ delivered }) => delivered === 1);
  await folder.change(id, { enabled: false });
  await folder.take([reportWith("No door")]);
  await folder.restart();
  assert.equal(folder.server.received.length, 1);
});

test("no number of calls at once passes the limit of targets, and what is refused leaves no key", async () => {
  await using folder = await openForwardFolder();
  const invitation = invitationTo(folder);
  const chosen = { reports: true, earlierEvents: false, installation: false, videos: false };
  const calls = Array.from({ length: 2 * forwardTargetsMax }, (_, at) =>
    at % 2 === 0
      ? folder.add({ kind: "sentry", address: folder.dsn, game: null })
      : folder.accept({ invitation: { ...invitation, text: `Playtest ${at}` }, ...chosen }),
  );
  const results = await Promise.allSettled(calls);
  const added = results.filter(({ status }) => status === "fulfilled");
  const counts = [added.length, folder.secrets.size, (await folder.targets()).length];
  assert.deepEqual(counts, [forwardTargetsMax, forwardTargetsMax, forwardTargetsMax]);
});
