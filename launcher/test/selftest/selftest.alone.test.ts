// Tests `kit selftest` as a user runs it: on a virtual screen with a sound server, and on a computer that has nothing.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type TestContext, test } from "vitest";
import { openDisplay } from "../../../tools/engines/display.ts";
import { freePort } from "../../../tools/engines/free-port.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openSoundServer } from "../../../tools/engines/sound-server.ts";
import { isMachineTooBusy } from "../../../tools/run-tests/cost.ts";
import { checkPorts } from "../../src/selftest/checks/launcher.ts";
import { startOwnLauncher } from "../../src/selftest/own-launcher.ts";
import { standInDesktop } from "../monitor/stand-in-desktop.ts";
import { kitCommand } from "../support/launcher-process.ts";

type Check = { id: string; status: string; figures: Record<string, unknown>; advice: string };
type Report = { about: string; checks: Check[] };

/** Runs the self-test with a home of its own. `folder` is where it may write. */
async function runSelftest(t: TestContext, env: Record<string, string>, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "kit-test-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, "config");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const port = String(await freePort());
  const own = {
    KIT_PORT: port,
    XDG_CONFIG_HOME: config,
    KIT_DATA_DIR: join(folder, "users-data"),
    TMPDIR: temporary,
    LC_ALL: "C.UTF-8",
  };
  const [program, ...start] = kitCommand("selftest", ...words);
  const child = spawn(program, start, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...own, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = async (stream: Readable) => Buffer.concat((await stream.toArray()) as Buffer[]).toString();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { folder, config, temporary, stdout, stderr, code: code as number };
}

/** True if something failed that may pass on a computer with less to do. */
const tooBusy = ({ checks }: Report) => isMachineTooBusy() && checks.some(({ status }) => status !== "passed");

const statuses = ({ checks }: Report) => Object.fromEntries(checks.map(({ id, status }) => [id, status]));

test("on a computer with screen, sound and ffmpeg, everything passes, is reported without names, and leaves nothing", {
  skip: skipWithout("Xvfb", "PulseAudio", "ffmpeg"),
}, async (t) => {
  const display = await openDisplay("1366x768");
  t.onTestFinished(display.close);
  const sound = await openSoundServer();
  t.onTestFinished(sound.close);
  const desktop = standInDesktop();
  t.onTestFinished(() => desktop[Symbol.dispose]());
  const env = { DISPLAY: display.name, PULSE_SERVER: sound.address, PATH: `${desktop.folder}:${process.env.PATH}` };
  let run = await runSelftest(t, env, "--yes", "--json");
  let report = JSON.parse(run.stdout) as Report;
  // As the self-test advises when a capture starves on a busy computer.
  let runs = 1;
  for (; runs < 3 && tooBusy(report); runs += 1) {
    run = await runSelftest(t, env, "--yes", "--json");
    report = JSON.parse(run.stdout) as Report;
  }
  const { folder, config, temporary, stdout, stderr, code } = run;
  const captured = ["clip", "sound", "own sound", "encoders", "source x11-screen", "source x11-window"];
  const others = ["ports", "permissions", "sender", "autostart", "end"];
  const more = ["notification", "hotkey", "clipboard", "rename", "long paths", "clocks"];
  assert.deepEqual(
    statuses(report),
    Object.fromEntries([...captured, ...others, ...more].map((id) => [id, "passed"])),
    JSON.stringify(report.checks.filter(({ status }) => status !== "passed")),
  );
  assert.equal(code, 0, stderr);
  for (const { id, figures } of report.checks) {
    const { frames, readable, secondsWithTone } = figures;
    if (id === "own sound") assert.ok(Number(figures.secondsWithOwnTone) >= 1 && figures.secondsWithOther === 0);
    else if (id === "sound") assert.ok(Number(secondsWithTone) >= 1);
    else if (captured.includes(id) && id !== "encoders")
      assert.ok(Number(readable) >= 10 && Number(readable) >= Number(frames) * 0.9, `${id}: ${readable} of ${frames}`);
  }
  assert.equal(desktop.calls().length, runs);

  const page = readFileSync(join(folder, "kit-selftest.html"), "utf8");
  assert.equal(page.match(/src="data:image\/png;base64,/g)?.length, 3);
  // A short name is part of other words.
  for (const word of [folder, homedir(), hostname()].filter(({ length }) => length > 3)) {
    assert.ok(!page.includes(word), `the page names ${word}`);
    assert.ok(!stdout.includes(word), `the JSON names ${word}`);
  }
  assert.deepEqual(readdirSync(temporary), []);
  assert.deepEqual(existsSync(join(folder, "users-data")), false);
  assert.ok(!existsSync(join(config, "autostart/kit.desktop")));
});

test("without screen, sound and ffmpeg, it says what is not possible and why, and the rest passes", async (t) => {
  const { stdout, code, folder } = await runSelftest(
    t,
    { KIT_FFMPEG: "/nowhere/ffmpeg" },
    "--yes",
    "--page",
    "page.html",
  );
  assert.equal(code, 0, stdout);
  for (const line of [
    /^passed +ports +/m,
    /^passed +sender +program: node/m,
    /^not possible here +clip +The ffmpeg that KIT_FFMPEG names/m,
    /^not possible here +encoders +The ffmpeg/m,
    /^not possible here +hotkey +There is no X display here/m,
    /^not possible here +clipboard +There is no X display here/m,
    /^not possible here +notification +\S/m,
    /^passed +rename/m,
    /^passed +long paths +characters: \d{3}/m,
    /\d+ passed, 0 failed, \d+ not possible here$/m,
  ])
    assert.match(stdout, line);
  assert.ok(existsSync(join(folder, "page.html")));
});

for (const [what, display, why] of [
  ["no display", "", /There is no (screen|X display) here/],
  ["a display that does not answer", ":7531", /The X display :7531 cannot be opened/],
] as const)
  test(`with ffmpeg and ${what}, each check that needs the screen is not possible and says why`, {
    skip: skipWithout("ffmpeg"),
  }, async (t) => {
    const { stdout, stderr, code } = await runSelftest(t, { DISPLAY: display, KIT_SENDERS: "off" }, "--yes", "--json");
    const { checks } = JSON.parse(stdout) as Report;
    const needScreen = ["clip", "sound", "source screen", "hotkey", "clipboard"];
    for (const id of needScreen) {
      const check = checks.find((each) => each.id === id);
      assert.equal(check?.status, "not possible here", `${id}: ${check?.advice}`);
      assert.match(check?.advice ?? "", why, id);
    }
    const sender = checks.find(({ id }) => id === "sender");
    assert.equal(sender?.status, "not possible here");
    assert.match(sender?.advice ?? "", /KIT_SENDERS is off\. Unset it/);
    assert.equal(checks.find(({ id }) => id === "encoders")?.status, "passed");
    assert.equal(code, 0, stderr);
  });

test("the addresses are those at which the launcher answers, not those that it prints", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-test-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ownCommand = ["/bin/sh", "-c", 'exec "$0" "$@" > /dev/null', ...kitCommand()];
  const launcher = await startOwnLauncher({ ownCommand, folder, signal: t.signal });
  const usual = createServer().listen(0, "127.0.0.1");
  t.onTestFinished(() => void usual.close());
  await once(usual, "listening");
  const { port } = usual.address() as { port: number };
  try {
    assert.deepEqual(await checkPorts(launcher, launcher.port, 5), {
      status: "passed",
      figures: { usualPort: "Kit runs on it", addresses: "IPv4 and IPv6", startMs: 5 },
      advice: "",
    });
    usual.on("connection", (socket) => socket.end());
    const { status, advice } = await checkPorts(launcher, port, 5);
    assert.equal(status, "failed");
    assert.match(advice, /^Another program uses port \d+, .* `kit doctor` names it/);
  } finally {
    assert.equal(await launcher.stop(), true);
  }
});

test("a failed check names a command as it is typed here, its page names no folder, and the exit code says so", async (t) => {
  const usual = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  t.onTestFinished(() => void usual.close());
  await once(usual, "listening");
  const { port } = usual.address() as { port: number };
  const env = { KIT_PORT: String(port), KIT_FFMPEG: "/nowhere/ffmpeg" };
  const { stdout, code, folder } = await runSelftest(t, env, "--yes");
  assert.equal(code, 5, stdout);
  assert.match(
    stdout,
    /^failed +ports +Another program uses .*`npx kit doctor --data-dir "[^"]+users-data"` names it/m,
  );
  assert.match(stdout, /\d+ passed, 1 failed, /);
  const page = readFileSync(join(folder, "kit-selftest.html"), "utf8");
  assert.match(page, /: \d+ passed, 1 failed, \d+ not possible here<\/p>/);
  assert.match(page, /`kit doctor` names it/);
});

test("a page that cannot be written is refused before anything is tried, with what to do", async (t) => {
  const { stderr, stdout, code, folder } = await runSelftest(t, {}, "--yes", "--json", "--page", "no folder/page.html");
  assert.equal(code, 2, stderr);
  assert.match(stderr, /Kit cannot write .*page\.html \(ENOENT\)\. Name another file with --page\.$/m);
  assert.equal(stdout, "");
  assert.deepEqual(readdirSync(folder).sort(), ["tmp"]);
});

test("it asks first, and does nothing without a yes", async (t) => {
  const { stderr, stdout, code, folder } = await runSelftest(t, {});
  assert.equal(code, 2);
  assert.match(stderr, /records the screen and what the computer plays, plays quiet tones, .*Add --yes to confirm/s);
  assert.equal(stdout, "");
  assert.deepEqual(readdirSync(folder).sort(), ["tmp"]);
});
