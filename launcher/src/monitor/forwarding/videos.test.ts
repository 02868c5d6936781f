// Tests of the videos of errors: which are sent, in which form, when they are not, and that reports never wait for them.
import assert from "node:assert/strict";
import { forwardedVideosPerDayMax, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { invitationTo, startForwardServer } from "../../../test/monitor/forwarding-server.ts";
import { reportWith } from "../../../test/monitor/monitor-folder.ts";
import { openVideoFolder, type VideoFolder } from "../../../test/monitor/video-folder.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";
import { connectToServer } from "./server-connection.ts";

const dayMs = 86_400_000;
const eventsOf = (folder: VideoFolder) => folder.uploads().map(({ video }) => video?.event);
const idOf = (event: string) => event.replaceAll("-", "");

test("the clip of an error is sent once, as an attachment to its report, whichever of the two is first", async () => {
  await using folder = await openVideoFolder();
  const first = await folder.report("No key");
  folder.clips.set(first, { state: "pending" });
  folder.clipsChanged();
  const early = reportWith("No door");
  folder.save(early.event.id, 70_000);
  assert.deepEqual(folder.uploads(), []);
  await folder.take([early]);
  await folder.videos(({ sent }) => sent === 1);
  folder.save(first);
  const state = await folder.videos(({ sent }) => sent === 2);
  assert.deepEqual([state?.waiting, state?.unsent, state?.lastError], [0, 0, null]);
  assert.deepEqual(eventsOf(folder), [early.event.id, first].map(idOf));
  const [{ video, headers, url } = assert.fail()] = folder.uploads();
  assert.deepEqual(video?.item, {
    type: "attachment",
    length: 70_000,
    filename: "error.mp4",
    content_type: "video/mp4",
  });
  assert.equal(video?.file.toString("utf8", 0, 36), early.event.id);
  assert.deepEqual([url, headers["content-type"]], ["/api/7/envelope/", "application/x-sentry-envelope"]);
  folder.clipsChanged();
  await folder.restart();
  await folder.report("No key");
  assert.equal(folder.uploads().length, 2);
});

test("nothing is sent before a person agrees, of a clip that is gone, or of an error that the server did not confirm", async () => {
  await using folder = await openVideoFolder();
  await folder.change(folder.id, { videos: false });
  folder.save(await folder.report("No key"));
  await folder.change(folder.id, { videos: true });
  folder.server.holds = true;
  const unconfirmed = reportWith("No door");
  folder.save(unconfirmed.event.id);
  await folder.take([unconfirmed]);
  await until("the report is on its way", () => folder.server.held.length > 0);
  folder.clips.set(unconfirmed.event.id, { state: "none", reason: message("footage.clip_in_trash") });
  folder.server.holds = false;
  await folder.restart();
  await folder.target(({ delivered }) => delivered === 2);
  const gone = await folder.report("No lamp");
  folder.clock.ms = 100;
  folder.server.videoScript = [{ status: 503 }];
  folder.save(gone);
  await folder.videos(({ lastError }) => lastError !== null);
  folder.clips.set(gone, { state: "none", reason: message("footage.clip_in_trash") });
  folder.clipsChanged();
  const state = await folder.videos(({ unsent }) => unsent === 1);
  assert.match(textOf(state?.unsentBecause ?? ""), /trash/);
  assert.deepEqual([state?.sent, state?.waiting], [0, 0]);
  assert.deepEqual(eventsOf(folder), [idOf(gone)]);
});

test("a video that is being sent is counted, even if a newer one of its issue begins to wait", async () => {
  await using folder = await openVideoFolder();
  folder.save(await folder.report("No key"));
  await folder.videos(({ sent }) => sent === 1);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  folder.server.videoScript = [(response) => void answered.then(() => response.end("{}"))];
  folder.save(await folder.report("No key"));
  await until("the second is on its way", () => folder.uploads().length === 2);
  folder.save(await folder.report("No key"));
  await folder.videos(({ waiting }) => waiting === 2);
  answer();
  await folder.videos(({ sent, waiting }) => sent === 2 && waiting === 1);
  const kept = sql`SELECT count(*) AS n FROM forward_video WHERE state = 'sent'`;
  assert.deepEqual([await folder.monitor.rows(kept), folder.uploads().length], [[{ n: 2 }], 2]);
});

test("of an issue in a build the first and the newest clip are sent, and at most one a day after that", async () => {
  await using folder = await openVideoFolder();
  folder.server.videoScript = [{ status: 429, headers: { "x-sentry-rate-limits": "3600:attachment:key" } }];
  const events: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    events.push(await folder.report("No key"));
    folder.save(events.at(-1) ?? "");
    const newest = sql`SELECT event FROM forward_video WHERE state = 'waiting' ORDER BY seq DESC LIMIT 1`;
    await until("it waits", async () => (await folder.monitor.rows(newest))[0]?.event === events.at(-1));
  }
  await folder.videos(({ waitsBecause }) => waitsBecause === "rate-limit");
  folder.clock.ms = 3_700_000;
  await folder.restart();
  await folder.videos(({ sent }) => sent === 2);
  const [first = "", , , newest = ""] = events;
  assert.deepEqual(eventsOf(folder), [first, first, newest].map(idOf));
  const later = await folder.report("No key");
  folder.save(later);
  const waiting = await folder.videos((state) => state.waiting === 1);
  assert.equal(waiting?.sent, 2);
  folder.clock.ms += dayMs + 1_000;
  await folder.restart();
  await folder.videos(({ sent }) => sent === 3);
  assert.equal(eventsOf(folder).at(-1), idOf(later));
});

