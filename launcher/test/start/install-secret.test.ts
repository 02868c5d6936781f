// Tests of the install secret when two launchers start at the same time.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { ensureInstallSecret } from "../../src/own-files.ts";

/** Creates the file as another launcher would, and writes the secret only a moment later. */
const slowWriter = `
  const { closeSync, openSync, writeFileSync } = require("node:fs");
  const file = openSync(process.argv[1], "wx", 0o600);
  process.stdout.write("created");
  setTimeout(() => { writeFileSync(file, "ab".repeat(32)); closeSync(file); }, 200);
`;

test("a launcher that starts while another writes the install secret uses that secret", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kit-secret-"));
  const path = join(folder.path, "secret");
  const other = spawn(process.execPath, ["-e", slowWriter, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  const { secret, stop } = ensureInstallSecret(path);
  stop();
  assert.equal(secret, "ab".repeat(32));
});

test("a file that stays without a secret is an error that says what to do", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kit-secret-"));
  const path = join(folder.path, "secret");
  writeFileSync(path, "");
  assert.throws(() => ensureInstallSecret(path), /secret holds no secret\. Delete the file and start again\./);
});
