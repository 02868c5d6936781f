// Tests of exports with the real ffmpeg: fitting copies, cancelling, deleting, and their maximum number.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, ClipExport, clipExportsMax, exportPresets, KitError, textOf } from "@kit/contract";
import { Value } from "typebox/value";
import { afterAll, beforeAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { makeVideo } from "../../../test/recording/clips-folder.ts";
import { patienceMs } from "../../../test/support/until.ts";
import { probeVideo } from "../clips/verify.ts";
import { createExports } from "./exports.ts";
import { MediaFitter } from "./media-fitter.ts";

const skip = skipWithout("ffmpeg");
const noise = "testsrc2=s=320x180:r=30,noise=alls=20:allf=t";
let folder: string;
let clip: Clip;
let fit: MediaFitter;
let changes = 0;

beforeAll(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), "kit-exports-"));
  const path = join(folder, "2026-05-03 saga boss.mp4");
  await makeVideo(path, 3, noise);
  const { size: bytes } = await stat(path);
  const about = { id: "01900000-0000-7000-8000-000000000001", kind: "clip", state: "saved", deletedAt: null };
  clip = { ...about, path, bytes, missing: false, duration: 3, width: 320, height: 180 } as Clip;
});
afterAll(async () => {
  if (skip) return;
  await fit?.stop();
  await rm(folder, { recursive: true, force: true });
});

function open(changed: Partial<Clip> = {}, fitting?: MediaFitter["makeCopy"]) {
  fit = new MediaFitter({
    dir: join(folder, "fitted"),
    ffmpeg: async () => ({ path: pathOf("ffmpeg"), hasFpsMode: true }),
  });
  const library = {
    get: async (id: string) => {
      if (id !== clip.id) throw new KitError("not_found", "There is no such clip.");
      return { ...clip, ...changed };
    },
    mediaFile: async () => ({ path: String(clip.path), type: "video/mp4", downloadName: "2026-05-03 saga boss.mp4" }),
  };
  const onChanged = () => {
    changes += 1;
  };
  return createExports({ library, makeCopy: fitting ?? fit.makeCopy, now: Date.now, onChanged });
}

/** Polls until `isSo`. Every answer must match the contract. */
async function until(exports: ReturnType<typeof open>, id: string, isSo: (copy: ClipExport) => boolean) {
  const endsMs = performance.now() + patienceMs;
  for (;;) {
    const copy = (await exports.list()).find((one) => one.id === id);
    assert.ok(copy !== undefined && Value.Check(ClipExport, copy), JSON.stringify(copy));
    if (isSo(copy)) return copy;
    assert.ok(performance.now() < endsMs && copy.state !== "failed", JSON.stringify(copy));
    await pause(10);
  }
}
const refused = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === code && message.test(JSON.stringify([error.message, error.errors]));

test("a clip that is too large is encoded to fit, with its progress and result", { skip }, async () => {
  const reported: (ClipExport | undefined)[] = [];
  const exports = open({}, (media, limits, options) => {
    const onProgress = (share: number) => {
      options.onProgress(share);
      void exports.list().then(([copy]) => reported.push(copy));
    };
    return fit.makeCopy(media, limits, { ...options, onProgress });
  });
  const bytesMax = 200_000;
  assert.ok(clip.bytes > 2 * bytesMax);
  const request = await exports.export({ clip: clip.id, bytesMax });
  assert.deepEqual(
    [request.state, request.preset, request.fileName],
    ["waiting", null, "2026-05-03 saga boss 200 kB.mp4"],
  );
  await assert.rejects(exports.file(request.id), refused("not_found", /not ready yet/));
  const ready = await until(exports, request.id, ({ state }) => state === "ready");
  const halves = reported.filter((copy) => copy !== undefined && copy.progress > 0 && copy.progress < 1);
  assert.ok(halves.length > 0);
  assert.deepEqual(new Set(halves.map((copy) => copy?.state)), new Set(["encoding"]));
  const file = await exports.file(request.id);
  const { size } = await stat(file.path);
  assert.deepEqual([ready.progress, ready.bytes, file.saveAs], [1, size, request.fileName]);
  assert.ok(size <= bytesMax, `${size} bytes`);
  assert.ok(Math.abs((await probeVideo({ path: pathOf("ffmpeg") }, file.path)).durationMs - 3_000) < 500);
  assert.ok(changes >= 3, "each change is reported");
  const again = await exports.export({ clip: clip.id, bytesMax });
  const { ino } = await stat(file.path);
  await until(exports, again.id, ({ state }) => state === "ready");
  const { ino: inoAgain } = await stat((await exports.file(again.id)).path);
  assert.equal(inoAgain, ino, "an existing copy is not encoded again");
  assert.deepEqual(
    (await exports.list(clip.id)).map(({ id }) => id),
    [again.id, request.id],
  );
  assert.deepEqual(await exports.list("another"), []);
});

