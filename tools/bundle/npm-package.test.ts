// Tests that the npm package works when installed into an empty folder, without this repository.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { type Kit, runKit, startAndStop } from "./kit-run.ts";
import { bundleNpmPackage, npmPackageFile } from "./npm-package.ts";
import { versionOf } from "./sdk.ts";

const version = versionOf(repositoryRoot);
const work = mkdtempSync(join(tmpdir(), "kit-npm-"));
const installed = join(work, "installed");
afterAll(() => rmSync(work, { recursive: true, force: true }));

beforeAll(async () => {
  await bundleNpmPackage(repositoryRoot, join(work, "packed"));
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), `{ "private": true }`);
  const words = [
    "install",
    join(work, "packed", npmPackageFile(repositoryRoot)),
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
  ];
  execFileSync("npm", [...words, "--loglevel=error"], { cwd: installed, stdio: ["ignore", "ignore", "inherit"] });
});

/** Runs with only the Node of the tests on PATH. */
const kit = (): Kit => ({
  program: [join(installed, "node_modules/.bin/kit")],
  folder: installed,
  env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: work, KIT_SECRETS: "file" },
});

test("the package prints its version, accepts an event, shows the dashboard and stops", async () => {
  assert.deepEqual(await runKit(kit(), "--version"), { code: 0, output: version });
  await startAndStop(kit(), version, async (place) => {
    const { code, output } = await runKit(kit(), "api", "listSdk", ...place);
    assert.equal(code, 0, output);
    assert.match(output, /kit-godot-/);
  });
});

test("with a Node that is too old, the package prints which one it needs and does nothing else", async () => {
  // Simulates an older Node.
  const older = `import crypto from "node:crypto"; import { syncBuiltinESMExports } from "node:module";
    delete crypto.randomUUIDv7; syncBuiltinESMExports();`;
  const { env, ...rest } = kit();
  const options = `--import=data:text/javascript,${encodeURIComponent(older)}`;
  const { code, output } = await runKit({ ...rest, env: { ...env, NODE_OPTIONS: options } }, "--version");
  assert.equal(code, 1);
  assert.match(
    output,
    /^Kit needs Node\.js 26, or 24\.16 and newer; this is [\d.]+\. Get it from https:\/\/nodejs\.org$/,
  );
});

test("the package installs each library outside its bundle in the tested version", () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(installed, "node_modules/kit-launcher/package.json"), "utf8"),
  );
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
  const pinned = { ...dependencies, ...optionalDependencies } as Record<string, string>;
  const manifest = readFileSync(join(repositoryRoot, "launcher/package.json"), "utf8");
  for (const [name, exact] of Object.entries(pinned)) {
    assert.equal(exact, packages[`node_modules/${name}`].version, name);
    assert.ok(manifest.includes(`"${name}"`), name);
  }
  for (const name of Object.keys(dependencies)) {
    const { version: found } = JSON.parse(readFileSync(join(installed, "node_modules", name, "package.json"), "utf8"));
    assert.equal(found, pinned[name], name);
  }
});
