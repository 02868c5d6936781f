// Tests of the packages for games: each contains exactly its files, is reproducible, and matches the index.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SdkIndex, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { pathOf, skipWithout } from "../engines/locate.ts";
import { repositoryRoot } from "../repository.ts";
import { NotMade } from "./sdk/nupkg.ts";
import type { Package } from "./sdk/packages.ts";
import { bundleSdk, versionOf } from "./sdk.ts";
import { writeTree } from "./test/fixture-tree.ts";

const work = mkdtempSync(join(tmpdir(), "kit-sdk-test-"));
const built = join(work, "built");
const nowhere = join(work, "nowhere");
const version = versionOf(repositoryRoot);
afterAll(() => rmSync(work, { recursive: true }));
beforeAll(() => bundleSdk(repositoryRoot, built, { quick: true, last: nowhere }));

const skip = skipWithout("unzip");
const indexIn = (folder: string) => JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as SdkIndex;
const run = (program: string, ...words: string[]) => execFileSync(program, words, { encoding: "utf8" });
const lines = (text: string) => text.split("\n").filter((line) => line !== "");

/** Files below a folder that git does not ignore, committed or not. */
function keptBelow(folder: string): string[] {
  const words = ["-C", join(repositoryRoot, folder), "ls-files", "--cached", "--others", "--exclude-standard"];
  return lines(run("git", ...words)).toSorted();
}

test("the index lists every file with its size and checksum, and there is no other file", () => {
  const { packages } = indexIn(built);
  assert.ok(packages.length > 0);
  for (const { file, bytes, sha256, version: written } of packages) {
    const content = readFileSync(join(built, file));
    assert.equal(content.length, bytes, file);
    assert.equal(createHash("sha256").update(content).digest("hex"), sha256, file);
    assert.equal(written, version, file);
  }
  assert.deepEqual(readdirSync(built).toSorted(), [...packages.map(({ file }) => file), "index.json"].toSorted());
});

test("Godot's zip contains the add-on of the repository under addons/", { skip }, () => {
  const zip = join(built, `kit-godot-${version}.zip`);
  const addon = "bindings/godot/addons/kit_sdk";
  assert.match(run(pathOf("unzip"), "-t", zip), /No errors detected/);
  assert.deepEqual(
    lines(run(pathOf("unzip"), "-Z1", zip)).toSorted(),
    keptBelow(addon).map((path) => `addons/kit_sdk/${path}`),
  );
  const inside = (path: string) => execFileSync(pathOf("unzip"), ["-p", zip, `addons/kit_sdk/${path}`]);
  for (const path of keptBelow(addon)) {
    assert.deepEqual(inside(path), readFileSync(join(repositoryRoot, addon, path)), path);
  }
});

test("RPG Maker's package is the plugin file itself", () => {
  assert.deepEqual(
    readFileSync(join(built, "KitSDK.js")),
    readFileSync(join(repositoryRoot, "bindings/rpgmaker/KitSDK.js")),
  );
});

test("GameMaker's package is a project around the script, and its script is the same as the single file", {
  skip,
}, () => {
  const script = readFileSync(join(repositoryRoot, "bindings/gamemaker/project/scripts/kit_sdk/kit_sdk.gml"));
  assert.deepEqual(readFileSync(join(built, "kit_sdk.gml")), script);
  const zip = join(built, "Kit.yymps");
  assert.match(run(pathOf("unzip"), "-t", zip), /No errors detected/);
  assert.deepEqual(lines(run(pathOf("unzip"), "-Z1", zip)), [
    "Kit.resource_order",
    "Kit.yyp",
    "metadata.json",
    "scripts/kit_sdk/kit_sdk.gml",
    "scripts/kit_sdk/kit_sdk.yy",
    "yymanifest.xml",
  ]);
  const inside = (path: string) => execFileSync(pathOf("unzip"), ["-p", zip, path]);
  assert.deepEqual(inside("scripts/kit_sdk/kit_sdk.gml"), script);
  assert.equal(JSON.parse(inside("metadata.json").toString()).version, version);
  assert.equal(JSON.parse(inside("Kit.yyp").toString()).MetaData.PackageVersion, version);
});

