// Tests that the executable works alone, in an empty folder with an empty environment. Linux only: executables for Windows and
// macOS do not run here, but the macOS script runs with Linux's Node.
import assert from "node:assert/strict";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { filesBelow } from "./executables/payload.ts";
import { nodeVersion, type System, systems } from "./executables/systems.ts";
import { makeExecutable, requireWithin } from "./executables.ts";
import { type Kit, runKit, startAndStop } from "./kit-run.ts";
import { versionOf } from "./sdk.ts";

const isHere = process.platform === "linux" && process.arch === "x64";
const skip = !isHere;
const version = versionOf(repositoryRoot);
const linux = systems.find(({ file }) => file === "kit-linux-x64") as System;
const forms = [linux, { ...linux, file: "kit-script", form: "script" }] as const satisfies System[];
const work = mkdtempSync(join(tmpdir(), "kit-executable-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

beforeAll(async () => {
  if (!isHere) return;
  // Uses this computer's package, so the test downloads nothing.
  const keyring = filesBelow(repositoryRoot, join(repositoryRoot, "node_modules", linux.keyring));
  // npm's package of Node has no licence file. A release takes the text from the package's archive.
  const parts = { node: process.execPath, nodeLicence: "The licence of Node.js", keyring };
  for (const system of forms) await makeExecutable(repositoryRoot, system, parts, join(work, system.file));
});

/** Copies the file into an empty folder, with an empty home folder. */
function copyAlone(file: string): Kit & { readonly cache: string } {
  const folder = mkdtempSync(join(work, "alone-"));
  copyFileSync(join(work, file), join(folder, "kit"));
  const home = join(folder, "home");
  mkdirSync(home);
  return { program: [join(folder, "kit")], folder, env: { HOME: home }, cache: join(home, ".cache/kit") };
}

for (const { file, form } of forms) {
  test(`as ${form}: prints the licences of Kit, of Node and of all bundled and added libraries`, {
    skip,
  }, async () => {
    const { code, output } = await runKit(copyAlone(file), "licences");
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

  test(`as ${form}: prints its version, accepts an event, shows the dashboard and stops`, {
    skip,
  }, async () => {
    const kit = copyAlone(file);
    assert.deepEqual(await runKit(kit, "--version"), { code: 0, output: version });
    await startAndStop(kit, version, async (place) => {
      const { output } = await runKit(kit, "doctor", ...place);
      // The native keyring library was loaded, but found no session bus.
      assert.match(output, /secrets .*(DBus|D-Bus|DBUS)/);
      assert.match(output, new RegExp(`Node.js ${process.versions.node.replaceAll(".", "\\.")}`));
    });
    assert.equal((await runKit(kit, "nonsense")).code, 2);
  });

  test(`as ${form}: the unpacked files are readable by the user only, are used again, and are repaired when damaged`, {
    skip,
  }, async () => {
    const kit = copyAlone(file);
    await runKit(kit, "--version");
    assert.equal(statSync(kit.cache).mode & 0o777, 0o700);
    const before = readdirSync(kit.cache).toSorted();
    const [program = ""] = before.filter((name) => name.startsWith("program-"));
    const main = join(kit.cache, program, "launcher/main.js");
    const madeMs = statSync(main).mtimeMs;
    await runKit(kit, "--version");
    assert.equal(statSync(main).mtimeMs, madeMs, "the second start unpacked it again");
    truncateSync(main, 10);
    assert.deepEqual(await runKit(kit, "--version"), { code: 0, output: version });
    assert.deepEqual(readdirSync(kit.cache).toSorted(), before, "something was left behind");
  });

  test(`as ${form}: four first starts at once all work, and leave one folder of each sort`, { skip }, async () => {
    const kit = copyAlone(file);
    const runs = await Promise.all(Array.from({ length: 4 }, () => runKit(kit, "--version")));
    assert.deepEqual([...new Set(runs.map(({ code, output }) => `${code} ${output}`))], [`0 ${version}`]);
    const kinds = readdirSync(kit.cache).map((name) => name.replace(/-.*/, ""));
    assert.deepEqual(kinds.toSorted(), form === "sea" ? ["compiled", "program"] : ["compiled", "node", "program"]);
  });

  test(`as ${form}: reports that it cannot unpack itself, and exits`, { skip }, async () => {
    const kit = copyAlone(file);
    writeFileSync(join(kit.folder, "home/.cache"), "a file where a folder should be");
    const { code, output } = await runKit(kit, "--version");
    assert.equal(code, 1);
    assert.match(output, /Kit could not unpack itself into .*\.cache\/kit/);
  });
}

test("a file larger than its size limit is not made, and the error says by how much", () => {
  assert.throws(
    () => requireWithin(linux, linux.bytesMax + 1_000_000),
    /kit-linux-x64 is 161\.0 MB and may be 160\.0 MB/,
  );
});

test("all systems use the version of Node that builds them", () => {
  assert.deepEqual([...new Set(systems.map(({ node }) => node.version))], [nodeVersion]);
  assert.equal(nodeVersion, process.versions.node, "pin the new Node in tools/bundle/executables/systems.ts");
});
