// Tests that what comes from other Debian releases is new enough and uses no libraries of the host.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";
import { test } from "vitest";
import { pathOf, skipWithout } from "./locate.ts";
import { proveOwnLibraries } from "./private-debian.ts";

const names = ["Godot", "Godot release template"] as const;
const skip = skipWithout(...names);

test("Godot is 4.2 or newer, and its release template has the same version", { skip }, () => {
  const [engine, template] = names.map((name) =>
    execFileSync(pathOf(name), ["--version"], { encoding: "utf8" }).trim(),
  );
  assert.match(engine ?? "", /^4\.([2-9]|\d\d)\./);
  assert.equal(template, engine);
});

test("Godot and its template use no library of the host, and a program that would is found", { skip }, () => {
  const root = join(pathOf("Godot"), "../../..");
  for (const name of names) proveOwnLibraries(root, relative(root, pathOf(name)));
  assert.throws(() => proveOwnLibraries(root, relative(root, "/bin/sh")), /would take from the host: \/.*libc\.so/);
});

test("the newest ffmpeg is 8 or newer and encodes H.264", { skip: skipWithout("newest ffmpeg") }, () => {
  const run = (...words: string[]) => execFileSync(pathOf("newest ffmpeg"), words, { encoding: "utf8" });
  assert.match(run("-version"), /^ffmpeg version ([89]|\d\d)\./);
  assert.match(run("-hide_banner", "-encoders"), /\blibx264\b/);
});

test("the newest ffmpeg uses no library of the host", { skip: skipWithout("newest ffmpeg") }, () => {
  const root = join(pathOf("newest ffmpeg"), "../../..");
  proveOwnLibraries(root, relative(root, pathOf("newest ffmpeg")));
});
