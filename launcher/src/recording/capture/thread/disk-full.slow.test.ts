// Tests of a full disk: a cut fails, the capture continues, no partial file stays, and the footage can be cut again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { writeClipFile } from "../../mp4/assemble.ts";
import { planOf } from "../../plans/test/plan-of.ts";
import { FfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, syntheticDeps, until } from "./test/fixture.ts";

const mayMount = process.platform === "linux" && process.getuid?.() === 0;
const skip = !mayMount || skipWithout("ffmpeg");
const megabyte = 1_000_000;

describe("on a disk that is full", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "kit-disk-"));
  const disk = join(folder, "disk");
  beforeAll(() => {
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]);
  });
  afterAll(() => {
    execFileSync("umount", [disk]);
    rmSync(folder, { recursive: true });
  });

  test("a cut fails with ENOSPC, leaves no file, and succeeds as soon as there is space", async (t) => {
    const backend = new FfmpegBackend(syntheticDeps(pathOf("ffmpeg"), folder));
    t.onTestFinished(() => backend.stop());
    await backend.start();
    await until("it records", isRecording(backend));
    const fromMs = Date.now();
    const file = join(disk, "clip.mp4");
    const plan = planOf(fromMs, fromMs + 800);
    backend.hold("clip", fromMs);
    writeFileSync(join(disk, "other"), Buffer.alloc(20 * megabyte));
    await assert.rejects(backend.cut(plan, file), {
      code: "ENOSPC",
      message: /^The disk is full: the clip needs \d+ MB/,
    });
    assert.deepEqual(readdirSync(disk), ["other"]);
    assert.equal(backend.state().state, "recording");
    rmSync(join(disk, "other"));
    const footage = await backend.cut(plan, file);
    assert.ok(footage.frames > 5);
    assert.equal(statSync(file).size, footage.bytes);
    backend.release("clip");
  });

  test("a disk that fills up during the write leaves no partial file", async (t) => {
    // The check before the write is only an estimate, because other programs write too.
    const small = join(folder, "small");
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", small]);
    t.onTestFinished(() => void execFileSync("umount", [small]));
    const parts = Array.from({ length: 30 }, () => new Uint8Array(megabyte));
    const path = join(small, "clip.mp4");
    await assert.rejects(writeClipFile(path, parts, Number.NEGATIVE_INFINITY), { code: "ENOSPC" });
    assert.equal(existsSync(path), false);
  });
});