test("of reports that are told together, the newest with a finished clip is sent with it, then one whose clip is still made", async () => {
  await using folder = await openVideoFolder({ deps: { limits: { growthEveryMs: 3_600_000, pauseMs: 0 } } });
  /** Kit requests the clip of the first report of a run. */
  const run = (sender: number, reports: number) =>
    Array.from({ length: reports }, () => ({ ...reportWith("No key"), sender }));
  const told = async (state: number) => {
    const { delivered, waiting } = await folder.target();
    // Switching on tells the growth at once.
    await folder.change(folder.id, { enabled: true });
    await folder.target((target) => target.delivered === delivered + waiting && target.waiting === 0);
    await folder.videos(({ sent }) => sent === state);
    return (
      parseEnvelope(folder.server.received.findLast(({ video }) => video === undefined)?.body ?? "") as EventEnvelope
    )[0].event_id;
  };
  const [first] = run(1, 1);
  assert.ok(first);
  folder.save(first.event.id);
  await folder.take([first]);
  await folder.videos(({ sent }) => sent === 1);
  const [second, ...more] = run(2, 5);
  assert.ok(second);
  folder.save(second.event.id);
  await folder.take([second]);
  for (const one of more) await folder.take([one]);
  assert.equal(await told(2), idOf(second.event.id));
  // In one batch; the clip of a later run is not finished, and the clip of the last one is none.
  const [third, fourth, fifth] = [3, 4, 5].map((sender) => run(sender, 3));
  assert.ok(third?.[0] && fourth?.[0] && fifth);
  folder.clips.set(fourth[0].event.id, { state: "pending" });
  folder.save(third[0].event.id);
  await folder.take([...third, ...fourth, ...fifth]);
  assert.equal(await told(2), idOf(third[0].event.id));
  folder.clock.ms += dayMs + 1_000;
  await folder.restart();
  await folder.videos(({ sent }) => sent === 3);
  await folder.take(run(4, 2));
  assert.equal(await told(3), idOf(fourth[0].event.id));
  folder.save(fourth[0].event.id);
  folder.clock.ms += dayMs + 1_000;
  await folder.restart();
  await folder.videos(({ sent }) => sent === 4);
  assert.deepEqual(
    eventsOf(folder),
    [first, second, third[0], fourth[0]].map(({ event }) => idOf(event.id)),
  );
});

