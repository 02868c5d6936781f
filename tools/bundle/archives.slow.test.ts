// Tests that the folder in an archive works alone, with an empty environment. Linux only: the others do not run here, but the script
// for macOS is the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { writeFolder } from "./archives/folder.ts";
import { type System, systems } from "./archives/systems.ts";
import { archiveOf } from "./archives.ts";
import { type Kit, runKit, startAndStop } from "./kit-run.ts";
import { readFiles } from "./sdk/archive.ts";
import { versionOf } from "./sdk.ts";

const skip = process.platform !== "linux" || process.arch !== "x64";
const version = versionOf(repositoryRoot);
const linux = systems.find(({ archive }) => archive.startsWith("kit-linux")) as System;
const work = mkdtempSync(join(tmpdir(), "kit-archive-"));
/** Where the archive is unpacked. */
const place = join(work, "Jörg's $HOME; `games`");
const folder = join(place, "kit");
const home = join(work, "home");
const kit: Kit = { program: [join(folder, "kit")], folder: work, env: { HOME: home, PATH: "/usr/bin:/bin" } };
afterAll(() => rmSync(work, { recursive: true, force: true }));

beforeAll(async () => {
  if (skip) return;
  // Uses this computer's packages, so the test downloads nothing. npm's package of Node has no licence file.
  const library = join(repositoryRoot, "node_modules", linux.keyring);
  const parts = {
    node: readFileSync(process.execPath),
    nodeLicence: "The licence of Node.js",
    keyring: readFiles(library, ["**"], `node_modules/${linux.keyring}/`),
  };
  const packed = join(work, "packed");
  writeFolder(repositoryRoot, linux, parts, packed);
  mkdirSync(place);
  mkdirSync(home);
  writeFileSync(join(work, linux.archive), await archiveOf(linux, packed));
  execFileSync("tar", ["-xzf", join(work, linux.archive), "-C", place]);
});

test("the archive has one folder, with two programs that everybody may run", { skip }, () => {
  assert.deepEqual(readdirSync(place), ["kit"]);
  const programs = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (statSync(join(entry.parentPath, entry.name)).mode & 0o111) !== 0)
    .map(({ name }) => name);
  assert.deepEqual(programs.toSorted(), ["kit", "node"]);
});

test("the folder has the licences of Kit, of Node and of all bundled and added libraries", { skip }, async () => {
  const { code, output } = await runKit(kit, "licences");
  assert.equal(code, 0);
  const titles = [
    /^Kit$/,
    /^Node\.js 26/,
    /^fastify \d/,
    /^react \d/,
    /^@napi-rs\/keyring \d/,
    /^@napi-rs\/keyring-linux-x64-gnu \d/,
  ];
  for (const title of titles) assert.match(output, new RegExp(title, "m"));
});

test("Kit prints its version, accepts an event, shows the dashboard and stops", { skip }, async () => {
  assert.deepEqual(await runKit(kit, "--version"), { code: 0, output: version });
  await startAndStop(kit, version, async (words) => {
    const { output } = await runKit(kit, "doctor", ...words);
    // The native keyring library was loaded, but found no session bus.
    assert.match(output, /secrets .*(DBus|D-Bus|DBUS)/);
    assert.match(output, new RegExp(`Node.js ${process.versions.node.replaceAll(".", "\\.")}`));
  });
  assert.equal((await runKit(kit, "nonsense")).code, 2);
});

test("Kit runs through links, as a word in its folder, and with exact words", { skip }, async () => {
  symlinkSync(join(folder, "kit"), join(work, "absolute"));
  mkdirSync(join(work, "bin"));
  symlinkSync("../absolute", join(work, "bin/kit"));
  const runs: readonly Kit[] = [
    { ...kit, program: [join(work, "bin/kit")] },
    { ...kit, program: ["sh", "-c", "kit --version"], env: { ...kit.env, PATH: `${join(work, "bin")}:/usr/bin:/bin` } },
    { ...kit, program: ["sh", "kit"], folder },
  ];
  for (const each of runs) assert.deepEqual(await runKit(each, "--version"), { code: 0, output: version });
  const words = ["two words", "", "$HOME", "*"];
  const game = ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", ...words];
  const { output } = await runKit(kit, "run", "--", process.execPath, ...game);
  assert.ok(output.includes(JSON.stringify(words)), output);
});
