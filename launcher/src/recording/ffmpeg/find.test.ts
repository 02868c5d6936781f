// Tests of finding ffmpeg: which one is used, the message if there is none, and the version formats of different builds.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { textOf } from "@kit/contract";
import { afterAll, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { enginesRequired, pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { findFfmpeg, noFfmpegMessage, parseBuildYear, parseFfmpegVersion } from "./find.ts";

const skip = skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-find-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nowhere = { chosen: undefined, searchPath: "", usualPlaces: [], packaged: () => undefined };

/** Writes a script named ffmpeg into a new folder. */
function fake(name: string, script: string, program = "ffmpeg"): string {
  const path = join(mkdtempSync(join(folder, name)), program);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test("an ffmpeg on PATH is found and run", { skip }, async () => {
  const { ffmpeg, says } = await findFfmpeg({ ...nowhere, searchPath: process.env.PATH ?? "" });
  assert.equal(ffmpeg?.origin, "path");
  assert.ok(ffmpeg.version.major >= 5, textOf(says));
  assert.equal(ffmpeg.hasFpsMode, true);
});

test("the ffmpeg that a person set precedes the one on PATH", { skip }, async () => {
  const chosen = join(folder, "mine");
  symlinkSync(pathOf("ffmpeg"), chosen);
  const { ffmpeg } = await findFfmpeg({ ...nowhere, chosen, searchPath: process.env.PATH ?? "" });
  assert.deepEqual([ffmpeg?.path, ffmpeg?.origin], [chosen, "setting"]);
});

test("if the set ffmpeg does not run, no other is used, and the message says why", { skip }, async () => {
  const searchPath = process.env.PATH ?? "";
  for (const chosen of [join(folder, "absent"), fake("broken", "echo no such codec >&2; exit 3")]) {
    const { ffmpeg, says } = await findFfmpeg({ ...nowhere, chosen, searchPath });
    assert.equal(ffmpeg, undefined);
    assert.match(textOf(says), /KIT_FFMPEG names does not run: .*(ENOENT|no such codec)/);
  }
});

test("a failing ffmpeg on PATH is skipped, and reported if there is no other", {
  skip,
}, async () => {
  const broken = join(fake("broken", "exit 1"), "..");
  const working = join(folder, "working");
  symlinkSync(join(pathOf("ffmpeg"), ".."), working);
  const found = await findFfmpeg({ ...nowhere, searchPath: [broken, working].join(delimiter) });
  assert.equal(found.ffmpeg?.path, join(working, "ffmpeg"));
  const none = await findFfmpeg({ ...nowhere, searchPath: broken });
  assert.match(
    textOf(none.says),
    /No ffmpeg was found: .* The one on this machine does not run: ffmpeg ended with code 1\./,
  );
});

test("another program named ffmpeg is rejected", async () => {
  const { ffmpeg, says } = await findFfmpeg({ ...nowhere, chosen: fake("other", "echo convert 1.0") });
  assert.equal(ffmpeg, undefined);
  assert.match(textOf(says), /does not answer like ffmpeg/);
});

test("relative folders on PATH are ignored", async () => {
  const found = await findFfmpeg({ ...nowhere, searchPath: [".", "bin", ""].join(delimiter) });
  assert.equal(found.ffmpeg, undefined);
});

test("the features of a build without a release number are tested", { skip }, async () => {
  const knows = await findFfmpeg({
    ...nowhere,
    chosen: fake("knows", 'case "$*" in *-version*) echo ffmpeg version N-1-gabc x;; *) exit 0;; esac'),
  });
  assert.deepEqual([knows.ffmpeg?.version.major, knows.ffmpeg?.hasFpsMode], [0, true]);
  const not = await findFfmpeg({
    ...nowhere,
    chosen: fake("not", 'case "$*" in *-version*) echo ffmpeg version N-1-gabc x;; *) exit 1;; esac'),
  });
  assert.equal(not.ffmpeg?.hasFpsMode, false);
});

test("a release before 5.1 does not support -fps_mode", async () => {
  const { ffmpeg } = await findFfmpeg({ ...nowhere, chosen: fake("old", "echo ffmpeg version 5.0.3 x") });
  assert.equal(ffmpeg?.hasFpsMode, false);
});

test("the packaged build is the last resort, and its licence is named", async (t) => {
  const { ffmpeg, says } = await findFfmpeg({ chosen: undefined, searchPath: "", usualPlaces: [] });
  if (ffmpeg === undefined && !enginesRequired) return t.skip("the optional package is absent here");
  assert.equal(ffmpeg?.origin, "package", textOf(says));
  assert.match(textOf(says), /packaged build \(GPL version 3/);
  assert.equal(ffmpeg?.year, 2018);
});

/** A program for Windows with this version, as a script. */
const fakeExe = (version: string, year = 2026) =>
  fake("windows", `echo "ffmpeg version ${version} Copyright (c) 2000-${year} the FFmpeg developers"`, "ffmpeg.exe");
const onWindows = { ...nowhere, platform: "win32", ownFolder: folder } as const;

test("on Windows, the ffmpeg beside Kit precedes the one on PATH, and the message says that it came with Kit", async () => {
  const own = fakeExe("9.0.2-kit");
  const searchPath = [dirname(own), dirname(fakeExe("8.0"))].join(delimiter);
  const { ffmpeg, says } = await findFfmpeg({ ...onWindows, ownFolder: dirname(own), searchPath });
  assert.deepEqual([ffmpeg?.path, ffmpeg?.origin], [own, "kit"]);
  assert.match(textOf(says), /9\.0\.2-kit, which came with Kit/);
  assert.equal((await findFfmpeg({ ...onWindows, searchPath })).ffmpeg?.origin, "path");
  const onLinux = await findFfmpeg({ ...nowhere, platform: "linux", ownFolder: dirname(own) });
  assert.equal(onLinux.ffmpeg, undefined);
});

test("on Windows, an ffmpeg whose times are wrong there is passed over and named, and the packaged one is never used", async () => {
  const old = fakeExe("4.4.1-full_build");
  const newer = fakeExe("5.1.2");
  const found = await findFfmpeg({ ...onWindows, searchPath: [dirname(old), dirname(newer)].join(delimiter) });
  assert.equal(found.ffmpeg?.path, newer);
  const none = await findFfmpeg({ ...onWindows, searchPath: dirname(old), packaged: () => newer });
  assert.equal(none.ffmpeg, undefined);
  assert.match(
    textOf(none.says),
    /winget.*ffmpeg 4\.4\.1-full_build on this machine cannot record on Windows: version 5\.1/,
  );
  const chosen = await findFfmpeg({ ...onWindows, chosen: fakeExe("N-92722-gf22fcd4483", 2018) });
  assert.match(textOf(chosen.says), /as set by KIT_FFMPEG.* cannot record on Windows/);
  assert.equal((await findFfmpeg({ ...onWindows, chosen: fakeExe("N-121000-g1", 2025) })).ffmpeg?.year, 2025);
});

test("on Windows, an ffmpeg that winget installed is found in its folders, the newest version first", async () => {
  const local = mkdtempSync(join(folder, "local"));
  const package_ = join(local, "Microsoft/WinGet/Packages/Gyan.FFmpeg_Microsoft.Winget.Source_8wekyb3d8bbwe");
  const install = (place: string, version: string) => {
    const path = join(place, "ffmpeg.exe");
    mkdirSync(place, { recursive: true });
    renameSync(fakeExe(version), path);
    return path;
  };
  mkdirSync(join(local, "Microsoft/WinGet/Packages/Other.Program_1"), { recursive: true });
  const find = async () => (await findFfmpeg({ ...anywhere, localAppData: local })).ffmpeg?.path;
  const anywhere = { chosen: undefined, searchPath: "", platform: "win32", ownFolder: folder } as const;
  assert.equal(await find(), undefined);
  install(join(package_, "ffmpeg-9.1-full_build/bin"), "9.1");
  const newest = install(join(package_, "ffmpeg-10.0-full_build/bin"), "10.0");
  assert.equal(await find(), newest);
  const linked = install(join(local, "Microsoft/WinGet/Links"), "10.0");
  assert.equal(await find(), linked);
});

/** Takes the rights from a process of root that let it see into every folder. */
const withoutAllFolders = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

test("on Windows, a program is found whose link is there and whose target may not be looked at, as those of the Store", {
  skip: cannot.readProc,
}, async (t) => {
  const links = mkdtempSync(join(folder, "links"));
  const closed = mkdtempSync(join(folder, "closed"));
  renameSync(fakeExe("9.0"), join(closed, "winget.exe"));
  symlinkSync(join(closed, "winget.exe"), join(links, "winget.exe"));
  symlinkSync(join(folder, "absent"), join(links, "broken.exe"));
  chmodSync(closed, 0);
  t.onTestFinished(() => chmodSync(closed, 0o700));
  const script = `
    import { statSync } from "node:fs";
    import { findProgram } from ${JSON.stringify(new URL("./find.ts", import.meta.url).href)};
    const look = () => statSync(${JSON.stringify(join(links, "winget.exe"))});
    let why; try { look(); } catch (error) { why = error.code; }
    const find = (name, platform) => findProgram(name, ${JSON.stringify(links)}, platform) !== undefined;
    console.log(why, find("winget", "win32"), find("broken", "win32"), find("winget.exe", "linux"));`;
  const words = [...withoutAllFolders, process.execPath, "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(words[0] ?? "", words.slice(1));
  assert.equal(stdout.trim(), "EACCES true false false");
});

test("a packaged build that is not executable is made executable", async () => {
  const path = fake("packaged", "echo ffmpeg version 9.9 x");
  chmodSync(path, 0o644);
  const { ffmpeg } = await findFfmpeg({ ...nowhere, packaged: () => path });
  assert.deepEqual([ffmpeg?.path, ffmpeg?.origin], [path, "package"]);
});

test("the message says what to install on each system", () => {
  assert.match(textOf(noFfmpegMessage("linux")), /apt-get install ffmpeg/);
  assert.match(textOf(noFfmpegMessage("darwin")), /brew install ffmpeg/);
  assert.match(textOf(noFfmpegMessage("win32")), /winget install/);
  assert.match(textOf(noFfmpegMessage("freebsd")), /on PATH/);
});

const versionOf = (text: string) =>
  parseFfmpegVersion(`ffmpeg version ${text} Copyright (c) 2000-2026 the FFmpeg developers\nbuilt with gcc`);

test("releases are parsed with any additions of a distribution", () => {
  const releases = {
    "5.1.9-0+deb12u1": [5, 1],
    "9.0.2-4": [9, 0],
    "n7.1": [7, 1],
    "n8.1-3-gabcdef0": [8, 1],
    "7:6.1.1-3ubuntu5": [6, 1],
    "8.0-full_build-www.gyan.dev": [8, 0],
    "4.4.6-tessus": [4, 4],
  };
  for (const [text, [major, minor]] of Object.entries(releases))
    assert.deepEqual(versionOf(text), { major, minor, text });
});

test("a build between releases gets version 0", () => {
  for (const text of [
    "N-47683-g0e8eb07980-static",
    "2024-05-02-git-71669f2ad5-full_build",
    "git-2020-06-26-7447045",
    "92718-g092cb17983",
  ]) {
    assert.deepEqual(versionOf(text), { major: 0, minor: 0, text });
  }
});

test("the output of another program is no version", () => {
  assert.equal(parseFfmpegVersion("GNU coreutils 9.1"), undefined);
  assert.equal(parseFfmpegVersion(""), undefined);
});

test("a version is short and printable", () => {
  assert.equal(versionOf(`9.0\u001b[2J${"x".repeat(500)}`)?.text.length, 60);
  assert.equal(versionOf("9.0\u001b[2J")?.text, "9.0[2J");
});

test("the year of a build is the newest that its copyright names", () => {
  const yearOf = (years: string) =>
    parseBuildYear(`ffmpeg version N-1-g0 https://a.example/  Copyright (c) ${years} the FFmpeg`);
  assert.deepEqual(["2000-2018", "2026", "", "20-18"].map(yearOf), [2018, 2026, undefined, undefined]);
});
