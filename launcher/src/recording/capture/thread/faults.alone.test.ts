// Tests of ffmpeg's faults: after any fault, the next clip is real footage with a gap no longer than the fault.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { cannot } from "../../../../../tools/engines/cannot.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { runFfmpeg } from "../../ffmpeg/run.ts";
import type { Footage } from "../../plans/plan.ts";
import { planOf } from "../../plans/test/plan-of.ts";
import { FfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, syntheticChoice, syntheticDeps, until, writeFaultyFfmpeg } from "./test/fixture.ts";

/** Number of rounds for each fault. KIT_FAULT_ROUNDS=200 takes a quarter of an hour for each. */
const rounds = Number(process.env.KIT_FAULT_ROUNDS ?? 1);
const skip = cannot.sendSignals || skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-faults-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fragmentMs = 250;
/** Tolerance for the current frame, the pipe, and a busy machine. */
const slackMs = 450;

/** Returns ended child processes that were not reaped. */
function zombies(): number[] {
  if (cannot.readProc) return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" && parent === String(process.pid) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

async function framesIn(file: string): Promise<number> {
  const input = ["-v", "error", "-protocol_whitelist", "file,pipe", "-i", file, "-map", "0:v"];
  // With -fps_mode passthrough, because ffmpeg otherwise drops frames above the nominal rate.
  const args = [...input, "-fps_mode", "passthrough", "-f", "framecrc", "-"];
  const { stdout } = await runFfmpeg({ path: pathOf("ffmpeg") }, args, { outBytesMax: 1_000_000, timeoutMs: 600_000 });
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#")).length;
}

type Fault = {
  readonly name: string;
  /** What to do to the running ffmpeg. */
  readonly act: (pid: number) => void;
  /** A shell command that replaces every second start. */
  readonly badly?: string;
  /** Expected log message. */
  readonly logged: RegExp;
  /** Maximum number of damaged pictures: garbage that completes the current box looks like footage. */
  readonly damagedFramesMax?: number;
};

const kill = (pid: number) => process.kill(pid, "SIGKILL");

const faults: readonly Fault[] = [
  { name: "is killed", act: kill, logged: /ended with SIGKILL/ },
  { name: "is stopped", act: (pid) => process.kill(pid, "SIGSTOP"), logged: /no footage came for 1 s/ },
  { name: "ends by itself with success", act: kill, badly: "exit 0", logged: /ended with 0/ },
  { name: "hangs silently", act: kill, badly: "exec sleep 1000", logged: /no footage came for 3 s/ },
  { name: "prints garbage", act: kill, badly: "exec cat /dev/urandom", logged: /not footage \(/ },
  {
    name: "prints garbage after footage",
    act: kill,
    badly: '"$FFMPEG" "$@" | head -c 30000; exec cat /dev/urandom',
    logged: /not footage \(/,
    damagedFramesMax: 5,
  },
  {
    name: "floods its error output",
    act: kill,
    badly: "exec yes 'something is wrong' >&2",
    logged: /wrote too many messages/,
  },
  { name: "ends in the middle of a box", act: kill, badly: '"$FFMPEG" "$@" | head -c 30000', logged: /ended with 0/ },
];

function check(footage: Footage, faultMs: number, fromMs: number): void {
  assert.ok(footage.fromMs - fromMs < 100, `begins ${footage.fromMs - fromMs} ms after its window`);
  const gap = footage.gaps[0];
  assert.ok(gap !== undefined, "the fault left a gap, and the footage names it");
  const lostMs = faultMs - gap.fromMs;
  assert.ok(lostMs < fragmentMs + slackMs, `${lostMs} ms before the fault are missing`);
}

describe("when ffmpeg", { skip, concurrent: true }, () => {
  for (const { name, act, badly, logged: expected, damagedFramesMax = 0 } of faults) {
    test(`${name}, the next clip has all footage up to the last fragment, and no process or record is left`, async (t) => {
      const own = mkdtempSync(join(folder, "fault-"));
      const ffmpeg = badly === undefined ? pathOf("ffmpeg") : writeFaultyFfmpeg(own, badly, pathOf("ffmpeg"));
      const logged: string[] = [];
      const needs = { ...syntheticDeps(ffmpeg, own), log: (_what: string, detail: string) => logged.push(detail) };
      const backend = new FfmpegBackend(needs);
      t.onTestFinished(() => backend.release("clip"));
      t.onTestFinished(() => backend.stop());
      await backend.start();
      for (let round = 0; round < rounds; round += 1) {
        await until("it records", isRecording(backend));
        const before = backend.state().restarts;
        const recordsMs = Date.now();
        await until("a second is held", () => Date.now() - recordsMs > 1_300);
        const fromMs = Date.now() - 1_000;
        backend.hold("clip", fromMs);
        const faultMs = Date.now();
        const [noted] = JSON.parse(readFileSync(needs.captureFile, "utf8")) as { pid: number }[];
        assert.ok(noted !== undefined && noted.pid > 1);
        act(noted.pid);
        await until("the fault is noticed", () => backend.state().restarts > before + (badly === undefined ? 0 : 1));
        await until("it records again", isRecording(backend));
        const file = join(own, "clip.mp4");
        const footage = await backend.cut(planOf(fromMs, Date.now() + 300), file);
        backend.release("clip");
        check(footage, faultMs, fromMs);
        assert.equal(statSync(file).size, footage.bytes);
        const missing = footage.frames - (await framesIn(file));
        assert.ok(Math.abs(missing) <= damagedFramesMax, `${missing} frames cannot be decoded`);
        assert.ok(
          logged.some((detail) => expected.test(detail)),
          `the log says so: ${logged.join(" | ")}`,
        );
        assert.ok(backend.state().lostSeconds > 0);
      }
      await backend.stop();
      await until("no process is left unreaped", () => zombies().length === 0, 5_000);
      assert.deepEqual(readdirSync(own).includes("capture.json"), false, "the process record is removed");
    });
  }

  test("a dying thread ends its ffmpeg, and a new thread replaces it", async (t) => {
    const own = mkdtempSync(join(folder, "thread-"));
    const choices = [syntheticChoice(), { ...syntheticChoice(), args: undefined as never }, syntheticChoice()];
    let frameRate: 15 | 20 = 15;
    const base = syntheticDeps(pathOf("ffmpeg"), own);
    const needs = {
      ...base,
      settings: () => ({ ...base.settings(), frameRate }),
      probe: { choose: async () => choices.shift() ?? syntheticChoice() },
    };
    const backend = new FfmpegBackend(needs);
    t.onTestFinished(() => backend.stop());
    await backend.start();
    await until("it records", isRecording(backend));
    const waiting = backend.cut(planOf(Date.now(), Date.now() + 20_000), join(own, "clip.mp4"));
    const refused = assert.rejects(waiting, { name: "NoFootage" });
    frameRate = 20;
    await backend.start();
    await refused;
    await until(
      "another thread records",
      () => backend.state().restarts === 1 && backend.state().state === "recording",
    );
    await backend.stop();
    await until("no process is left unreaped", () => zombies().length === 0, 5_000);
  });
});
