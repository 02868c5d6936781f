// Tests that only packages with the pinned checksum become part of an archive. They need no network.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { npmPackageOf } from "../sdk/archive.ts";

const cache = mkdtempSync(join(tmpdir(), "kit-fetched-"));
process.env.KIT_ENGINES_DIR = cache;
afterAll(() => rmSync(cache, { recursive: true, force: true }));
const { filesOf } = await import("./fetched.ts");

const bytes = await npmPackageOf(new Map([["bin/node", Buffer.from("a program")]]));
const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
const brings = (content: Uint8Array | string) => (_: unknown, place: string) =>
  writeFileSync(join(place, "package.tgz"), content);
const bringsNothing = () => assert.fail("it is in the cache");

test("a package with its pinned checksum is read without npm's enclosing folder, and downloaded once", async () => {
  const pinned = { name: "@of/right", version: "1.0.0", integrity };
  for (const bring of [brings(bytes), bringsNothing]) {
    const files = await filesOf(pinned, bring);
    assert.deepEqual([...files.keys()], ["bin/node"]);
    assert.equal(Buffer.from(files.get("bin/node") ?? []).toString(), "a program");
  }
});

test("a package with another checksum is refused, and the next build downloads it again", async () => {
  const pinned = { name: "wrong", version: "1.0.0", integrity };
  await assert.rejects(filesOf(pinned, brings("something else")), /wrong@1\.0\.0 is not what is pinned/);
  assert.equal((await filesOf(pinned, brings(bytes))).size, 1);
});
