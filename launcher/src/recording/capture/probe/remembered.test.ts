// A choice outlives the launcher, and what is written is only believed where it can be true.
import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Display, openDisplay } from "../../../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { until } from "../thread/fixture.ts";
import type { Choice, Refusal } from "./choice.ts";
import { type CaptureWish, createProbe } from "./probe.ts";
import { rememberedIn } from "./remembered.ts";
import type { Source } from "./source.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-remembered-"));
after(() => rmSync(folder, { recursive: true }));

const source: Source = {
  input: { kind: "x11-screen", display: ":7", x: 0, y: 0 },
  size: { width: 1920, height: 1080 },
  name: "screen :7",
};
const wanted = {
  ...({ key: "k", sources: [source], platform: "linux" } as const),
  orderOf: ({ input, size }: Source) => ({
    ...({
      input,
      inputSize: size,
      heightMax: 720,
      frameRate: 30,
      quality: "standard",
      sound: null,
      fpsMode: true,
    } as const),
  }),
};
const note = {
  key: "k",
  source: 0,
  encoder: "libx264",
  preset: "superfast",
  sound: null,
  width: 1280,
  height: 720,
  warnings: [],
  tried: [{ what: "x", ok: true, why: "y" }],
};
let files = 0;
const written = (value: unknown) => {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return rememberedIn(file);
};

test("the command is made anew of what is written, and of the source there is now", () => {
  const choice = written(note).recall(wanted);
  assert.ok(choice);
  assert.deepEqual(
    [choice.source, choice.encoder, choice.width, choice.height],
    ["screen :7", "libx264 superfast", 1280, 720],
  );
  assert.match(choice.args.join(" "), / -i :7\+0,0 .* -preset superfast /);
  const moved = { ...source, input: { ...source.input, x: 1920 } } as Source;
  assert.match(
    written(note)
      .recall({ ...wanted, sources: [moved] })
      ?.args.join(" ") ?? "",
    / -i :7\+1920,0 /,
  );
});

test("what is no choice, or one for something else, is as if nothing were written", () => {
  const wrong: unknown[] = [
    ...["", "{", "null", "[]"],
    ...[
      { ...note, key: "another" },
      { ...note, source: 1 },
      { ...note, encoder: "rm -rf" },
      { ...note, preset: "slow" },
    ],
    ...[
      { ...note, sound: { kind: "mic", device: "x" } },
      { ...note, width: "1280" },
      { ...note, tried: "x" },
    ],
  ];
  for (const value of wrong) assert.equal(written(value).recall(wanted), undefined, JSON.stringify(value));
  assert.equal(rememberedIn(join(folder, "none.json")).recall(wanted), undefined);
});

test("it is readable by its owner only, also where it lay open before, and a full disk is no failure", () => {
  const file = join(folder, "open.json");
  writeFileSync(file, "{}");
  chmodSync(file, 0o644);
  const choice = written(note).recall(wanted);
  assert.ok(choice);
  rememberedIn(file).keep(wanted, choice);
  if (process.platform !== "win32") assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(rememberedIn(file).recall(wanted), choice);
  rememberedIn(join(folder, "no", "such", "folder.json")).keep(wanted, choice);
  rememberedIn(file).forget();
  assert.equal(existsSync(file), false);
});

const skip = skipWithout("Xvfb", "ffmpeg");
let display: Display | undefined;
before(async () => {
  if (!skip) display = await openDisplay("640x480");
});
after(async () => display?.close());

const settings = { window: null, frameRate: 15, height: 480, quality: "low", sound: "off" } as const;
const wish = (path: string): CaptureWish => ({
  ffmpeg: { path, version: { major: 5, minor: 1, text: "5.1" }, from: "path", fpsMode: true },
  settings,
  display: display?.name,
  wayland: false,
});
const chosen = (answer: Choice | Refusal): Choice => {
  assert.ok(!("refused" in answer), JSON.stringify(answer));
  return answer;
};

/** The real one, and a list of how often it was started. */
function counted(name: string): { path: string; starts: () => number } {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho started >> '${path}.starts'\nexec '${pathOf("ffmpeg")}' "$@"\n`, {
    mode: 0o755,
  });
  const starts = () =>
    existsSync(`${path}.starts`) ? readFileSync(`${path}.starts`, "utf8").split("\n").length - 1 : 0;
  return { path, starts };
}

/** As a good probe leaves it, however busy this machine is. */
function remember(file: string, { order }: Choice, path: string): void {
  const { mtimeMs, size } = statSync(path);
  const inputs = [[{ ...order.input, window: null }, order.inputSize]];
  const key = JSON.stringify([path, mtimeMs, size, null, 15, 480, "low", "off", inputs]);
  const there = [{ input: order.input, size: order.inputSize, name: "screen" }];
  rememberedIn(file).keep({ key, sources: there }, { ...note, order } as unknown as Choice);
}

test("what is remembered is chosen without running anything, until it is asked for anew or ffmpeg is another", {
  skip,
}, async () => {
  const file = join(folder, "kept.json");
  const ffmpeg = counted("counted");
  /** Whether programs are run for it; it is called off then. */
  const runsFor = async (options: { anew?: boolean }): Promise<boolean> => {
    const before = ffmpeg.starts();
    const calling = new AbortController();
    const choosing = createProbe(file).choose(wish(ffmpeg.path), { ...options, signal: calling.signal });
    let isDone = false;
    void choosing.then(() => {
      isDone = true;
    });
    await until("it runs something, or has chosen", () => isDone || ffmpeg.starts() > before);
    calling.abort();
    await choosing;
    return ffmpeg.starts() > before;
  };
  const good = chosen(await createProbe().choose(wish(ffmpeg.path)));
  remember(file, good, ffmpeg.path);
  assert.equal(await runsFor({}), false);
  assert.equal(chosen(await createProbe(file).choose(wish(ffmpeg.path))).source, `screen ${display?.name}`);
  assert.equal(await runsFor({ anew: true }), true);
  assert.equal(existsSync(file), false, "what failed in use is not believed again");
  remember(file, good, ffmpeg.path);
  assert.equal(await runsFor({}), false);
  appendFileSync(ffmpeg.path, "\n");
  assert.equal(await runsFor({}), true, "another ffmpeg is tried");
});

test("who asks while it is being found out waits for that, and is told at once what may work until then", {
  skip,
}, async () => {
  const ffmpeg = counted("shared");
  const probe = createProbe();
  const ahead = probe.choose(wish(ffmpeg.path), { ahead: true });
  const guesses: Choice[] = [];
  const second = probe.choose(wish(ffmpeg.path), { meanwhile: (guess) => guesses.push(guess) });
  assert.equal(await second, await ahead);
  assert.deepEqual(
    guesses.map(({ encoder, sound }) => [encoder, sound]),
    [["libx264 ultrafast", false]],
  );
  const starts = ffmpeg.starts();
  await probe.choose(wish(ffmpeg.path), { meanwhile: (guess) => guesses.push(guess) });
  assert.deepEqual([guesses.length, ffmpeg.starts()], [1, starts]);
});
