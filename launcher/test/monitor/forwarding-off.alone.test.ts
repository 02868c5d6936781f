// Tests how fast forwarding ends, in whichever way a person ends it and whatever runs: nothing leaves any more within a second, and an
// upload that was begun is aborted at the store or reported.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Invitation } from "@kit/contract";
import { afterAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { isMachineTooBusy } from "../../../tools/run-tests/cost.ts";
import { MediaFitter } from "../../src/recording/exports/media-fitter.ts";
import { makeVideo } from "../recording/clips-folder.ts";
import { processTable } from "../support/process-table.ts";
import { until } from "../support/until.ts";
import { type BucketServer, openBucketServer } from "./bucket-server.ts";
import { reportWith } from "./monitor-folder.ts";
import { openVideoFolder, type VideoFolder } from "./video-folder.ts";

/** On a machine that is too busy to measure time, the end must still not wait until a server that hangs is given up. */
const offMsMax = () => (isMachineTooBusy() ? 4_000 : 1_000);
const partBytes = 6_000;
const files = mkdtempSync(join(tmpdir(), "kit-off-"));
afterAll(() => rmSync(files, { recursive: true }));

const invitationTo = ({ dsn }: VideoFolder): Invitation => ({
  version: 1,
  studio: "Lantern Games",
  text: "",
  kind: "sentry",
  address: dsn,
  game: null,
  environment: null,
  asks: ["videos"],
});
const decide = (folder: VideoFolder, reports: boolean, videos: boolean) =>
  folder.accept({ invitation: invitationTo(folder), reports, earlierEvents: false, installation: false, videos });

/** How a person ends what runs for the target of an accepted invitation. */
const ends: Readonly<Record<string, (folder: VideoFolder, id: string) => Promise<unknown>>> = {
  off: (folder, id) => folder.change(id, { enabled: false }),
  remove: (folder, id) => folder.remove(id),
  "videos off": (folder, id) => folder.change(id, { videos: false }),
  "the bucket removed": (folder, id) => folder.change(id, { bucket: null, videos: false }),
  "the consent withdrawn": (folder) => decide(folder, false, false),
  "the consent to videos withdrawn": (folder) => decide(folder, true, false),
};
const endsReports = (how: string) => ["off", "remove", "the consent withdrawn"].includes(how);

/** Accepts an invitation in place of the folder's own target. Returns its id. */
async function joinStudio(folder: VideoFolder, bucket?: BucketServer): Promise<string> {
  await folder.remove(folder.id);
  const { id } = await decide(folder, true, true);
  if (bucket !== undefined) await folder.change(id, { bucket: { ...bucket.settings, ...bucket.keys } });
  return id;
}

type Wire = Pick<BucketServer, "bytes" | "connections">;

/**
 * Calls `end`, and asserts that a second later nothing arrives at `wires` any more, and after the answer nothing at `others` either.
 * Returns how long the answer took. Only Linux tells what is still under way.
 */
async function assertEnds(
  how: string,
  wires: readonly Wire[],
  others: readonly Wire[],
  end: () => Promise<unknown>,
): Promise<number> {
  const beganMs = performance.now();
  const seen = wires.map(({ bytes }) => ({ bytes, lastMs: beganMs }));
  const look = setInterval(() => {
    for (const [n, { bytes, connections }] of wires.entries())
      if (bytes !== seen[n]?.bytes || connections().live > 0) seen[n] = { bytes, lastMs: performance.now() };
  }, 20);
  await end().finally(() => clearInterval(look));
  const answeredMs = performance.now() - beganMs;
  const live = [...wires, ...others].map(({ connections }) => connections().live);
  assert.ok(
    live.every((connections) => connections === 0),
    `${how}: more can arrive after the answer`,
  );
  for (const { lastMs } of seen) assert.ok(lastMs - beganMs <= offMsMax(), `${how}: ${lastMs - beganMs} ms`);
  return answeredMs;
}

for (const how of Object.keys(ends)) {
  test(`while a report and a part of a video wait for servers that hang, ${how} takes effect within a second, and the upload is aborted later or reported`, {
    skip: skipWithout("Swift"),
  }, async () => {
    await using bucket = await openBucketServer();
    await using folder = await openVideoFolder({ deps: { limits: { growthEveryMs: 200, pauseMs: 0, partBytes } } });
    const id = await joinStudio(folder, bucket);
    let isHung = false;
    bucket.fault = (request) => {
      isHung ||= /part 2/.test(request);
      return isHung ? "hold" : undefined;
    };
    folder.save(await folder.report("No key"), 15_000);
    await until("the second part is on its way", () => isHung);
    folder.server.holds = true;
    await folder.take([reportWith("No door")]);
    await until("a report is on its way", () => folder.server.held.length === 1);
    // Its keys go, so Kit waits longer for an answer that the upload is aborted. Everything else ends at once.
    const isLastChance = how === "remove" || how === "the bucket removed";
    const tracker = endsReports(how) ? [folder.server] : [];
    const wires = isLastChance ? tracker : [bucket, ...tracker];
    const others = isLastChance ? [bucket] : [];
    const answeredMs = await assertEnds(how, wires, others, () => ends[how]?.(folder, id) ?? assert.fail());
    console.log(`answered after ${Math.round(answeredMs)} ms`);
    assert.ok(isLastChance || answeredMs <= offMsMax(), `${answeredMs} ms`);
    // Nothing starts again by itself.
    const ended = [bucket, ...tracker];
    const before = ended.map(({ bytes }) => bytes);
    await folder.take([reportWith("No lamp")]);
    folder.clipsChanged();
    assert.deepEqual(
      ended.map(({ bytes }) => bytes),
      before,
    );
    isHung = false;
    bucket.fault = () => undefined;
    folder.server.holds = false;
    const { length: left } = await bucket.uploads();
    assert.equal(left, 1);
    if (isLastChance) {
      assert.deepEqual(
        folder.failures.map((failure) => (failure as Error).message),
        [
          "1 unfinished upload stays in the bucket, because the store did not abort it in time. Let the store delete unfinished uploads.",
        ],
      );
    } else {
      await folder.restart();
      await until("the upload is aborted", async () => (await bucket.uploads()).length === 0);
      assert.deepEqual(folder.failures, []);
    }
  });
}

test("while a video is encoded again to fit, each way to end it takes effect within a second, and ffmpeg ends", {
  skip: skipWithout("ffmpeg"),
}, async () => {
  const clip = join(files, "clip.mp4");
  await makeVideo(clip, 20, "testsrc2=s=1280x720:r=30");
  const { fit } = new MediaFitter({
    dir: join(files, "copies"),
    ffmpeg: async () => ({ path: pathOf("ffmpeg"), hasFpsMode: true }),
  });
  const encoders = () =>
    processTable().filter(({ parent, commandLine }) => parent === process.pid && /ffmpeg/.test(commandLine));
  for (const how of Object.keys(ends).filter((one) => one !== "the bucket removed")) {
    await using folder = await openVideoFolder({
      deps: { fitClip: (media, limits, options) => fit({ ...media, kind: "clip" }, limits, options) },
    });
    const id = await joinStudio(folder);
    folder.server.videoScript = [{ status: 413 }];
    const event = await folder.report("No key");
    const { size: bytes } = statSync(clip);
    folder.clips.set(event, {
      state: "saved",
      id: event,
      path: clip,
      kind: "clip",
      bytes,
      seconds: 20,
      width: 1_280,
      height: 720,
    });
    folder.clipsChanged();
    await until("it is encoded again", () => folder.uploads().length === 1 && encoders().length > 0);
    const answeredMs = await assertEnds(how, [folder.server], [], () => ends[how]?.(folder, id) ?? assert.fail());
    console.log(`${how}: answered after ${Math.round(answeredMs)} ms`);
    assert.ok(answeredMs <= offMsMax(), `${how}: ${answeredMs} ms`);
    await until("ffmpeg has ended", () => encoders().length === 0);
    assert.equal(folder.uploads().length, 1, how);
  }
});