test("a target gets a limited number of videos a day, and the others follow the next day", async () => {
  await using folder = await openVideoFolder();
  const letters = [..."abcdefghijklmnopqrstuvwxyz"].slice(0, forwardedVideosPerDayMax + 1);
  for (const letter of letters) folder.save(await folder.report(`Room ${letter.repeat(5)} has no door`));
  await folder.videos(({ sent, waiting }) => sent === forwardedVideosPerDayMax && waiting === 1);
  assert.equal(folder.uploads().length, forwardedVideosPerDayMax);
  folder.clock.ms = dayMs;
  await folder.restart();
  await folder.videos(({ sent, waiting }) => sent === forwardedVideosPerDayMax + 1 && waiting === 0);
});

test("a video that the server refuses as too large is made smaller once, and the next one fits from the start", async () => {
  await using folder = await openVideoFolder();
  folder.server.videoScript = [{ status: 413 }, { status: 413 }];
  folder.save(await folder.report("No key"), 8_000_000);
  const state = await folder.videos(({ unsent }) => unsent === 1);
  assert.match(textOf(state?.unsentBecause ?? ""), /2\.0 MB as too large \(413\)/);
  assert.deepEqual(
    folder.uploads().map(({ video }) => video?.file.length),
    [8_000_000, 2_000_000],
  );
  const toldOf = () => /"client_report"\}\n(.*)/.exec(folder.server.received.at(-1)?.body ?? "")?.[1] ?? "{}";
  const door = await folder.report("No door");
  const lost = { reason: "send_error", category: "attachment", quantity: 2_000_000 };
  assert.deepEqual(JSON.parse(toldOf()).discarded_events, [lost]);
  await folder.report("No rope");
  assert.equal(toldOf(), "{}", "it was told once");
  folder.save(door, 8_000_000);
  await folder.videos(({ sent }) => sent === 1);
  assert.equal(folder.uploads().at(-1)?.video?.file.length, 500_000);
  await folder.change(folder.id, { videos: true });
  folder.save(await folder.report("No lamp"), 30_000_000);
  await folder.videos(({ sent }) => sent === 2);
  assert.equal(folder.uploads().at(-1)?.video?.file.length, 19_999_000);
});

test("a clip of which no copy can be made is given up, and the next video follows", async () => {
  await using folder = await openVideoFolder();
  const broken = await folder.report("No key");
  folder.save(broken, 0);
  folder.save(await folder.report("No door"));
  const state = await folder.videos(({ sent, unsent }) => sent === 1 && unsent === 1);
  assert.match(textOf(state?.unsentBecause ?? ""), /It is damaged/);
  assert.deepEqual([state?.waiting, folder.uploads().length], [0, 1]);
});

test("a server that fails or limits videos gets them later, after a crash too, and reports do not wait", async () => {
  await using folder = await openVideoFolder();
  folder.server.videoScript = [{ status: 503 }, (response) => void response.destroy()];
  folder.save(await folder.report("No key"));
  await folder.videos(({ waitsBecause }) => waitsBecause === "failure");
  await folder.report("No door");
  await folder.restart(true);
  await folder.videos(({ sent }) => sent === 1);
  assert.equal(folder.uploads().length, 3);
  // A limit that the answer to a report names counts too.
  folder.server.script = [{ status: 200, headers: { "x-sentry-rate-limits": "60:attachment:key" } }];
  folder.save(await folder.report("No lamp"));
  const limited = await folder.videos(({ waiting }) => waiting === 1);
  assert.equal(limited?.waitsBecause, "rate-limit");
  await folder.report("No rope");
  assert.deepEqual([folder.uploads().length, (await folder.target()).waitsUntil], [3, null]);
  folder.server.videoScript = [{ status: 403 }];
  folder.clock.ms = 61_000;
  await folder.restart();
  const stopped = await folder.videos((state) => state.stopped !== null);
  assert.match(textOf(stopped?.stopped ?? ""), /is disabled/);
  assert.equal((await folder.target()).stopped, null);
  await folder.change(folder.id, { enabled: true });
  await folder.videos(({ sent }) => sent === 2);
});

