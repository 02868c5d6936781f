// Tests that renames and removals wait for a program that holds the file, and that Kit renames and removes its data only so.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "vitest";
import { renamePatientlySync, renameWithRetry } from "./renames.ts";

/** Fails as Windows does for a held file, so many times. */
const heldFor = (times: number, code = "EBUSY") => {
  let left = times;
  return {
    tries: () => times - left,
    rename() {
      left -= 1;
      if (left >= 0) throw Object.assign(new Error("held"), { code });
    },
  };
};

test("a file that another program holds for a moment is renamed", async () => {
  for (const held of [heldFor(2), heldFor(2)]) await renameWithRetry("a", "b", async () => held.rename());
  renamePatientlySync("a", "b", heldFor(2).rename);
});

test("a file that stays held, and any other failure, is reported", async () => {
  const staysHeld = heldFor(100);
  await assert.rejects(
    renameWithRetry("a", "b", async () => staysHeld.rename()),
    { code: "EBUSY" },
  );
  assert.equal(staysHeld.tries(), 10);
  for (const code of ["ENOENT", "EXDEV"]) {
    const broken = heldFor(100, code);
    assert.throws(() => renamePatientlySync("a", "b", broken.rename), { code });
    assert.equal(broken.tries(), 1);
  }
});

test("all renames of the launcher are patient", () => {
  const root = import.meta.dirname;
  const files = globSync("**/*.ts", { cwd: root })
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => !/\.test\.ts$|\/test\/|^renames\.ts$/.test(path));
  const impatient = files.filter((path) => /\brename(?:Sync)?\(/.test(readFileSync(join(root, path), "utf8")));
  assert.deepEqual(impatient, []);
});

test("all removals of data, clips and secrets are patient", () => {
  const root = import.meta.dirname;
  const files = globSync(
    ["storage", "data", "secrets", "recording/clips"].map((each) => `${each}/**/*.ts`),
    { cwd: root },
  );
  const impatient = files.filter(
    (path) =>
      !/\.test\.ts$|[\\/]test[\\/]/.test(path) && /(?<!\.)\brm(?:Sync)?\(/.test(readFileSync(join(root, path), "utf8")),
  );
  assert.deepEqual(impatient, []);
});
