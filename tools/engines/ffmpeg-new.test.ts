// Tests that the installed newest ffmpeg is new enough and uses no libraries of the host.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { test } from "node:test";
import { enginesDir, pathOf, skipWithout } from "./locate.ts";
import { proveOwnLibraries } from "./private-debian.ts";

const skip = skipWithout("newest ffmpeg");

test("the newest ffmpeg is 8 or newer and encodes H.264", { skip }, () => {
  const run = (...words: string[]) => execFileSync(pathOf("newest ffmpeg"), words, { encoding: "utf8" });
  assert.match(run("-version"), /^ffmpeg version ([89]|\d\d)\./);
  assert.match(run("-hide_banner", "-encoders"), /\blibx264\b/);
});

test("the newest ffmpeg uses no library of the host", { skip }, () => {
  const root = join(enginesDir, "ffmpeg/root");
  proveOwnLibraries(root, relative(root, pathOf("newest ffmpeg")));
});
