// Tests what leaves the built launcher while errors have clips: nothing without consent, and with each combination of switches only
// what they allow, with videos as attachments and in a bucket.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ForwardTarget } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { dataDirAt } from "../../src/storage/data-dir.ts";
import { makeVideo, momentAt, planWith, saveRow } from "../recording/clips-folder.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { openStorageIn } from "../support/storage-folder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { openBucketServer } from "./bucket-server.ts";
import { invitationTo, startForwardServer } from "./forwarding-server.ts";

const hook = `--import=${new URL("../support/outgoing-hook.ts", import.meta.url)}`;
const letters = "abcdefghijklmnopqrst";

/** Saves a clip of an error, as recording does. The launcher must not run. */
async function saveClip(dataDir: string, event: string): Promise<void> {
  await using folder = await openStorageIn(dataDirAt(dataDir));
  const nowMs = Date.now();
  const moment = { ...momentAt(nowMs - 1_000, "monitor"), event };
  const plan = planWith({ fromMs: nowMs - 2_000, toMs: nowMs, moments: [moment] });
  const path = join(dataDir, "clips", `${plan.id}.mp4`);
  mkdirSync(join(dataDir, "clips"), { recursive: true, mode: 0o700 });
  await makeVideo(path);
  await saveRow(folder, plan, { bytes: statSync(path).size });
}

/** What went out since the last call, except to the OBS of this computer, which the launcher looks for, and to an IPv6 address of a name. */
function watch(log: string) {
  let seen = 0;
  return () => {
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
    const fresh = lines.slice(seen).filter((line) => !/^TCPCONNECTWRAP (127\.0\.0\.1 4455|::1 \d+)$/.test(line));
    seen = lines.length;
    return [...new Set(fresh)].sort();
  };
}

/** Reports an error, and saves its clip while the launcher restarts. */
async function reportWithClip(launcher: LauncherProcess, message: string, before: (event: string) => Promise<unknown>) {
  const event = await launcher.report(message);
  await until("it is handled", async () => (await launcher.receipt(event)).states.length > 1);
  await before(event);
  await launcher.restart("SIGTERM", () => saveClip(launcher.dataDir, event));
  return event;
}

