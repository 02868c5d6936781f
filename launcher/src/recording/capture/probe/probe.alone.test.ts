// Tests of the probe on a real X server: with a window, with and without sound, and if nothing works.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { type ClockWindow, openClockWindow } from "../../../../../tools/engines/clock-window.ts";
import { type Display, openDisplay } from "../../../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { openSoundServer } from "../../../../../tools/engines/sound-server.ts";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import { startFfmpeg } from "../../ffmpeg/run.ts";
import type { CaptureChoice, ProbeRefusal } from "./choice.ts";
import { choosePreset, parseCoreShare } from "./encoder-trials.ts";
import { createCaptureProbe, type ProbeRequest } from "./probe.ts";
import { builds } from "./test/builds.ts";

const skip = skipWithout("Xvfb", "ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-probe-"));
let display: Display | undefined;
let clock: ClockWindow | undefined;

beforeAll(async () => {
  if (skip) return;
  display = await openDisplay("800x600");
  clock = await openClockWindow({
    display: display.name,
    width: 640,
    height: 360,
    title: "Castle",
    framesPerSecond: 30,
  });
});
afterAll(async () => {
  await clock?.close();
  await display?.close();
  rmSync(folder, { recursive: true, force: true });
});

const picture = { window: null, monitor: null, frameRate: 15, height: 480, quality: "low" } as const;
const settings = { ...picture, sound: "off", microphone: false } as const;
const wishOf = (ffmpeg: Ffmpeg, changed: Partial<ProbeRequest["settings"]> = {}): ProbeRequest => ({
  ffmpeg,
  settings: { ...settings, ...changed },
  display: display?.name,
  wayland: false,
});

/** This machine's ffmpeg, found once. */
const system = (): Ffmpeg => ({
  path: pathOf("ffmpeg"),
  version: { major: 5, minor: 1, text: "5.1" },
  origin: "path",
  hasFpsMode: true,
});

function chosen(answer: CaptureChoice | ProbeRefusal): CaptureChoice {
  if ("refused" in answer) throw new Error(`${textOf(answer.refused)} ${JSON.stringify(answer.tried)}`);
  return answer;
}

function refused(answer: CaptureChoice | ProbeRefusal): ProbeRefusal {
  if (!("refused" in answer)) throw new Error(`it chose ${answer.source}`);
  return answer;
}

/** A program that replaces ffmpeg. */
function stand(name: string, script: string): Ffmpeg {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...system(), path };
}

for (const build of builds) {
  test(`${build.name}: the probe chooses a command that captured the screen, and reports what it tried`, {
    skip: build.skip,
  }, async () => {
    const choice = chosen(await createCaptureProbe().choose(wishOf(await build.find())));
    assert.match(choice.source, /^screen :\d+$/);
    assert.match(choice.encoder, /264/);
    assert.deepEqual([choice.width, choice.height, choice.sound], [640, 480, false]);
    assert.doesNotMatch(choice.warnings.join(), /black/);
    const last = choice.tried.at(-1);
    assert.ok(last?.ok);
    assert.match(textOf(last.what), /^screen :\d+, .*264/);
    assert.match(textOf(last.why), /^640×480, .* arrived/);
    assert.ok(choice.tried.every(({ why }) => textOf(why).length > 0));
  });
}

test("a choice for a window is reused for the same request, and made again on demand", { skip }, async () => {
  const probe = createCaptureProbe();
  const wish = wishOf(system(), { window: "castle" });
  const first = chosen(await probe.choose(wish));
  assert.equal(first.source, 'window "Castle"');
  assert.deepEqual([first.width, first.height], [640, 360]);
  // A choice with reduced quality is not saved.
  assert.equal((await probe.choose(wish)) === first, first.degraded === null);
  assert.notEqual(await probe.choose(wish, { ignoreSaved: true }), first);
});

test("a closed window is refused, and the refusal is not cached", { skip }, async () => {
  const probe = createCaptureProbe();
  const answer = refused(await probe.choose(wishOf(system(), { window: "Dungeon" })));
  assert.match(textOf(answer.refused), /No visible window has "Dungeon" in its title/);
  assert.ok("refused" in (await probe.choose(wishOf(system(), { window: "Dungeon" }))));
});

test("a black screen is recorded, with a warning", { skip }, async () => {
  const black = await openDisplay("640x480");
  try {
    const choice = chosen(await createCaptureProbe().choose({ ...wishOf(system()), display: black.name }));
    assert.match(choice.warnings.map(textOf).join(), /^The picture was black/);
    assert.match(textOf(choice.tried.at(-1)?.why ?? ""), /all black/);
  } finally {
    await black.close();
  }
});

test("sound is captured if a server provides it, and otherwise left out with a reason", {
  skip: skip || skipWithout("PulseAudio"),
}, async () => {
  const server = await openSoundServer();
  const before = process.env.PULSE_SERVER;
  process.env.PULSE_SERVER = server.address;
  const tone = ["-v", "error", "-re", "-f", "lavfi", "-i", "sine=frequency=880", "-f", "pulse", "tone"];
  const player = startFfmpeg(system(), tone);
  const ended = new Promise((resolve) => player.once("close", resolve));
  try {
    const heard = chosen(await createCaptureProbe().choose(wishOf(system(), { sound: "system" })));
    assert.ok(heard.sound, JSON.stringify(heard.tried));
    assert.doesNotMatch(heard.warnings.map(textOf).join(), /no sound/);
    assert.ok(heard.args.includes("pipe:3") && !heard.args.includes("pipe:4"));
    const spoken = chosen(await createCaptureProbe().choose(wishOf(system(), { sound: "off", microphone: true })));
    assert.ok(spoken.args.includes("pipe:4"), "the microphone is never the first track");
    const path = process.env.PATH;
    const wish = wishOf(system(), { sound: "game", microphone: true });
    process.env.PATH = folder;
    const all = await createCaptureProbe()
      .choose(wish)
      .finally(() => {
        process.env.PATH = path;
      });
    assert.ok(chosen(all).args.includes("@DEFAULT_MONITOR@"), "without parec, ffmpeg records all sound");
    assert.match(chosen(all).warnings.map(textOf).join(), /sound of every program.*no microphone/);
  } finally {
    player.kill("SIGKILL");
    await ended;
    await server.close();
  }
  try {
    const silent = chosen(await createCaptureProbe().choose(wishOf(system(), { sound: "system" })));
    assert.equal(silent.sound, false);
    assert.match(silent.warnings.map(textOf).join(), /no sound/);
    const why = silent.tried.find(({ what }) => textOf(what).startsWith("sound"))?.why;
    assert.equal(textOf(why ?? ""), "no PulseAudio or PipeWire server answers");
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, "PULSE_SERVER");
    else process.env.PULSE_SERVER = before;
  }
});

