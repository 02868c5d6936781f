// Tests of the local package without the IDE: its contents, and that the parser loads it unpacked.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync, zipSync } from "fflate";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { packageFiles } from "../package/files.ts";
import { projectDir, sdkPath } from "./game.ts";
import { openProject } from "./translation/parser.ts";

const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const read = (path: string) => new Uint8Array(readFileSync(join(projectDir, path)));
const files = packageFiles("1.2.3", { read, md5 });
const textOf = (path: string) => new TextDecoder().decode(files.get(path));

test("the package contains the script of the project and its version", () => {
  assert.deepEqual([...files.keys()].sort(), [
    "Kit.resource_order",
    "Kit.yyp",
    "metadata.json",
    "scripts/kit_sdk/kit_sdk.gml",
    "scripts/kit_sdk/kit_sdk.yy",
    "yymanifest.xml",
  ]);
  assert.deepEqual(files.get(sdkPath), read(sdkPath));
  assert.equal(JSON.parse(textOf("metadata.json")).version, "1.2.3");
  assert.equal(JSON.parse(textOf("metadata.json")).package_type, "asset");
  const { PackageType, PackageVersion } = JSON.parse(textOf("Kit.yyp")).MetaData;
  assert.deepEqual([PackageType, PackageVersion], ["Asset", "1.2.3"]);
});

test("the manifest lists every other file with its hash", () => {
  const listed = [...textOf("yymanifest.xml").matchAll(/<file md5="([0-9A-F]{32})">([^<]+)<\/file>/g)];
  const expected = [...files].filter(([path]) => path !== "yymanifest.xml");
  assert.deepEqual(
    listed.map(([, hash, path]) => [path, hash]),
    expected.map(([path, bytes]) => [path, md5(bytes).toUpperCase()]),
  );
});

test("the parser loads the unpacked package as a project without error or warning", {
  skip: skipWithout("GML parser"),
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "kit-yymps-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, bytes] of Object.entries(unzipSync(zipSync(Object.fromEntries(files))))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  const { project, findings } = await openProject(join(folder, "Kit.yyp"));
  assert.deepEqual(findings, []);
  assert.deepEqual([...project.assets.keys()], ["kit_sdk"]);
});
