// A full disk costs a clip at that moment, never the capture: no half file stays, and the footage can be cut again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { writeWhole } from "./cutter.ts";
import { createFfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, madeUpNeeds, until } from "./fixture.ts";

const mayMount = process.platform === "linux" && process.getuid?.() === 0;
const skip = mayMount ? skipWithout("ffmpeg") : "not run: only root on Linux can make a small disk";
const megabyte = 1_000_000;

describe("on a disk that is full", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "kit-disk-"));
  const disk = join(folder, "disk");
  before(() => {
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]);
  });
  after(() => {
    execFileSync("umount", [disk]);
    rmSync(folder, { recursive: true });
  });

  test("a cut says so, leaves nothing behind, and succeeds as soon as there is room", async (t) => {
    const backend = createFfmpegBackend(madeUpNeeds(pathOf("ffmpeg"), folder));
    t.after(backend.stop);
    await backend.start();
    await until("it records", isRecording(backend.state));
    const fromMs = Date.now();
    const file = join(disk, "clip.mp4");
    const order = { fromMs, toMs: fromMs + 800, file, title: "", comment: "[]", chapters: [] };
    backend.hold("clip", fromMs);
    writeFileSync(join(disk, "other"), Buffer.alloc(20 * megabyte));
    await assert.rejects(backend.cut(order), { code: "ENOSPC", message: /^The disk is full: the clip needs \d+ MB/ });
    assert.deepEqual(readdirSync(disk), ["other"]);
    assert.equal(backend.state().state, "recording");
    rmSync(join(disk, "other"));
    const footage = await backend.cut(order);
    assert.ok(footage.frames > 5);
    assert.equal(statSync(file).size, footage.bytes);
    backend.release("clip");
  });

  test("what fills up while the file is written leaves no half of it", async (t) => {
    // No room is promised to anybody: the check before the writing can only be a first guess.
    const small = join(folder, "small");
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", small]);
    t.after(() => execFileSync("umount", [small]));
    const parts = Array.from({ length: 30 }, () => new Uint8Array(megabyte));
    const path = join(small, "clip.mp4");
    await assert.rejects(writeWhole(path, parts, Number.NEGATIVE_INFINITY), { code: "ENOSPC" });
    assert.equal(existsSync(path), false);
  });
});
