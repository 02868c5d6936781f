// Tests of what `kit join` reads.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeInvitation, type Invitation } from "@kit/contract";
import { test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { InvalidSetting } from "../../config.ts";
import { readInvitation } from "./team.ts";

const invitation: Invitation = {
  version: 1,
  studio: "Lantern Games",
  text: "",
  kind: "otlp",
  address: "https://collector.example.com",
  game: null,
  environment: null,
  asks: [],
};
const folder = temporaryFolder("invitations");
const fileWith = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const refusedAs = (says: RegExp) => (error: unknown) => error instanceof InvalidSetting && says.test(error.message);
const notOne = refusedAs(/^This is not an invitation\. /);
const tooLong = refusedAs(/^This is too long for an invitation, which has at most 100,000 characters\.$/);

test("an invitation is read from a link's code and from a file", () => {
  assert.deepEqual(readInvitation(encodeInvitation(invitation)), invitation);
  assert.deepEqual(readInvitation(fileWith("one.json", JSON.stringify(invitation, null, 2))), invitation);
});

test("a link or a file that is longer than any invitation is refused, and not read", () => {
  const long = JSON.stringify(invitation).padEnd(100_001);
  assert.throws(() => readInvitation(long), tooLong);
  assert.throws(() => readInvitation(fileWith("long.json", long)), tooLong);
  // No string is this long, so reading it would end in another error.
  const huge = fileWith("huge.json", "");
  truncateSync(huge, 2 ** 30);
  assert.throws(() => readInvitation(huge), tooLong);
});

test("what is no regular file, or another one, is no invitation", { timeout: 20_000 }, () => {
  for (const given of [folder, join(folder, "missing"), fileWith("empty.json", ""), fileWith("other.json", "{}[]"), ""])
    assert.throws(() => readInvitation(given), notOne, given);
});

test("a pipe is not read", { skip: cannot.setFileModes }, () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // Opening it would wait for a writer for ever.
  assert.throws(() => readInvitation(pipe), notOne);
  assert.throws(() => readInvitation("/dev/zero"), notOne);
});
