// Tests of videos that are uploaded to a real S3 store: what the tracker gets, what survives a kill, what is aborted, what fails.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, beforeAll, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { type BucketServer, type Fault, openBucketServer } from "../../../test/monitor/bucket-server.ts";
import { openVideoFolder, type VideoFolder, videosAfterWaits } from "../../../test/monitor/video-folder.ts";
import { until } from "../../../test/support/until.ts";
import { sql } from "../../storage/sql.ts";

const skip = skipWithout("Swift");
let server: BucketServer;
beforeAll(async () => {
  if (!skip) server = await openBucketServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const partBytes = 10_000;
const hourMs = 3_600_000;
const openFolder = (kind: "sentry" | "otlp" = "sentry", prefix = ""): Promise<VideoFolder> =>
  openVideoFolder({
    deps: { limits: { growthEveryMs: 200, pauseMs: 0, partBytes } },
    kind,
    change: { bucket: { ...server.settings, ...server.keys, prefix } },
  });

/** Starts to note requests, and lets them fail as told. */
function watch(fault: (request: string) => Fault | undefined = () => undefined): () => string[] {
  const from = server.requests.length;
  server.fault = fault;
  return () => server.requests.slice(from);
}
const count = (requests: readonly string[], pattern: RegExp) => requests.filter((one) => pattern.test(one)).length;

/** Saves the clip of an event, and returns the key that it gets. */
function save(folder: VideoFolder, event: string, bytes: number): string {
  folder.save(event, bytes);
  const clip = folder.clips.get(event);
  const file = clip?.state === "saved" ? readFileSync(clip.path) : assert.fail();
  return `${createHash("sha256").update(file).digest("hex")}.mp4`;
}
test("a collector gets a log record with a link to the uploaded clip, which stands for no report", {
  skip,
}, async () => {
  await using folder = await openFolder("otlp", "playtest");
  const requests = watch();
  const event = await folder.report("No key");
  const key = `playtest/${save(folder, event, 25_000)}`;
  await folder.videos(({ sent }) => sent === 1);
  const { body = "" } = folder.server.received.at(-1) ?? {};
  const [record] = JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords;
  const attributes = new Map<string, string>(
    record.attributes.map(({ key: name, value }: { key: string; value: object }) => [name, Object.values(value)[0]]),
  );
  const url = attributes.get("kit.video.url") ?? "";
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  assert.equal(`playtest/${createHash("sha256").update(file).digest("hex")}.mp4`, key);
  assert.deepEqual(file, await server.object(key));
  const left = Date.parse(attributes.get("kit.video.expires") ?? "") - Date.now();
  assert.ok(Math.abs(left - 7 * 86_400_000) < 60_000, `${left} ms`);
  const [news, reports, of, object] = ["kit.news", "kit.reports", "kit.video.event", "kit.video.object"].map((name) =>
    attributes.get(name),
  );
  assert.deepEqual([news, Number(reports), of, object], ["video", 0, event, `videos/${key}`]);
  assert.deepEqual(
    [record.body.stringValue, folder.server.received.filter((one) => one.url === "/v1/metrics").length],
    ["No key", 1],
  );
  assert.equal(count(requests(), /part/), 3);
  // The link is stored nowhere, and neither are the keys.
  const [shown] = await folder.sent(folder.id);
  assert.match(shown?.body ?? "", /X-Amz-Signature=<left out>/);
  const { storage } = folder.monitor;
  const signature = new URL(url).searchParams.get("X-Amz-Signature") ?? assert.fail();
  const rows = await Promise.all([
    storage.read(sql`SELECT * FROM forward_sent`),
    storage.read(sql`SELECT * FROM forward_target`),
    storage.read(sql`SELECT * FROM forward_video`),
  ]);
  for (const secret of [signature, server.keys.secretKey, server.keys.accessKey]) {
    const shownAgain = JSON.stringify(rows).replaceAll(encodeURIComponent(server.keys.accessKey), "");
    assert.ok(!shownAgain.includes(secret), secret);
  }
  assert.deepEqual((await folder.target()).bucket, { ...server.settings, prefix: "playtest/", hasKeys: true });
});

test("a tracker gets the report once more with the link, in the same issue, and no attachment", { skip }, async () => {
  await using folder = await openFolder();
  watch();
  const event = await folder.report("No key");
  const key = save(folder, event, 1_000);
  await folder.videos(({ sent }) => sent === 1);
  const [first, second] = folder.server.received
    .filter(({ body }) => body !== "")
    .map(({ body }) => JSON.parse(body.split("\n")[2] ?? ""));
  assert.deepEqual(second.fingerprint, first.fingerprint);
  assert.deepEqual(second.exception, first.exception);
  assert.notEqual(second.event_id, first.event_id);
  assert.equal(second.contexts.kit.video_event, first.event_id);
  assert.deepEqual([second.contexts.kit.reports, second.tags["kit.news"]], [0, "video"]);
  assert.equal((await fetch(second.contexts.kit.video_url)).headers.get("content-type"), "video/mp4");
  assert.deepEqual([folder.uploads(), await server.object(key).then((file) => file?.length)], [[], 1_000]);
});

test("a killed launcher sends only the parts that are missing, and what the store has is not sent again", {
  skip,
}, async () => {
  await using folder = await openFolder();
  const before = watch((request) => (/part 3/.test(request) ? "hold" : undefined));
  const event = await folder.report("No key");
  const key = save(folder, event, 35_000);
  await until("the third part is on its way", () => count(before(), /part 3/) === 1);
  let cuts = 0;
  // The answer that the upload is complete gets lost.
  const requests = watch((request) => (request === `POST ${key} upload` && cuts++ === 0 ? "late" : undefined));
  await folder.restart(true);
  await videosAfterWaits(folder, ({ sent }) => sent === 1);
  assert.deepEqual([count(before(), /part [12]$/), count(requests(), /begin|part [12]$/)], [2, 0]);
  assert.deepEqual([count(requests(), /part 3/), count(requests(), /part 4/), count(requests(), /POST/)], [1, 1, 1]);
  assert.deepEqual([(await server.object(key))?.length, await server.uploads()], [35_000, []]);
  const begun = sql`SELECT * FROM forward_upload`;
  await until("nothing is left to abort", async () => (await folder.monitor.rows(begun)).length === 0);
  assert.equal((await server.object(key))?.length, 35_000);
});

test("an upload is aborted at the store when its clip is deleted, it is switched off, or its target goes", {
  skip,
}, async () => {
  await using folder = await openFolder();
  const requests = watch((request) => (/part 2/.test(request) ? "hold" : undefined));
  const ends: Record<string, (event: string) => unknown> = {
    "No key": (event) => {
      folder.clips.set(event, { state: "none", reason: message("footage.clip_in_trash") });
      folder.clipsChanged();
    },
    "No door": () => folder.change(folder.id, { videos: false }),
    "No lamp": () => folder.change(folder.id, { bucket: null }),
    "No rope": () => folder.remove(folder.id),
  };
  for (const [text, end] of Object.entries(ends)) {
    await folder.change(folder.id, { videos: true, bucket: { ...server.settings, ...server.keys } });
    const held = count(requests(), /part 2/);
    save(folder, await folder.report(text), 15_000);
    await until("the second part is on its way", () => count(requests(), /part 2/) > held);
    assert.equal((await server.uploads()).length, 1, text);
    const event = [...folder.clips.keys()].at(-1) ?? "";
    await end(event);
    await until(`the upload of ${text} is aborted`, async () => (await server.uploads()).length === 0);
  }
  assert.deepEqual([...folder.secrets.keys()], []);
  assert.deepEqual(folder.failures, []);
});

test("lost keys of one target do not keep the uploads of another from being aborted", { skip }, async () => {
  await using folder = await openFolder();
  const { storage } = folder.monitor;
  const left = (target: string, uploadId: string) => sql`
    INSERT INTO forward_upload (target_seq, key, upload_id, part_bytes)
    SELECT seq, 'a.mp4', ${uploadId}, ${partBytes} FROM forward_target WHERE id = ${target}`;
  const { id } = await folder.add({ kind: "sentry", address: folder.dsn.replace(/7$/, "8"), game: null });
  await folder.change(id, { bucket: { ...server.settings, ...server.keys } });
  folder.secrets.set(`forward-${id}-bucket`, "{");
  await storage.write(left(id, "lost"), left(folder.id, "unknown-to-the-store"));
  folder.clipsChanged();
  const waiting = () => storage.read(sql`SELECT upload_id AS id FROM forward_upload`);
  await until("the other upload is given up", async () => (await waiting()).length === 1);
  assert.deepEqual(await waiting(), [{ id: "lost" }]);
  assert.ok(folder.failures.length > 0);
});

test("each failure of a store is one sentence, is tried again or waits for a person, and a test says the same", {
  skip,
}, async () => {
  await using folder = await openFolder();
  const access = { ...server.settings, ...server.keys };
  watch(() => ({ status: 503 }));
  const key = save(folder, await folder.report("No key"), 15_000);
  const failAs = async (bucket: object, says: RegExp, outcome: "stopped" | "lastError") => {
    await folder.change(folder.id, { bucket: { ...access, ...bucket }, enabled: true });
    folder.clipsChanged();
    const state = await videosAfterWaits(folder, (videos) => says.test(textOf(videos[outcome] ?? "")));
    assert.equal(state?.waiting, 1);
    const { ok, says: told } = await folder.testBucket(folder.id);
    assert.deepEqual([ok, says.test(textOf(told))], [false, true], textOf(told));
  };
  watch();
  await failAs({ secretKey: "wrong" }, /does not accept these keys/, "stopped");
  await failAs({ name: "missing" }, /no bucket of this name/, "stopped");
  await failAs({ region: "eu-west-1" }, /another region/, "stopped");
  watch(() => ({ status: 503 }));
  await failAs({}, /The store failed \(503\)/, "lastError");
  watch(() => ({ status: 200, body: "<html>Sign in</html>" }));
  await failAs({}, /Something else than an S3 store/, "lastError");
  watch(() => ({ status: 403, body: "<Error><Code>RequestTimeTooSkewed</Code></Error>" }));
  await failAs({}, /clock/, "lastError");
  watch(() => "early");
  await failAs({}, /connection/i, "lastError");
  // A clock that is a year off is corrected from what the store says.
  folder.clock.ms += 365 * 86_400_000;
  const requests = watch();
  await folder.change(folder.id, { bucket: access, enabled: true });
  assert.deepEqual(await folder.testBucket(folder.id), { ok: true, says: message("bucket.test_passed") });
  await videosAfterWaits(folder, ({ sent }) => sent === 1);
  assert.equal((await server.object(key))?.length, 15_000);
  assert.equal(count(requests(), /part 1/), 1);
  const { body = "" } = folder.server.received.at(-1) ?? {};
  const { video_url: url, video_expires: expires } = JSON.parse(body.split("\n")[2] ?? "").contexts.kit;
  assert.equal((await fetch(url)).status, 200);
  assert.ok(Date.parse(expires) < Date.now() + 8 * 86_400_000, expires);
});

test("a bucket is refused that has no keys, no valid address, or plain http to others", { skip }, async () => {
  await using folder = await openFolder();
  await folder.change(folder.id, { bucket: null });
  const refuse = (bucket: object, says: RegExp) =>
    assert.rejects(folder.change(folder.id, { bucket: { ...server.settings, ...server.keys, ...bucket } }), says);
  await refuse({ accessKey: undefined }, /keys of the bucket are missing/);
  await refuse({ endpoint: "http://192.168.1.5:9000" }, /https/);
  await refuse({ endpoint: "https://169.254.169.254" }, /no server can have/);
  await refuse({ endpoint: "https://me:secret@s3.example.com" }, /password/);
  await refuse({ hostStyle: true }, /IP address/);
  await refuse({ prefix: "a/../b" }, /\.\./);
  assert.equal((await folder.target()).bucket, null);
});

test("a video for a store that fails for a week is tried once in ten minutes, and given up after a day; the next one is uploaded", {
  skip,
}, async () => {
  await using folder = await openFolder();
  const requests = watch(() => ({ status: 503 }));
  save(folder, await folder.report("No key"), 25_000);
  await videosAfterWaits(folder, () => folder.clock.ms >= 2 * hourMs);
  // One try in ten minutes, and those before the wait was that long.
  assert.ok(requests().length >= 12 && requests().length <= 12 + 30, `${requests().length} requests`);
  folder.clock.ms += 24 * hourMs;
  const given = await videosAfterWaits(folder, ({ unsent }) => unsent === 1);
  assert.match(textOf(given?.unsentBecause ?? ""), /a day/);
  assert.deepEqual([given?.sent, given?.waiting], [0, 0]);
  const made = requests().length;
  folder.clock.ms += 6 * 24 * hourMs;
  await folder.restart();
  const later = watch();
  const key = save(folder, await folder.report("No door"), 25_000);
  await videosAfterWaits(folder, ({ sent }) => sent === 1);
  assert.equal((await server.object(key))?.length, 25_000);
  assert.equal(requests().length - later().length, made, "the video that was given up costs no request");
});
