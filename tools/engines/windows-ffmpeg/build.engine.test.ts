// Tests of what the built ffmpeg for Windows is, and what is distributed with it.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "vitest";
import { requirePinned } from "../../bundle/archives.ts";
import { enginesDir } from "../cache.ts";
import { pathOf, skipWithout } from "../locate.ts";
import { readDiffers } from "./build.ts";
import { sources } from "./recipe.ts";

const skip = skipWithout("ffmpeg for Windows");

test("the program is for Windows x64, has no time of its build, and needs only libraries of Windows", { skip }, () => {
  const program = readFileSync(pathOf("ffmpeg for Windows"));
  const header = program.readUInt32LE(0x3c);
  assert.equal(program.toString("latin1", header, header + 4), "PE\0\0");
  assert.deepEqual([program.readUInt16LE(header + 4), program.readUInt32LE(header + 8)], [0x8664, 0]);
  const libraries = new Set(program.toString("latin1").match(/\b[\w-]+\.(?:dll|DLL|drv)\b/g));
  for (const own of ["libgcc", "libstdc", "libwinpthread", "zlib"])
    assert.deepEqual(
      [...libraries].filter((name) => name.startsWith(own)),
      [],
    );
  assert.ok(program.length < 20_000_000, `${program.length} bytes`);
});

test("the programs for Windows contain no path of the computer that built them", {
  skip: skipWithout("ffmpeg for Windows", "kit-sound for Windows"),
}, () => {
  for (const name of ["ffmpeg for Windows", "kit-sound for Windows"] as const) {
    const texts = readFileSync(pathOf(name)).toString("latin1");
    assert.ok(texts.includes("kernel32") || texts.includes("KERNEL32"), "the texts are readable");
    const paths =
      /\/(?:build|home|mnt|opt|root|srv|tmp|var|work)\/[\w./-]+|[\w./-]*\/windows-(?:ffmpeg|sound)\b[\w./-]*/g;
    assert.deepEqual([...texts.matchAll(paths)].map(String), [], name);
    for (const own of [enginesDir, homedir()]) assert.ok(!texts.includes(`${own}/`), `${name}: ${own}`);
  }
});

test("its licence and complete source are beside it, and a release requires the pinned ones", { skip }, () => {
  const place = dirname(pathOf("ffmpeg for Windows"));
  const licence = readFileSync(join(place, "LICENSE.ffmpeg.txt"), "utf8");
  for (const text of [
    "GNU GENERAL PUBLIC LICENSE",
    "x264: COPYING",
    "libwebp: COPYING",
    "onevpl: LICENSE",
    "ffmpeg-source",
  ])
    assert.ok(licence.includes(text), text);
  const folder = join(place, "source");
  const files = readdirSync(folder);
  const archives = files.filter((name) => name.includes(".orig.tar."));
  assert.equal(archives.length, sources.length);
  for (const name of ["recipe.ts", "build.ts"]) assert.ok(files.includes(name));
  const hashes = archives.map((name) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex"),
  );
  const foreign = sources.filter(({ sha256 }) => !hashes.includes(sha256)).map(({ name }) => name);
  assert.deepEqual(
    readDiffers()?.filter((name) => sources.some((source) => source.name === name)),
    foreign,
  );
  assert.throws(() => requirePinned(undefined), /missing/);
  assert.throws(() => requirePinned(["nasm"]), /another nasm than/);
  requirePinned([]);
});