test("an ffmpeg without a working encoder is refused with its message for each encoder", { skip }, async () => {
  const answer = refused(
    await createCaptureProbe().choose(wishOf(stand("useless", "echo 'Unknown encoder' >&2; exit 1"))),
  );
  assert.match(textOf(answer.refused), /no encoder for H.264 works here/);
  assert.ok(
    answer.tried.some(
      ({ what, ok, why }) =>
        textOf(what) === "libx264" && !ok && textOf(why ?? "") === "this ffmpeg was built without it",
    ),
  );
});

test("an ffmpeg whose capture ends, writes garbage or hangs is refused", { skip }, async () => {
  const unless = (script: string) => `case "$*" in *x11grab*) ${script};; *) exit 0;; esac`;
  const refusals: [name: string, script: string, reason: RegExp][] = [
    ["ends", "echo Cannot open display >&2; exit 0", /no picture arrived: Cannot open display/],
    ["garbage", "exec cat /bin/sh", /the output is not a video stream/],
  ];
  for (const [name, script, reason] of refusals) {
    assert.match(
      textOf(refused(await createCaptureProbe().choose(wishOf(stand(name, unless(script))))).refused),
      reason,
    );
  }
  const calling = new AbortController();
  const hanging = stand("hangs", unless("exec sleep 60"));
  const choosing = createCaptureProbe().choose(wishOf(hanging), { signal: calling.signal });
  setTimeout(() => calling.abort(), 500);
  assert.match(textOf(refused(await choosing).refused), /cancelled/);
});

test("the better preset is only for fast machines", () => {
  const small = { size: { width: 1280, height: 720 }, frameRate: 30, quality: "standard" } as const;
  const large = { size: { width: 1920, height: 1080 }, frameRate: 60, quality: "standard" } as const;
  assert.equal(choosePreset(0.12, small), "superfast");
  assert.equal(choosePreset(0.3, small), "ultrafast");
  assert.equal(choosePreset(0.12, large), "ultrafast");
  // Without a measurement, the machine counts as slow.
  assert.equal(choosePreset(Number.NaN, small), "ultrafast");
  const stderr = "x\nbench: utime=0.281s stime=0.019s rtime=0.293s\nbench: maxrss=1kB\n";
  assert.equal(parseCoreShare(stderr, 30).toFixed(3), "0.300");
  assert.equal(parseCoreShare(stderr, 60).toFixed(3), "0.600");
  assert.ok(Number.isNaN(parseCoreShare("", 30)));
});

test("on Windows, a window with another size is chosen again without another test", { skip }, async () => {
  const ffmpeg = stand(
    "windows",
    `case "$*" in
  *-devices*) echo ' D  gdigrab  GDI' ;;
  *gdigrab*) echo tried >> '${folder}/tried'
    exec '${pathOf("ffmpeg")}' -hide_banner -nostdin $(echo "$*" | sed 's/.*-framerate 15//; s/^.* -i hwnd=42/-f lavfi -i testsrc2=s=640x480:r=15,realtime,settb=1\\/1000000,setpts=time(0)\\/TB/') ;;
  *) exec '${pathOf("ffmpeg")}' "$@" ;;
esac`,
  );
  const followed = { id: 42, title: "Castle", width: 640, height: 480, isShown: true };
  const request: ProbeRequest = { ...wishOf({ ...ffmpeg, version: { major: 9, minor: 0, text: "9.0" } }), followed };
  const probe = createCaptureProbe();
  const windows = { ...request, platform: "win32" } as const;
  const first = chosen(await probe.choose(windows));
  const trials = readFileSync(join(folder, "tried"), "utf8");
  assert.equal(await probe.choose(windows), first);
  const larger = chosen(await probe.choose({ ...windows, followed: { ...followed, width: 1_280, height: 720 } }));
  assert.deepEqual(larger.spec.listedSize, { width: 1_280, height: 720 });
  assert.deepEqual([larger.width, larger.height], [852, 480]);
  assert.equal(readFileSync(join(folder, "tried"), "utf8"), trials);
});

test("a window that opens soon after the screen was looked at is captured without another look", { skip }, async () => {
  const probe = createCaptureProbe();
  const soon = await openDisplay("640x480");
  const request = { ...wishOf(system()), display: soon.name };
  const followed = { id: 0x200001, title: "Castle", width: 320, height: 240, isShown: true };
  try {
    chosen(await probe.choose(request));
  } finally {
    await soon.close();
  }
  const { spec, source } = chosen(await probe.choose({ ...request, followed }));
  assert.deepEqual(
    [spec.input, source],
    [{ kind: "x11-window", display: soon.name, window: followed.id }, 'window "Castle"'],
  );
});
