// Tests of invitations: only what a person agreed to leaves the computer, and they can see what did.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Invitation, sentRequestCharsMax, sentRequestsMax } from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { type ForwardFolder, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
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
  const changed = { ...invitation, text: "For the playtest, kept for ever." };
  const other = await folder.accept({
    invitation: changed,
    reports: true,
    earlierEvents: false,
    installation: false,
    videos: false,
  });
  assert.notEqual(other.id, first.id);
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

test("switching off ends a request that is running, and nothing follows", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.accept({
    invitation: invitationTo(folder),
    reports: true,
    earlierEvents: false,
    installation: false,
    videos: false,
  });
  const closed = Promise.withResolvers<void>();
  folder.server.script = [(_, request) => void request.socket.once("close", () => closed.resolve())];
  await folder.take([reportWith("No key")]);
  await folder.server.have(1);
  const beganAt = performance.now();
  await folder.change(id, { enabled: false });
  await closed.promise;
  // Without an abort, the request would wait ten seconds for its answer.
  assert.ok(performance.now() - beganAt < 5_000);
  await folder.take([reportWith("No door")]);
  await folder.change(id, { environment: null });
  assert.equal(folder.server.received.length, 1);
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

test("a refused request is listed as refused", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  folder.server.script = [{ status: 413 }, { status: 413 }];
  await folder.take([reportWith("No key")]);
  await folder.target(({ dropped }) => dropped === 1);
  assert.deepEqual(
    (await folder.sent(id)).map(({ accepted, reports }) => [accepted, reports]),
    [[false, 1]],
  );
});