test("Unity's tarball contains the files that npm would pack", () => {
  const unity = join(repositoryRoot, "bindings/unity");
  const [packed] = JSON.parse(run("npm", "pack", unity, "--dry-run", "--json", "--ignore-scripts"));
  const expected = packed.files.map(({ path }: { path: string }) => path).toSorted();
  const tarball = join(built, `dev.kit.unity-${version}.tgz`);
  assert.deepEqual(
    lines(run("tar", "tzf", tarball)).toSorted(),
    expected.map((path: string) => `package/${path}`),
  );
  const out = mkdtempSync(join(work, "unity-"));
  run("tar", "xzf", tarball, "-C", out);
  for (const path of expected) {
    assert.deepEqual(readFileSync(join(out, "package", path)), readFileSync(join(unity, path)), path);
  }
});

test("two builds have the same bytes, also on another day and in another time zone", async () => {
  const again = join(work, "again");
  const zone = process.env.TZ;
  process.env.TZ = "Pacific/Kiritimati";
  try {
    await bundleSdk(repositoryRoot, again, { quick: true, last: nowhere });
  } finally {
    if (zone === undefined) Reflect.deleteProperty(process.env, "TZ");
    else process.env.TZ = zone;
  }
  for (const file of readdirSync(built)) {
    assert.ok(readFileSync(join(again, file)).equals(readFileSync(join(built, file))), file);
  }
});

test("files that an editor or a test leaves beside the sources are not packed", { skip }, async () => {
  const addon = "bindings/godot/addons/kit_sdk";
  const root = writeTree({
    "package.json": `{ "version": "9.9.9" }`,
    [`${addon}/plugin.cfg`]: "[plugin]",
    [`${addon}/kit_sdk.gd`]: "extends Node",
    [`${addon}/kit_sdk.gd.uid`]: "uid://x",
    [`${addon}/LICENSE`]: "MIT",
    [`${addon}/.DS_Store`]: "x",
    [`${addon}/kit_sdk.gd~`]: "x",
    [`${addon}/kit_sdk.gd.tmp`]: "x",
    [`${addon}/.godot/cache.bin`]: "x",
    [`${addon}/node_modules/x/x.js`]: "x",
  });
  const target = join(root, "dist");
  await bundleSdk(root, target, { quick: true, last: nowhere });
  assert.deepEqual(lines(run(pathOf("unzip"), "-Z1", join(target, "kit-godot-9.9.9.zip"))), [
    "addons/kit_sdk/LICENSE",
    "addons/kit_sdk/kit_sdk.gd",
    "addons/kit_sdk/kit_sdk.gd.uid",
    "addons/kit_sdk/plugin.cfg",
  ]);
  assert.deepEqual(
    indexIn(target).packages.map(({ binding }) => binding),
    ["godot"],
    "a missing binding is not listed",
  );
  rmSync(root, { recursive: true });
});

/** A package that needs another program. `made` counts how often the program was started. */
function slowPackage() {
  const made: string[] = [];
  const slow: Package = {
    binding: "monogame",
    name: "Slow package",
    file: (of) => `slow-${of}.bin`,
    sources: ["slow.txt"],
    slow: true,
    make: async ({ root }) => {
      made.push(root);
      return readFileSync(join(root, "slow.txt"));
    },
  };
  const root = writeTree({ "package.json": `{ "version": "1.0.0" }`, "slow.txt": "first" });
  const bundle = (quick: boolean, name: string, last: string) =>
    bundleSdk(root, join(root, name), { quick, last: join(root, last), packages: [slow] });
  const ageMs = (path: string, ms: number) => {
    const at = (Date.now() - ms) / 1000;
    utimesSync(join(root, path), at, at);
  };
  return { root, made, bundle, ageMs, index: (name: string) => indexIn(join(root, name)) };
}

