// Tests of ffmpeg's version formats in different builds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseBuildYear, parseFfmpegVersion } from "./find.ts";

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
