// Tests that every suite runs and measures what its targets ask for. Its runs are too short for meaningful figures.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { cannot } from "../tools/engines/cannot.ts";
import { skipWithout } from "../tools/engines/locate.ts";
import type { Figure, Verdict } from "./figures.ts";

type Output = {
  readonly figures: readonly Figure[];
  readonly verdicts: readonly Verdict[];
  readonly faults: readonly string[];
};

const run = promisify(execFile);
const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "run.ts")];

for (const [words, skip] of [
  ["launcher", skipWithout("Spotlight")],
  ["capture", skipWithout("Xvfb", "ffmpeg")],
  ["capture --hour", skipWithout("Xvfb", "ffmpeg")],
  ["scale", false],
] as const) {
  test(`npm run bench -- ${words} finds no fault and judges each of its targets`, {
    skip: skip || cannot.readProc,
  }, async () => {
    const { stdout } = await run(process.execPath, [...program, ...words.split(" "), "--quick", "--json"]);
    const { figures, verdicts, faults } = JSON.parse(stdout) as Output;
    assert.deepEqual(faults, []);
    assert.ok(verdicts.length > 0 && verdicts.every(({ ratio }) => ratio > 0), JSON.stringify(verdicts));
    assert.ok(figures.every(({ value }) => Number.isFinite(value)));
  });
}