test("withdrawn consent and a deleted clip end an upload that the server reads slowly", async () => {
  await using folder = await openVideoFolder();
  const events: string[] = [];
  for (const text of ["No key", "No door"]) events.push(await folder.report(text));
  const endUpload = async (event: string, end: () => unknown) => {
    folder.server.holds = true;
    folder.save(event, 19_000_000);
    const upload = await until(
      "an upload",
      () => folder.server.held.at(-1)?.destroyed === false && folder.server.held.at(-1),
    );
    folder.server.holds = false;
    let isClosed = false;
    upload.socket.once("close", () => {
      isClosed = true;
    });
    const { unsent = 0 } = (await folder.target()).videoQueue ?? {};
    const endedMs = performance.now();
    await end();
    // The socket reports its end only while it is read.
    upload.resume();
    await until("the end of the upload", () => isClosed);
    const tookMs = performance.now() - endedMs;
    // An upload that stalls would end after 30 seconds.
    assert.ok(tookMs < 15_000, `${tookMs} ms`);
    const state = await folder.videos((videos) => videos.unsent > unsent);
    assert.deepEqual([state?.waiting, state?.sent, folder.uploads().length], [0, 0, 0]);
  };
  const [key = "", door = ""] = events;
  await endUpload(key, () => {
    folder.clips.set(key, { state: "none", reason: message("footage.clip_in_trash") });
    folder.clipsChanged();
  });
  await endUpload(door, () => folder.change(folder.id, { videos: false }));
  await folder.change(folder.id, { videos: true });
  assert.deepEqual(await folder.monitor.rows(sql`SELECT event FROM forward_video`), []);
  const again = await folder.report("No rope");
  await endUpload(again, () => folder.change(folder.id, { enabled: false }));
  assert.deepEqual(folder.failures, []);
});

test("a target that is narrowed to one game gets no video, report or count of another, in the middle of an upload and a full queue", async () => {
  for (const how of ["a change", "an invitation"] as const) {
    await using folder = await openVideoFolder();
    const { server } = folder;
    let narrow = () => folder.change(folder.id, { game: "saga" });
    if (how === "an invitation") {
      await folder.remove(folder.id);
      const invitation = { ...invitationTo(server.port), game: "saga" };
      const chosen = { reports: true, earlierEvents: true, installation: false, videos: true };
      narrow = () => folder.accept({ invitation, ...chosen });
      const { id } = await narrow();
      await folder.change(id, { game: null });
    }
    const event = await folder.report("No key");
    server.holds = true;
    folder.save(event, 19_000_000);
    await until("the upload is on its way", () => server.held.length === 1);
    await folder.take([reportWith("No key"), ...["No door", "No rope"].map((text) => reportWith(text))]);
    await until("a report is on its way", () => server.held.length === 2);
    const before = server.received.length;
    const narrowed = await narrow();
    assert.deepEqual([narrowed.game, narrowed.waiting, narrowed.videoQueue?.waiting], ["saga", 0, 0]);
    server.holds = false;
    await folder.restart();
    await folder.take([reportWith("No key"), reportWith("No lamp", { game: "saga" })]);
    await folder.target(({ delivered, waiting }) => delivered === 2 && waiting === 0);
    folder.save(event);
    const after = server.received.slice(before);
    assert.deepEqual([after.length, after[0]?.body.includes("No lamp"), folder.uploads().length], [1, true, 0], how);
    const counts = await folder.monitor.rows(sql`SELECT untold FROM forward_count WHERE untold > 0`);
    assert.deepEqual(counts, []);
  }
});