test("a quick bundle starts no other program, and lists what is missing", async () => {
  const { root, made, bundle, index } = slowPackage();
  await bundle(true, "quick", "none");
  assert.deepEqual(made, []);
  assert.deepEqual(index("quick").packages, []);
  assert.match(textOf(index("quick").missing[0]?.reason ?? ""), /npm run bundle/);
  rmSync(root, { recursive: true });
});

test("a quick bundle keeps the package of a full bundle until one of its sources changes", async () => {
  const { root, made, bundle, ageMs, index } = slowPackage();
  for (const path of ["package.json", "slow.txt"]) ageMs(path, 60_000);
  await bundle(false, "whole", "none");
  assert.equal(made.length, 1);
  await bundle(true, "quick", "whole");
  assert.deepEqual(index("quick").packages, index("whole").packages);
  await bundle(true, "later", "quick");
  assert.deepEqual(index("later").packages, index("whole").packages, "the age of a package is kept with it");
  ageMs("slow.txt", -60_000);
  await bundle(true, "stale", "later");
  assert.deepEqual(index("stale").packages, []);
  assert.equal(made.length, 1);
  rmSync(root, { recursive: true });
});

test("a package that cannot be made is listed with the reason, and the others are made", async () => {
  const root = writeTree({ "package.json": `{ "version": "1.0.0" }`, "bindings/rpgmaker/KitSDK.js": "x" });
  const make = async () => {
    throw new NotMade("Needs a thing.");
  };
  const needy: Package = { binding: "unity", name: "Needy", file: () => "needy", sources: ["package.json"], make };
  const plain: Package = {
    ...needy,
    binding: "godot",
    name: "Plain",
    file: () => "plain",
    make: async () => Buffer.of(1),
  };
  await bundleSdk(root, join(root, "dist"), { quick: false, last: nowhere, packages: [needy, plain] });
  const { packages, missing } = indexIn(join(root, "dist"));
  assert.deepEqual(missing, [{ binding: "unity", name: "Needy", reason: "Needs a thing." }]);
  assert.deepEqual(
    packages.map(({ name }) => name),
    ["Plain"],
  );
  rmSync(root, { recursive: true });
});

test("without the .NET SDK a full bundle says that it is needed, and makes the other packages", async () => {
  const project = "bindings/monogame/Kit.MonoGame/Kit.MonoGame.csproj";
  const root = writeTree({
    "package.json": `{ "version": "1.0.0" }`,
    "bindings/rpgmaker/KitSDK.js": "x",
    [project]: "<Project />",
  });
  const path = process.env.PATH;
  process.env.PATH = "";
  try {
    await bundleSdk(root, join(root, "dist"), { quick: false, last: nowhere });
  } finally {
    process.env.PATH = path;
  }
  const { packages, missing } = indexIn(join(root, "dist"));
  assert.deepEqual(
    packages.map(({ file }) => file),
    ["KitSDK.js"],
  );
  assert.match(textOf(missing[0]?.reason ?? ""), /^Needs the \.NET SDK/);
  rmSync(root, { recursive: true });
});

test("a project that does not compile leaves its package out, with the compiler's message", {
  skip: skipWithout(".NET"),
}, async () => {
  const root = writeTree({
    "package.json": `{ "version": "1.0.0" }`,
    "bindings/monogame/Kit.MonoGame/Kit.MonoGame.csproj": "<Project><Nonsense /></Project>",
  });
  await bundleSdk(root, join(root, "dist"), { quick: false, last: nowhere });
  const { packages, missing } = indexIn(join(root, "dist"));
  assert.deepEqual(packages, []);
  assert.match(textOf(missing[0]?.reason ?? ""), /`dotnet pack` failed: .*Nonsense/);
  rmSync(root, { recursive: true });
});
