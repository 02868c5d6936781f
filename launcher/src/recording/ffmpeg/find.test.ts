// Which ffmpeg is used, and what is said where none can be.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { enginesRequired, pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { findFfmpeg, howToInstall } from "./find.ts";

const skip = skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-find-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const nowhere = { chosen: undefined, searchPath: "", usualPlaces: [], packaged: () => undefined };

/** A program named ffmpeg in a folder of its own, with that text as its script. */
function fake(name: string, script: string): string {
  const path = join(mkdtempSync(join(folder, name)), "ffmpeg");
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test("the one on PATH is found and has answered", { skip }, async () => {
  const { ffmpeg, says } = await findFfmpeg({ ...nowhere, searchPath: process.env.PATH ?? "" });
  assert.equal(ffmpeg?.from, "path");
  assert.ok(ffmpeg.version.major >= 5, says);
  assert.equal(ffmpeg.fpsMode, true);
});

test("the one a person chose goes before the one on PATH", { skip }, async () => {
  const chosen = join(folder, "mine");
  symlinkSync(pathOf("ffmpeg"), chosen);
  const { ffmpeg } = await findFfmpeg({ ...nowhere, chosen, searchPath: process.env.PATH ?? "" });
  assert.deepEqual([ffmpeg?.path, ffmpeg?.from], [chosen, "setting"]);
});

test("where the chosen one does not run, no other is taken, and it is said why", { skip }, async () => {
  const searchPath = process.env.PATH ?? "";
  for (const chosen of [join(folder, "absent"), fake("broken", "echo no such codec >&2; exit 3")]) {
    const { ffmpeg, says } = await findFfmpeg({ ...nowhere, chosen, searchPath });
    assert.equal(ffmpeg, undefined);
    assert.match(says, /KIT_FFMPEG names does not run: .*(ENOENT|no such codec)/);
  }
});

test("one on PATH that does not run is passed over for the next, and named when there is no next", {
  skip,
}, async () => {
  const broken = join(fake("broken", "exit 1"), "..");
  const working = join(folder, "working");
  symlinkSync(join(pathOf("ffmpeg"), ".."), working);
  const found = await findFfmpeg({ ...nowhere, searchPath: [broken, working].join(delimiter) });
  assert.equal(found.ffmpeg?.path, join(working, "ffmpeg"));
  const none = await findFfmpeg({ ...nowhere, searchPath: broken });
  assert.match(none.says, /No ffmpeg was found: .* One is here, but does not run: ffmpeg ended with code 1\./);
});

test("it is asked at the capture's priority: a game on every core would starve it, and with it the recorder's word", {
  skip: process.platform === "linux" ? false : "not run: reads its niceness the way Linux does",
}, async () => {
  const asked = fake(
    "nice",
    'until [ "$(nice)" -ge 10 ]; do sleep 0.01; done; echo "ffmpeg version 6.$(nice) Copyright"',
  );
  const { ffmpeg } = await findFfmpeg({ ...nowhere, chosen: asked });
  assert.equal(ffmpeg?.version.minor, 10);
});

test("another program under its name is not believed", async () => {
  const { ffmpeg, says } = await findFfmpeg({ ...nowhere, chosen: fake("other", "echo convert 1.0") });
  assert.equal(ffmpeg, undefined);
  assert.match(says, /does not answer as ffmpeg does/);
});

test("a folder on PATH that depends on where the launcher was started is not looked in", async () => {
  const found = await findFfmpeg({ ...nowhere, searchPath: [".", "bin", ""].join(delimiter) });
  assert.equal(found.ffmpeg, undefined);
});

test("a build without a number is asked what it takes", { skip }, async () => {
  const knows = await findFfmpeg({
    ...nowhere,
    chosen: fake("knows", 'case "$*" in *-version*) echo ffmpeg version N-1-gabc x;; *) exit 0;; esac'),
  });
  assert.deepEqual([knows.ffmpeg?.version.major, knows.ffmpeg?.fpsMode], [0, true]);
  const not = await findFfmpeg({
    ...nowhere,
    chosen: fake("not", 'case "$*" in *-version*) echo ffmpeg version N-1-gabc x;; *) exit 1;; esac'),
  });
  assert.equal(not.ffmpeg?.fpsMode, false);
});

test("a release before 5.1 is known not to take -fps_mode", async () => {
  const { ffmpeg } = await findFfmpeg({ ...nowhere, chosen: fake("old", "echo ffmpeg version 5.0.3 x") });
  assert.equal(ffmpeg?.fpsMode, false);
});

test("the packaged build is the last resort, and its licence is named", async (t) => {
  const { ffmpeg, says } = await findFfmpeg({ chosen: undefined, searchPath: "", usualPlaces: [] });
  if (ffmpeg === undefined && !enginesRequired) return t.skip("the optional package is absent here");
  assert.equal(ffmpeg?.from, "package", says);
  assert.match(says, /packaged build \(GPL version 3/);
  assert.equal(ffmpeg?.year, 2018);
});

test("a packaged build that was unpacked without the right to run gets it", async () => {
  const path = fake("packaged", "echo ffmpeg version 9.9 x");
  chmodSync(path, 0o644);
  const { ffmpeg } = await findFfmpeg({ ...nowhere, packaged: () => path });
  assert.deepEqual([ffmpeg?.path, ffmpeg?.from], [path, "package"]);
});

test("on each system it is said what to install", () => {
  assert.match(howToInstall("linux"), /apt-get install ffmpeg/);
  assert.match(howToInstall("darwin"), /brew install ffmpeg/);
  assert.match(howToInstall("win32"), /winget install/);
  assert.match(howToInstall("freebsd"), /on PATH/);
});
