// Tests of secrets in encrypted files: reading, the files on disk, and damage.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import type { Keyring } from "./keyring.ts";
import { secretRecordPath } from "./secret-files.ts";
import { createSecrets, probeSecrets, type Secrets, SecretUnavailable } from "./secrets.ts";

let folder: string;
let secrets: Secrets;
const troubles: string[] = [];
const open = (keyring?: Keyring) =>
  createSecrets({ folder, keyring, onFailure: (what, error) => troubles.push(`${what}: ${(error as Error).message}`) });

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "kit-secrets-")), "secrets");
  troubles.length = 0;
  secrets = open();
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const fileOf = (name: string) => secretRecordPath(folder, name);
const filesOf = () => readdirSync(folder).map((name) => join(folder, name));
const unavailable = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SecretUnavailable && pattern.test(error.message), String(error));
  return true;
};

test("a secret is read as it was written, also by a store opened later, until it is removed", async () => {
  assert.equal(await secrets.read("server"), undefined);
  await secrets.write("server", "first");
  await secrets.write("server", "sëcond\u0000🗝");
  await secrets.write("other", "2");
  assert.equal(await secrets.read("server"), "sëcond\u0000🗝");
  assert.equal(await open().read("server"), "sëcond\u0000🗝");
  await secrets.remove("server");
  await secrets.remove("never there");
  assert.deepEqual([await secrets.read("server"), await open().read("other")], [undefined, "2"]);
  assert.equal(secrets.placeOf("other"), "file");
});

test("any name and any text work, and no two names are confused", async () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 4 }),
      async (all) => {
        for (const [name, value] of all) await secrets.write(name, value);
        for (const [name, value] of all) assert.equal(await open().read(name), value);
      },
    ),
    { numRuns: 20 },
  );
  await secrets.write("a b", "1");
  await secrets.write("A-B", "2");
  assert.deepEqual([await secrets.read("a b"), await secrets.read("A-B")], ["1", "2"]);
  for (const value of ["", "\ud800"]) await assert.rejects(secrets.write("x", value), TypeError);
});

test("no file contains the plain secret, and only the owner may read the files", async () => {
  const value = "correct horse battery staple";
  await secrets.write("server", value);
  await secrets.write("server", value);
  const spelled = ["utf8", "base64", "base64url", "hex", "utf16le"] as const;
  for (const path of filesOf()) {
    const bytes = readFileSync(path);
    for (const encoding of spelled)
      assert.ok(
        !bytes.includes(encoding === "utf16le" ? Buffer.from(value, encoding) : Buffer.from(value).toString(encoding)),
      );
    if (!cannot.setFileModes) assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  if (!cannot.setFileModes) assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(filesOf().length, 2, "a record and the key, no partial file");
});

test("simultaneous calls run in the order they were made", async () => {
  const asked = Array.from({ length: 20 }, (_, index) => secrets.write("server", `value ${index}`));
  const between = secrets.read("server");
  const later = [secrets.write("server", "last"), secrets.write("other", "one")];
  assert.equal(await between, "value 19");
  await Promise.all([...asked, ...later]);
  assert.deepEqual([await open().read("server"), await open().read("other")], ["last", "one"]);
});

test("a damaged file is set aside and reported until the secret is entered again; other secrets are unaffected", async () => {
  await secrets.write("server", "one");
  await secrets.write("other", "two");
  const whole = readFileSync(fileOf("server"), "utf8");
  const { sealed } = JSON.parse(whole) as { sealed: string };
  const flipped = Buffer.from(sealed, "base64");
  flipped[14] = (flipped[14] ?? 0) ^ 1;
  const damages = ["", "{", "null", whole.slice(0, -20), whole.replace(sealed, flipped.toString("base64"))];
  for (const damage of [...damages, whole.replace(sealed, "AAAA")]) {
    writeFileSync(fileOf("server"), damage);
    await assert.rejects(secrets.read("server"), unavailable(/^The secret server .* Enter the secret again\.$/));
    assert.equal(readFileSync(`${fileOf("server")}.damaged`, "utf8"), damage);
    await assert.rejects(open().read("server"), unavailable(/Enter the secret again\.$/));
    assert.equal(await secrets.read("other"), "two");
    const look = await probeSecrets(folder, undefined);
    assert.deepEqual([look.ok, look.fix], [false, "Enter them again."]);
    await secrets.write("server", "three");
    assert.equal(await secrets.read("server"), "three");
    assert.ok(!existsSync(`${fileOf("server")}.damaged`));
  }
  const { ok, detail } = await probeSecrets(folder, undefined);
  assert.ok(ok);
  assert.match(
    detail,
    /^2 encrypted in .*, beside the key: whoever can read both files can read them; new ones are encrypted in a file/,
  );
});

test("a secret's file moved to another name cannot be decrypted", async () => {
  await secrets.write("server", "one");
  await secrets.write("other", "two");
  const swapped = readFileSync(fileOf("other"), "utf8").replace('"other"', '"server"');
  writeFileSync(fileOf("server"), swapped);
  await assert.rejects(secrets.read("server"), unavailable(/does not match its key/));
});

test("without the key no secret can be read, and a new key is created for the next secret", async () => {
  await secrets.write("server", "one");
  writeFileSync(join(folder, "key"), "no key");
  await assert.rejects(secrets.read("server"), unavailable(/its key is missing/));
  await secrets.write("server", "two");
  assert.equal(await open().read("server"), "two");
});

test("a file of a newer Kit is left unchanged", async () => {
  await secrets.write("server", "one");
  const newer = JSON.stringify({ version: 2, name: "server", somewhere: "else" });
  writeFileSync(fileOf("server"), newer);
  await assert.rejects(secrets.read("server"), unavailable(/a newer Kit/));
  assert.equal(readFileSync(fileOf("server"), "utf8"), newer);
});

test("a file system error is reported, and no file is set aside", async () => {
  await secrets.write("server", "one");
  rmSync(join(folder, "key"));
  mkdirSync(join(folder, "key"));
  await assert.rejects(secrets.read("server"), /EISDIR/);
  assert.ok(existsSync(fileOf("server")));
});
