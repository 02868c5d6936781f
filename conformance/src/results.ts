// Saves the results of the last full run, from which the table in bindings/README.md is generated.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./conform.ts";
import { countsOf } from "./report.ts";

type Result = {
  readonly binding: string;
  readonly engine: string;
  /** Passed and total cases by area. */
  readonly areas: Readonly<Record<string, readonly [passed: number, all: number]>>;
};

const resultsPath = join(import.meta.dirname, "../results.json");

function resultOf(outcome: Outcome): Result {
  const areas = Object.fromEntries(
    [...countsOf(outcome)].map(([area, { passed, all }]) => [area, [passed, all] as const]),
  );
  return { binding: outcome.binding.binding, engine: outcome.engine, areas };
}

export function keepResults(outcomes: readonly Outcome[]): void {
  writeFileSync(resultsPath, `${JSON.stringify(outcomes.map(resultOf), undefined, 2)}\n`);
}

// Ignores engine versions, which change with rolling releases.
const withoutVersion = (engine: string) => engine.replace(/\d[\w.+~-]*/g, "").replace(/\s+/g, " ");
const claimOf = ({ binding, engine, areas }: Result) => JSON.stringify([binding, withoutVersion(engine), areas]);

/** Differences between the saved results and this full run. */
export function staleResults(outcomes: readonly Outcome[]): string[] {
  const kept = existsSync(resultsPath) ? (JSON.parse(readFileSync(resultsPath, "utf8")) as Result[]) : [];
  const claims = new Set(kept.map(claimOf));
  const seen = new Set(outcomes.map(resultOf).map(claimOf));
  return [
    ...[...seen].filter((claim) => !claims.has(claim)).map((claim) => `seen, but not kept: ${claim}`),
    ...[...claims].filter((claim) => !seen.has(claim)).map((claim) => `kept, but not seen: ${claim}`),
  ];
}
