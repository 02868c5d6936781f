// Tests of ffmpeg jobs: they are limited in every way, and leave no process behind.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test, vi } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { exitCodeText, FfmpegFailed, type FfmpegJob, readableStderr, runFfmpeg, startFfmpeg } from "./run.ts";

const skip = skipWithout("ffmpeg");
const ffmpeg = () => ({ path: pathOf("ffmpeg") });
const endless = ["-v", "error", "-re", "-f", "lavfi", "-i", "color=s=16x16", "-f", "null", "-"];
const bounds = { outBytesMax: 1_000_000 };

/** Returns a program that runs the script. It runs in the returned folder. */
function program(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "kit-run-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "ffmpeg");
  writeFileSync(path, `#!/bin/sh\ncd '${folder}'\n${script}\n`, { mode: 0o700 });
  return { path, folder };
}

/** Returns the child processes of this process, including zombies. */
function children(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1] === String(process.pid);
      } catch {
        return false;
      }
    });
}

test("a job returns its output", { skip }, async () => {
  const args = ["-v", "error", "-f", "lavfi", "-i", "color=white:s=16x16", "-frames:v", "2", "-pix_fmt", "gray"];
  const { stdout } = await runFfmpeg(ffmpeg(), [...args, "-f", "rawvideo", "pipe:1"], bounds);
  assert.equal(stdout.length, 2 * 16 * 16);
  assert.ok(stdout.every((luma) => luma > 200));
});

test("a job reads its input", { skip }, async () => {
  const input = Buffer.alloc(16 * 16, 7);
  const raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "16x16"];
  const args = ["-v", "error", "-protocol_whitelist", "file,pipe", ...raw, "-i", "pipe:0", "-f", "rawvideo", "pipe:1"];
  const { stdout } = await runFfmpeg(ffmpeg(), args, { ...bounds, input });
  assert.deepEqual(stdout, input);
});

test("a job that takes too long, writes too much or is cancelled is killed, and no process remains", {
  skip,
}, async () => {
  const before = !cannot.readProc ? children() : [];
  await assert.rejects(runFfmpeg(ffmpeg(), endless, { ...bounds, timeoutMs: 300 }), /did not finish within 0\.3 s/);
  const flood = ["-v", "error", "-f", "lavfi", "-i", "color=s=640x480", "-f", "rawvideo", "pipe:1"];
  await assert.rejects(runFfmpeg(ffmpeg(), flood, { ...bounds, outBytesMax: 500_000 }), /more than 500000 bytes/);
  const calling = new AbortController();
  const job = runFfmpeg(ffmpeg(), endless, { ...bounds, signal: calling.signal });
  calling.abort();
  await assert.rejects(job, /cancelled/);
  await assert.rejects(runFfmpeg(ffmpeg(), endless, { ...bounds, signal: AbortSignal.abort() }), /before it started/);
  if (!cannot.readProc)
    assert.deepEqual(
      children().filter((pid) => !before.includes(pid)),
      [],
    );
});

test("a job takes as long as it needs, and is killed once it has printed nothing for ten minutes", {
  skip: cannot.startScripts,
}, async (t) => {
  const { path, folder } = program(t, "echo $$; until [ -e go ]; do sleep 0.01; done; echo more; exec sleep 600");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const outputs = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  const job = runFfmpeg({ path }, [], { ...bounds, onOutput: (chunk) => outputs.shift()?.resolve(Number(chunk)) });
  job.catch(() => undefined);
  const [first, second] = outputs;
  const pid = (await first?.promise) ?? 0;
  vi.advanceTimersByTime(599_999);
  writeFileSync(join(folder, "go"), "");
  await second?.promise;
  vi.advanceTimersByTime(599_999);
  assert.doesNotThrow(() => process.kill(pid, 0), "it is not killed while it works");
  vi.advanceTimersByTime(1);
  await assert.rejects(job, /ffmpeg hangs: .* 10 minutes/);
});

