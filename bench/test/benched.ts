// Runs a benchmark for its test: the real command with --quick and JSON output.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Bench, type RunFacts, reportOf } from "../bench.ts";
import type { Target } from "../targets.ts";

const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "../run.ts")];

type Told<R> = R & RunFacts & { readonly targets: readonly Target[]; readonly report: string };

/** Returns the results and the report. Fails with the command's output if there are no results. */
export async function benched<R extends object>(
  name: string,
  bench: Pick<Bench<never, R>, "tables" | "faults">,
  ...words: readonly string[]
): Promise<Told<R>> {
  const child = spawn(process.execPath, [...program, name, ...words, "--quick", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 240_000,
  });
  let out = "";
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (part) => (out += part));
  child.stderr.setEncoding("utf8").on("data", (part) => (said += part));
  await once(child, "close");
  assert.notEqual(out, "", said);
  const told = JSON.parse(out) as Told<R>;
  return { ...told, report: reportOf(told, bench.tables(told), told.targets, bench.faults?.(told)) };
}
