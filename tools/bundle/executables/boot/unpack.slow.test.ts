// Tests of unpacking: the folder contains exactly the packed files, belongs to the user, and is removed when unused.
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../engines/cannot.ts";
import { type Packed, sha256Of, unpack } from "./unpack.ts";

const day = 86_400_000;

function makeCache(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kit-unpack-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "kit");
}

function packedOf(texts: Readonly<Record<string, string>>, id = "a".repeat(32)): Packed {
  const files = Object.entries(texts).map(([path, text]) => {
    const content = Buffer.from(text);
    return { path, bytes: content.length, sha256: sha256Of(content), program: path.endsWith(".bin") };
  });
  return { id, files, contents: () => Buffer.from(Object.values(texts).join("")) };
}

const sample = packedOf({ "launcher/main.js": "1;", "empty.txt": "", "tools/show.bin": "program" });

test("each file is unpacked to its path, readable by the user only, and programs are executable", {
  skip: cannot.setFileModes,
}, (t) => {
  const folder = unpack(makeCache(t), sample);
  const mode = (path: string) => statSync(join(folder, path)).mode & 0o777;
  assert.equal(readFileSync(join(folder, "launcher/main.js"), "utf8"), "1;");
  assert.deepEqual([mode(""), mode("launcher/main.js"), mode("tools/show.bin")], [0o700, 0o600, 0o700]);
});

test("the second start uses the unpacked files and unpacks nothing", (t) => {
  const cache = makeCache(t);
  const folder = unpack(cache, sample);
  const never = () => assert.fail("the contents were requested again");
  assert.equal(unpack(cache, { ...sample, contents: never }), folder);
});

test("a deleted file is unpacked again", (t) => {
  const cache = makeCache(t);
  const folder = unpack(cache, sample);
  rmSync(join(folder, "launcher"), { recursive: true });
  unpack(cache, sample);
  assert.equal(readFileSync(join(folder, "launcher/main.js"), "utf8"), "1;");
});

test("the folder of a concurrent start is kept, because that start already uses it", (t) => {
  const cache = makeCache(t);
  let placed = 0;
  const contents = () => {
    placed = statSync(unpack(cache, sample)).ino;
    return sample.contents();
  };
  const folder = unpack(cache, { ...sample, contents });
  assert.equal(statSync(folder).ino, placed);
  assert.deepEqual(readdirSync(cache), [basename(folder)]);
});

test("contents that differ from the list are an error, and nothing of them stays", (t) => {
  const cache = makeCache(t);
  const broken = { ...sample, contents: () => Buffer.from("2;program") };
  assert.throws(() => unpack(cache, broken), /not what was packed; download Kit again/);
  assert.ok(!existsSync(join(cache, `program-${sample.id}`)));
});

test("nothing is unpacked into a folder that others may write to", { skip: cannot.setFileModes }, (t) => {
  const cache = makeCache(t);
  mkdirSync(cache);
  chmodSync(cache, 0o777);
  assert.throws(() => unpack(cache, sample), /others may write to .*chmod 700/);
});

test("a version unused for sixty days is deleted by the next version, and one used later stays", (t) => {
  const cache = makeCache(t);
  const nowMs = Date.now();
  const old = unpack(cache, packedOf({ "main.js": "old" }, "b".repeat(32)));
  const recent = unpack(cache, packedOf({ "main.js": "recent" }, "c".repeat(32)));
  const foreign = join(cache, "settings");
  mkdirSync(foreign);
  const agedTo = (path: string, days: number) =>
    utimesSync(path, (nowMs - days * day) / 1_000, (nowMs - days * day) / 1_000);
  agedTo(old, 61);
  agedTo(recent, 59);
  agedTo(foreign, 400);
  unpack(cache, sample, nowMs);
  assert.deepEqual([existsSync(old), existsSync(recent), existsSync(foreign)], [false, true, true]);
});