test("a clip that already fits is copied unchanged, and the copy stays independent of the clip", { skip }, async () => {
  const exports = open();
  const { id } = await exports.export({ clip: clip.id, preset: "bluesky" });
  const { bytes, bytesMax, notes } = await until(exports, id, ({ state }) => state === "ready");
  assert.deepEqual([bytes, bytesMax, notes], [clip.bytes, exportPresets.bluesky.bytesMax, []]);
  const { path, saveAs } = await exports.file(id);
  assert.notEqual(path, clip.path);
  assert.equal(saveAs, "2026-05-03 saga boss bluesky.mp4");
  assert.ok((await readFile(path)).equals(await readFile(String(clip.path))));
  await rm(path);
  const [copy] = await exports.list();
  assert.deepEqual([copy?.state, /make room/.test(textOf(copy?.reason ?? ""))], ["failed", true]);
});

test("a cancelled export leaves no file behind, and one that was waiting never starts", { skip }, async () => {
  const exports = open();
  const first = await exports.export({ clip: clip.id, bytesMax: 170_000 });
  const second = await exports.export({ clip: clip.id, bytesMax: 180_000 });
  assert.equal((await exports.list()).find(({ id }) => id === second.id)?.state, "waiting");
  await exports.cancel(second.id);
  await until(exports, first.id, ({ state }) => state !== "waiting");
  await exports.cancel(first.id);
  assert.deepEqual(await exports.list(), []);
  await fit.stop();
  assert.deepEqual(
    (await readdir(join(folder, "fitted"))).filter((name) => /1[78]0000/.test(name)),
    [],
  );
  await assert.rejects(exports.cancel(first.id), refused("not_found", /no such copy/));
});

test("deleting a finished export deletes its file", { skip }, async () => {
  const exports = open();
  const { id } = await exports.export({ clip: clip.id, preset: "email" });
  await until(exports, id, ({ state }) => state === "ready");
  const { path } = await exports.file(id);
  await exports.cancel(id);
  assert.ok(!existsSync(path));
});

test("an impossible export is refused, and one that cannot be small enough fails, each with the reason", {
  skip,
}, async () => {
  await assert.rejects(open().export({ clip: clip.id }), refused("payload_invalid", /bytesMax.*discord/));
  await assert.rejects(open().export({ clip: "x", preset: "email" }), refused("not_found", /no such clip/));
  const wish = { clip: clip.id, preset: "discord" } as const;
  await assert.rejects(open({ kind: "marker" }).export(wish), refused("payload_invalid", /marker/));
  await assert.rejects(open({ state: "pending" }).export(wish), refused("payload_invalid", /pending/));
  await assert.rejects(open({ deletedAt: "2026-05-03" }).export(wish), refused("payload_invalid", /trash/));
  await assert.rejects(
    open({ missing: true }).export(wish),
    refused("payload_invalid", /no longer in the clips folder/),
  );
  const exports = open({ duration: 900 });
  const { id } = await exports.export({ clip: clip.id, bytesMax: 500_000 });
  const failing = async (): Promise<ClipExport> => {
    const [copy] = await exports.list();
    return copy?.state === "failed" ? copy : pause(10).then(failing);
  };
  const { reason, state } = await failing();
  assert.deepEqual(
    [state, /do not fit into 500 kB/.test(textOf(reason ?? ""))],
    ["failed", true],
    textOf(reason ?? ""),
  );
  await assert.rejects(exports.file(id), refused("not_found", /do not fit/));
});

test("above the maximum number of exports the oldest finished one is deleted, and a new one is refused while all are in progress", {
  skip,
}, async () => {
  const finish: (() => void)[] = [];
  const fitting: MediaFitter["makeCopy"] = (media) =>
    new Promise((resolve) => {
      finish.push(() => resolve({ ...media, changed: true, notes: [], mime: "video/mp4" }));
    });
  const exports = open({}, fitting);
  const wish = { clip: clip.id, preset: "email" } as const;
  const first = await exports.export(wish);
  for (let n = 1; n < clipExportsMax; n += 1) await exports.export(wish);
  await assert.rejects(exports.export(wish), refused("too_many_requests", /already in progress/));
  finish[0]?.();
  await until(exports, first.id, ({ state }) => state === "ready");
  const last = await exports.export(wish);
  const ids = (await exports.list()).map(({ id }) => id);
  assert.deepEqual([ids.length, ids[0], ids.includes(first.id)], [clipExportsMax, last.id, false]);
});
