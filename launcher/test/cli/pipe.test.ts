// Tests of the command line when the reader of its output closes the pipe early.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "vitest";

const main = join(import.meta.dirname, "../../../dist/launcher/main.js");

test("a command ends silently with code 0 if the reader closes the pipe", async () => {
  const kit = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "--help"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  kit.stdout.destroy();
  let said = "";
  kit.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(kit, "close");
  assert.deepEqual({ code, said }, { code: 0, said: "" });
});
