// Everything one run of the bench came to.
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import type { IdleFigures } from "./idle.ts";
import type { IngestRun } from "./ingest.ts";
import type { StartRun } from "./start.ts";

export type Results = {
  readonly machine: string;
  readonly at: string;
  readonly ingest: readonly IngestRun[];
  readonly start: readonly StartRun[];
  readonly idle: readonly IdleFigures[];
  /** Runs that count for nothing, and why. They are not among the others. */
  readonly invalid: readonly string[];
};

/** The machine in one line: without it a figure says nothing. */
export const describeMachine = (): string => `${machineAndNode()}, wrk ${wrkVersion()}`;

/** The same for measures that need no load generator. */
export function machineAndNode(): string {
  const [processor] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const kernel = `${process.platform} ${release()}`;
  return `${cpus().length} × ${processor?.model.trim()}, ${memory}, ${kernel}, Node ${process.versions.node}`;
}

function wrkVersion(): string {
  try {
    // It prints its version and ends with 1.
    return execFileSync("wrk", ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return /wrk \S*?([\d.]+)/.exec(String((error as { stdout?: string }).stdout))?.[1] ?? "of unknown version";
  }
}
