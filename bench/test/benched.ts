// A bench as its test runs it: the real command, so short that its figures mean nothing, and what it says as JSON.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "../run.ts")];

/** `words` begin with the bench's name. Fails with what it said where it gave no results. */
export async function benched<Results>(...words: readonly string[]): Promise<Results> {
  const child = spawn(process.execPath, [...program, ...words, "--quick", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 240_000,
  });
  let [out, said] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (part) => (out += part));
  child.stderr.setEncoding("utf8").on("data", (part) => (said += part));
  await once(child, "close");
  assert.notEqual(out, "", said);
  return JSON.parse(out) as Results;
}
