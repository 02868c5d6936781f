// Tests of the steps on the Connect page: they match the README of each binding.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engines } from "@kit/contract";
import { test } from "vitest";

const readmes = join(import.meta.dirname, "../../../../bindings");

/** The lines of a README's code blocks. */
const codeLines = (text: string): string[] =>
  [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.split("\n").map((line) => line.trim()),
  );

/** A README's text without markup and line breaks. */
const plain = (text: string) => text.replace(/[*`]/g, "").replace(/\s+/g, " ");

for (const { binding, name, line, lineStep, portStep, steps } of engines) {
  const readme = readFileSync(join(readmes, binding, "README.md"), "utf8");

  test(`${name}: the line of code is in a code block of the README`, () => {
    assert.ok(codeLines(readme).includes(line), line);
  });

  test(`${name}: the README contains the names that the steps mention`, () => {
    const text = plain(readme);
    const named = [...steps, lineStep, portStep].flatMap((step) =>
      [...step.matchAll(/\*\*([^*]+)\*\*|`([^`]+)`/g)].map(([, a, b]) => a ?? b ?? ""),
    );
    for (const words of named)
      assert.ok(text.includes(plain(words)), `${words} is not in bindings/${binding}/README.md`);
  });

  test(`${name}: at most four steps lead from the download to the first event`, () => {
    assert.ok(steps.length + 2 <= 4, `${steps.length + 2} steps`);
  });
}
