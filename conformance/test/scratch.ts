// Creates a temporary binding with a small driver for one test.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Binding, readBinding } from "../src/binding.ts";
import type { Case } from "../src/case.ts";
import { conform, type Outcome, type Verdict } from "../src/conform.ts";

export type Scratch = { readonly folder: string; [Symbol.dispose](): void };

export function scratchFolder(files: Readonly<Record<string, string>>): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "kit-scratch-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Creates a binding with this script as driver, which can use `cases` and `say`. */
export function scratchBinding(script: string, traits: Partial<Binding> = {}): Scratch {
  const drivers = [{ engine: "a scratch engine", command: ["node", "driver.mjs"] }];
  const driver = `
    import { readFileSync } from "node:fs";
    const { cases } = JSON.parse(readFileSync(process.argv.at(-1), "utf8"));
    const say = (line) => console.log(JSON.stringify(line));
    ${script}
  `;
  return scratchFolder({
    "conformance.json": JSON.stringify({ binding: "scratch", clockToleranceMs: 0, drivers, ...traits }),
    "driver.mjs": driver,
  });
}

export async function outcomeOf(binding: Binding, cases: readonly Case[]): Promise<Outcome> {
  const [driver] = binding.drivers;
  if (driver === undefined) throw new Error("a binding without a driver");
  return conform(binding, driver, cases);
}

/** Returns the verdicts on these cases with this driver script. */
export async function verdictsOf(script: string, cases: readonly Case[]): Promise<readonly Verdict[]> {
  using scratch = scratchBinding(script);
  return (await outcomeOf(readBinding(scratch.folder), cases)).verdicts;
}

/** Creates a case with one recording trigger, which expects no request by default. */
export const caseOf = (id: string, more: Partial<Case> = {}): Case => ({
  id,
  says: "One case.",
  steps: [{ do: "recording", eventId: "sky_one" }],
  expect: { requests: [] },
  ...more,
});
