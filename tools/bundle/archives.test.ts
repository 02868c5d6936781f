// Tests of the archives' format, and of the versions that they contain.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import { unpackTar } from "modern-tar";
import { afterAll, test } from "vitest";
import { repositoryRoot } from "../repository.ts";
import { pinnedByLock } from "./archives/fetched.ts";
import { nodeVersion, type System, systems } from "./archives/systems.ts";
import { archiveOf } from "./archives.ts";
import { writeTree } from "./test/fixture-tree.ts";

const library = "node_modules/x/X.app/Contents/MacOS/x";
const folder = writeTree({ kit: "script", node: "program", "launcher/node": "no program", [library]: "program" });
afterAll(() => rmSync(folder, { recursive: true }));
const [windows] = systems.filter(({ archive }) => archive.endsWith(".zip")) as [System];
const [mac] = systems.filter(({ archive }) => archive.endsWith(".tar.gz")) as [System];

test("a .tar.gz has one folder, in which exactly the programs can be run", async () => {
  const entries = await unpackTar(gunzipSync(await archiveOf(mac, folder)));
  const modes = Object.fromEntries(entries.map(({ header }) => [header.name, header.mode?.toString(8)]));
  assert.deepEqual(modes, {
    "kit/kit": "755",
    "kit/launcher/node": "644",
    "kit/node": "755",
    [`kit/${library}`]: "755",
  });
});

test("a .zip has one folder", async () => {
  const names = Object.keys(unzipSync(await archiveOf(windows, folder)));
  assert.deepEqual(names.toSorted(), ["kit/kit", "kit/launcher/node", "kit/node", `kit/${library}`]);
});

test("the same files give the same bytes, whenever they were written", async () => {
  const copy = writeTree({ [library]: "program", "launcher/node": "no program", node: "program", kit: "script" });
  try {
    for (const system of [windows, mac]) {
      const sums = [folder, copy].map(async (each) =>
        createHash("sha256")
          .update(await archiveOf(system, each))
          .digest("hex"),
      );
      assert.equal(await sums[0], await sums[1], system.archive);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test("the archives contain the Node that the tests run on, and a keyring whose checksum the lock file pins", () => {
  assert.equal(nodeVersion, process.versions.node, "pin the new Node in tools/bundle/archives/systems.ts");
  for (const { node, keyring } of systems) {
    assert.equal(node.version, nodeVersion);
    assert.match(pinnedByLock(repositoryRoot, keyring).integrity, /^sha512-/, keyring);
  }
});
