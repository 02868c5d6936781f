// Runs a benchmark for its test: the real command with --quick and JSON output.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Bench, type RunFacts, reportOf } from "./bench.ts";
import type { Target } from "./figures.ts";

const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "run.ts")];

type BenchOutput<R> = R & RunFacts & { readonly targets: readonly Target[]; readonly report: string };

/** Returns the results and the report. Fails with the command's output if there are no results. */
export async function benched<R extends object>(
  name: string,
  bench: Pick<Bench<never, R>, "tables" | "faults">,
  ...words: readonly string[]
): Promise<BenchOutput<R>> {
  const child = spawn(process.execPath, [...program, name, ...words, "--quick", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 240_000,
  });
  let out = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (part) => (out += part));
  child.stderr.setEncoding("utf8").on("data", (part) => (errors += part));
  await once(child, "close");
  assert.notEqual(out, "", errors);
  const parsed = JSON.parse(out) as BenchOutput<R>;
  return { ...parsed, report: reportOf(parsed, bench.tables(parsed), parsed.targets, bench.faults?.(parsed)) };
}