test("a job gets processor time beside a game, and one in the background only what is left", {
  skip: cannot.readProc,
}, async (t) => {
  // The input comes after the priority is set.
  const ffmpeg = program(t, "read line; nice");
  const niceness = async (job: Partial<FfmpegJob>) =>
    Number((await runFfmpeg(ffmpeg, [], { ...bounds, input: Buffer.from("\n"), ...job })).stdout);
  assert.deepEqual([await niceness({}), await niceness({ isBackground: true })], [10, 19]);
});

test("a killed job ends although another program keeps its output open", { skip: cannot.startScripts }, async (t) => {
  const { path } = program(t, "sleep 600 &\necho $!\nwait");
  const keeper = Promise.withResolvers<number>();
  const calling = new AbortController();
  const job = runFfmpeg({ path }, [], {
    ...bounds,
    onOutput: (chunk) => keeper.resolve(Number(chunk)),
    signal: calling.signal,
  });
  const pid = await keeper.promise;
  t.onTestFinished(() => void process.kill(pid));
  calling.abort();
  await assert.rejects(job, /was cancelled/);
  assert.doesNotThrow(() => process.kill(pid, 0), "it still keeps the output");
});

test("an error contains ffmpeg's messages, readable and unchanged", { skip }, async () => {
  const failed = await runFfmpeg(ffmpeg(), ["-i", "/nowhere/at-all.mp4"], bounds).catch((error: unknown) => error);
  assert.ok(failed instanceof FfmpegFailed);
  assert.match(failed.message, /^ffmpeg ended with code \d+: .*No such file or directory/);
  assert.match(failed.stderr, /No such file or directory/);
});

test("a missing program is a failure of the job", async () => {
  await assert.rejects(runFfmpeg({ path: "/nowhere/ffmpeg" }, [], bounds), /could not be started \(ENOENT\)/);
});

test("input that is not read completely is no failure", { skip }, async () => {
  const raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "16x16", "-i", "pipe:0", "-frames:v", "1"];
  const input = Buffer.alloc(8_000_000);
  const { stdout } = await runFfmpeg(ffmpeg(), ["-v", "error", ...raw, "-f", "rawvideo", "pipe:1"], {
    ...bounds,
    input,
  });
  assert.equal(stdout.length, 16 * 16);
});

test("every thread of a job runs at low priority", {
  skip: cannot.readProc || skip,
}, async () => {
  const args = ["-v", "error", "-f", "lavfi", "-i", "color=s=64x64,realtime", "-threads", "2", "-c:v", "libx264"];
  const child = startFfmpeg(ffmpeg(), [...args, "-f", "mp4", "-movflags", "empty_moov+frag_every_frame", "pipe:1"]);
  try {
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const threads = readdirSync(`/proc/${child.pid}/task`);
    const niceness = threads.map((thread) => {
      const stat = readFileSync(`/proc/${child.pid}/task/${thread}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(") ") + 2).split(" ")[16]);
    });
    assert.ok(threads.length > 1);
    assert.deepEqual([...new Set(niceness)], [10]);
  } finally {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
  }
});

test("displayed messages are short and printable, and do not contain the home folder's path", () => {
  const stderr = `frame\r${homedir()}/clips/a.mp4: \u001b[31mbad\u001b[0m\n[mov,mp4 @ 0x55a637b655c0] ${"x".repeat(2_000)}\nNo meaningful edit list will be written\n`;
  const shown = readableStderr(stderr);
  assert.ok(shown.length < 700);
  assert.ok(!shown.includes(homedir()));
  assert.doesNotMatch(shown, /\p{Cc}|0x55a|edit list/u);
  assert.match(shown, /bad.* · \[mov,mp4\] x+$/);
});

test("an exit code of Windows is written as documentation writes it: an error of ffmpeg with its sign, a fault in hexadecimal", () => {
  const texts = { 0: "0", 1: "1", 255: "255", 4294967274: "-22", 3752568763: "-542398533", 3221225477: "0xC0000005" };
  for (const [code, text] of Object.entries(texts)) assert.equal(exitCodeText(Number(code)), text);
  assert.equal(exitCodeText(null), "null");
});
