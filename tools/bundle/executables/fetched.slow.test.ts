// Tests that only packages with the pinned checksum become part of an executable. They need no network.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { repositoryRoot } from "../../check/findings.ts";
import { npmPackageOf } from "../sdk/archive.ts";
import { filesOf, pinnedByLock } from "./fetched.ts";
import { systems } from "./systems.ts";

const cache = mkdtempSync(join(tmpdir(), "kit-fetched-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

async function cached(name: string) {
  const bytes = await npmPackageOf(new Map([["bin/node", Buffer.from("a program")]]));
  writeFileSync(join(cache, `${name}-1.0.0.tgz`), bytes);
  return { name, version: "1.0.0", integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}` };
}

test("a package with its pinned checksum is read, without npm's enclosing folder", async () => {
  const files = await filesOf(await cached("right"), cache);
  assert.deepEqual([...files.keys()], ["bin/node"]);
  assert.equal(Buffer.from(files.get("bin/node") ?? []).toString(), "a program");
});

test("a package with another checksum is refused and deleted, so that the next build downloads it again", async () => {
  const pinned = await cached("wrong");
  writeFileSync(join(cache, "wrong-1.0.0.tgz"), "something else");
  await assert.rejects(filesOf(pinned, cache), /wrong@1\.0\.0 is not what is pinned/);
  assert.ok(!existsSync(join(cache, "wrong-1.0.0.tgz")));
});

test("the lock file pins the keyring of every system", () => {
  for (const { keyring } of systems) assert.match(pinnedByLock(repositoryRoot, keyring).integrity, /^sha512-/, keyring);
});
