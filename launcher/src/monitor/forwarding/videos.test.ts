// Tests of the videos of errors: which are sent, in which form, when they are not, and that reports never wait for them.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type ForwardTarget, forwardedVideosPerDayMax, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type ForwardFolder, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import type { Received } from "../../../test/monitor/forwarding-server.ts";
import { reportWith } from "../../../test/monitor/monitor-folder.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";
import type { ErrorClip, FitClip } from "./video-queue.ts";

const dayMs = 86_400_000;
const files = mkdtempSync(join(tmpdir(), "kit-videos-"));
after(() => rmSync(files, { recursive: true }));

type VideoFolder = ForwardFolder & {
  readonly id: string;
  /** The clips of events, as recording tells of them. */
  readonly clips: Map<string, ErrorClip>;
  /** Reports an error, and waits until the server has confirmed it. Returns its event. */
  report(text: string): Promise<string>;
  /** Saves a clip of an event with this many bytes. */
  save(event: string, bytes?: number): void;
  videos(expected: (videos: NonNullable<ForwardTarget["videoQueue"]>) => boolean): Promise<ForwardTarget["videoQueue"]>;
  uploads(): Received[];
};

async function openVideoFolder(): Promise<VideoFolder> {
  const clips = new Map<string, ErrorClip>();
  const fitClip: FitClip = async ({ path, bytes }, { bytesMax }) => {
    if (bytes === 0) throw new Error("It is damaged");
    if (bytes <= bytesMax) return { path, bytes };
    const copy = `${path}.${bytesMax}`;
    writeFileSync(copy, Buffer.alloc(bytesMax, "s"));
    return { path: copy, bytes: bytesMax };
  };
  const none: ErrorClip = { state: "none", reason: message("footage.not_requested") };
  const folder = await openForwardFolder({ clipOf: async (event) => clips.get(event) ?? none, fitClip });
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  await folder.change(id, { videos: true });
  return {
    ...folder,
    id,
    clips,
    async report(text) {
      const entry = reportWith(text);
      const { delivered } = await folder.target();
      await folder.take([entry]);
      await folder.target((target) => target.delivered > delivered);
      return entry.event.id;
    },
    save(event, bytes = 1_000) {
      const path = join(files, `${event}.mp4`);
      writeFileSync(path, event);
      truncateSync(path, bytes);
      clips.set(event, { state: "saved", id: event, path, kind: "clip", bytes, seconds: 5, width: 64, height: 36 });
      folder.clipsChanged();
    },
    async videos(expected) {
      const { videoQueue } = await folder.target(({ videoQueue: queue }) => queue !== null && expected(queue));
      return videoQueue;
    },
    uploads: () => folder.server.received.filter(({ video }) => video !== undefined),
  };
}
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
  folder.save(await folder.report("No door"), 8_000_000);
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

test("a collector gets no videos", async () => {
  await using folder = await openForwardFolder();
  const { id } = await folder.add({ kind: "otlp", address: `http://127.0.0.1:${folder.server.port}`, game: null });
  await assert.rejects(folder.change(id, { videos: true }), /only for servers that speak Sentry's protocol/);
  assert.deepEqual(await folder.target().then(({ videos, videoQueue }) => [videos, videoQueue]), [false, null]);
});