test("once the answer says that a target is off, nothing more leaves for it, in the middle of an upload and a full queue", async () => {
  await using folder = await openVideoFolder();
  const { server } = folder;
  const event = await folder.report("No key");
  server.holds = true;
  folder.save(event, 19_000_000);
  await until("the upload is on its way", () => server.held.length === 1);
  await folder.take([..."abcdefghijklmnopqrst"].map((letter) => reportWith(`Room ${letter.repeat(5)} has no door`)));
  await until("a report is on its way", () => server.held.length === 2);
  if (!cannot.readProc) assert.equal(server.connections().live, 2);
  await folder.change(folder.id, { enabled: false });
  const { made, live } = server.connections();
  assert.equal(live, 0);
  server.holds = false;
  for (const request of server.held) request.resume();
  await until("both connections have ended", () => server.held.every(({ socket }) => socket.destroyed));
  const { bytes } = server;
  folder.save(event);
  await folder.take([reportWith("No lamp")]);
  await folder.change(folder.id, { environment: null });
  assert.deepEqual([server.connections(), server.bytes], [{ made, live: 0 }, bytes]);
});

test("a request that is aborted while it is prepared connects to nothing", async () => {
  await using server = await startForwardServer();
  const url = `http://127.0.0.1:${server.port}/`;
  const connection = await connectToServer({ url, withinMs: 10_000, now: Date.now });
  const abort = new AbortController();
  const { signal } = abort;
  const request = { url, headers: {}, signal };
  const posted = connection.post({ ...request, body: "x".repeat(1_000_000) });
  const streamed = connection.stream({ ...request, body: () => assert.fail(), bytes: 9, onSent: () => undefined });
  abort.abort();
  const asked = connection.clockAheadMs(signal);
  await Promise.all([posted, streamed, asked].map((sent) => assert.rejects(sent, { name: "AbortError" })));
  await fetch(url);
  assert.equal(server.connections().made, 1);
});

test("a collector gets no videos without a bucket", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "otlp", address: `http://127.0.0.1:${folder.server.port}`, game: null });
  await assert.rejects(folder.change(id, { videos: true }), /needs a bucket/);
  assert.deepEqual(await folder.target().then(({ videos, videoQueue }) => [videos, videoQueue]), [false, null]);
});

test("a launcher that stops at any point of a change of address has the old server with its video, or the new one without it", async () => {
  const ends: string[] = [];
  for (let stopsBefore = 0; ends.at(-1) !== "changed"; stopsBefore += 1) {
    let writesLeft = Number.POSITIVE_INFINITY;
    await using other = await startForwardServer();
    await using folder = await openVideoFolder({
      beforeWrite() {
        if (writesLeft <= 0) throw new Error("The launcher was killed");
        writesLeft -= 1;
      },
    });
    folder.server.videoScript = [{ status: 503, headers: { "retry-after": "60" } }];
    folder.save(await folder.report("No key"));
    await folder.videos(({ waitsUntil }) => waitsUntil !== null);
    writesLeft = stopsBefore;
    const address = folder.dsn.replace(`:${folder.server.port}/`, `:${other.port}/`);
    const isChanged = await folder.change(folder.id, { address }).then(
      () => true,
      () => false,
    );
    writesLeft = Number.POSITIVE_INFINITY;
    folder.clock.ms = 120_000;
    await folder.restart();
    const { host } = await folder.target();
    const isMoved = host === `127.0.0.1:${other.port}`;
    const later = reportWith("No door");
    await folder.take([later]);
    const { videoQueue } = await folder.target(
      ({ delivered, videoQueue: queue }) => delivered === 2 && queue?.waiting === 0,
    );
    const { received } = isMoved ? other : folder.server;
    assert.ok(received.some(({ body }) => body.includes(idOf(later.event.id))));
    assert.deepEqual(
      [videoQueue?.sent, videoQueue?.unsent, other.received.length],
      isMoved ? [0, 1, 1] : [1, 0, 0],
      `stopped before write ${stopsBefore}`,
    );
    ends.push(isChanged ? "changed" : isMoved ? "moved" : "old");
  }
  assert.equal(ends[0], "old");
});