test("with clips, and any of the switches on or off, nothing leaves before a person agrees, and then only to the target and its bucket", {
  skip: skipWithout("Swift", "ffmpeg"),
}, async () => {
  await using server = await startForwardServer();
  await using bucket = await openBucketServer();
  const log = join(temporaryFolder("outgoing"), "log");
  await using launcher = await startLauncherProcess({
    env: { KIT_SECRETS: "file", KIT_TEST_OUTGOING: log, NODE_OPTIONS: hook },
  });
  const wentOut = watch(log);
  const bytes = () => [server.bytes, bucket.bytes];
  const nothing = async () => undefined;
  const target = async () =>
    (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets[0] ?? assert.fail();
  const invitation = invitationTo(server.port);
  const decide = async (reports: boolean, bits: number) => {
    const others = { earlierEvents: bits % 2 > 0, installation: (bits & 2) > 0, videos: (bits & 4) > 0 };
    return launcher.api("POST", "/api/invitations/accept", { invitation, reports, ...others });
  };
  /** The errors whose video arrived. */
  const uploaded = () => server.received.flatMap(({ video }) => (video === undefined ? [] : [video.event])).sort();
  /** The errors whose report arrived once more with a link. */
  const linked = () => server.received.flatMap(({ body }) => /"video_event":"(\w+)"/.exec(body)?.[1] ?? []).sort();

  await reportWithClip(launcher, "Before anybody was asked", nothing);
  for (let bits = 0; bits < 8; bits += 1) assert.equal((await decide(false, bits)).status, 422);
  await launcher.report("Nobody agreed");
  assert.deepEqual([wentOut(), bytes()], [[], [0, 0]]);

  const expected = { uploaded: [] as string[], linked: [] as string[] };
  const tracker = ["GETADDRINFOREQWRAP localhost", `TCPCONNECTWRAP 127.0.0.1 ${server.port}`];
  const store = `TCPCONNECTWRAP 127.0.0.1 ${bucket.settings.endpoint.split(":").at(-1)}`;
  let round = 0;
  for (const way of ["uploaded", "linked"] as const) {
    for (let bits = 0; bits < 8; bits += 1) {
      const says = `${way}, switches ${bits}`;
      const name = letters[round]?.repeat(4);
      round += 1;
      assert.equal((await decide(true, bits)).status, 201, says);
      if (way === "linked") {
        const access = { bucket: { ...bucket.settings, ...bucket.keys } };
        assert.equal((await launcher.api("PUT", `/api/forwarding/${(await target()).id}`, access)).status, 200);
      }
      const delivered = () => until("delivered", async () => (await target()).waiting === 0);
      const event = await reportWithClip(launcher, `They agreed ${name}`, delivered);
      if ((bits & 4) > 0) expected[way].push(event.replaceAll("-", ""));
      const sent = expected.uploaded.length + expected.linked.length;
      await until(`${says}: every video`, async () => {
        const { videoQueue } = await target();
        return (videoQueue?.sent ?? 0) === sent;
      });
      const contacted = wentOut();
      const allowed = way === "linked" && (bits & 4) > 0 ? [...tracker, store].sort() : tracker;
      assert.deepEqual(contacted, allowed, says);
      assert.equal((await decide(false, bits)).status, 201, says);
      const before = bytes();
      await reportWithClip(launcher, `They withdrew ${name}`, nothing);
      assert.deepEqual([wentOut(), bytes()], [[], before], says);
    }
  }
  assert.deepEqual([uploaded(), linked()], [expected.uploaded.sort(), expected.linked.sort()]);
  assert.deepEqual([expected.uploaded.length, expected.linked.length], [4, 4]);
  assert.ok(
    server.received.every(({ video }) => video === undefined || video.file.toString("latin1", 4, 8) === "ftyp"),
  );
  const files = await Promise.all((await bucket.keysThere()).map((each) => bucket.object(each)));
  assert.ok(files.length > 0 && files.every((file) => file?.toString("latin1", 4, 8) === "ftyp"));
});

test("with any of the switches on or off, nothing leaves for a collector before a person agrees, and then only what they allow", async () => {
  await using server = await startForwardServer();
  const log = join(temporaryFolder("outgoing"), "log");
  await using launcher = await startLauncherProcess({
    env: { KIT_SECRETS: "file", KIT_TEST_OUTGOING: log, NODE_OPTIONS: hook },
  });
  const wentOut = watch(log);
  const address = `http://localhost:${server.port}`;
  const bucket = { endpoint: "https://s3.invalid", region: "eu", name: "lantern", prefix: "", hostStyle: false };
  const invitation = { ...invitationTo(server.port), kind: "otlp", asks: ["installation", "videos"], address, bucket };
  const decide = async (reports: boolean, bits: number) => {
    const others = { earlierEvents: bits % 2 > 0, installation: (bits & 2) > 0, videos: (bits & 4) > 0 };
    return launcher.api("POST", "/api/invitations/accept", { invitation, reports, ...others });
  };
  const handled = async (message: string) => {
    const event = await launcher.report(message);
    await until("it is handled", async () => (await launcher.receipt(event)).states.length > 1);
  };
  const waiting = async () =>
    (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets[0]?.waiting;

  await handled("Before anybody was asked");
  for (let bits = 0; bits < 8; bits += 1) assert.equal((await decide(false, bits)).status, 422);
  await handled("Nobody agreed");
  assert.deepEqual([wentOut(), server.bytes], [[], 0]);
  // A collector gets no earlier events, so an invitation to one cannot ask for them.
  for (const bits of [1, 3, 5, 7]) assert.match((await decide(true, bits)).text, /not_asked_for/);
  await handled("They agreed to what nobody asked for");
  assert.deepEqual([wentOut(), server.bytes], [[], 0]);
  for (const bits of [0, 2, 4, 6]) {
    const says = `switches ${bits}`;
    const name = letters[bits]?.repeat(4);
    assert.equal((await decide(true, bits)).status, 201, says);
    const from = server.received.length;
    await handled(`They agreed ${name}`);
    await until("delivered", async () => server.received.length > from && (await waiting()) === 0);
    const bodies = server.received.slice(from).map(({ body }) => body);
    assert.ok(
      bodies.some((body) => body.includes(`They agreed ${name}`)),
      says,
    );
    assert.equal(
      bodies.some((body) => body.includes("service.instance.id")),
      (bits & 2) > 0,
      says,
    );
    assert.deepEqual(wentOut(), ["GETADDRINFOREQWRAP localhost", `TCPCONNECTWRAP 127.0.0.1 ${server.port}`], says);
    assert.equal((await decide(false, bits)).status, 201, says);
    const before = server.bytes;
    await handled(`They withdrew ${name}`);
    assert.deepEqual([wentOut(), server.bytes], [[], before], says);
  }
  assert.ok(server.received.every(({ body }) => !/Before anybody|Nobody agreed|nobody asked|They withdrew/.test(body)));
});
