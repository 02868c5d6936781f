// The interface of a benchmark: flags, measurement, tables and targets; its rounds, and its report. run.ts runs it.
import type { Engine } from "../tools/engines/locate.ts";
import { type Target, targetTable } from "./figures.ts";

/** A flag with a whole number. */
export type Flag = {
  readonly says: string;
  readonly usual: number;
  /** Value with --quick; the usual one if omitted. */
  readonly quick?: number;
  /** Minimum; 1 if omitted. */
  readonly least?: number;
  readonly most?: number;
};
type Flags = Readonly<Record<string, Flag>>;

export type Options<F extends Flags = Flags> = Readonly<Record<keyof F, number>> & {
  /** A short run that only proves that the benchmark works. */
  readonly isQuick: boolean;
  /** Names given with --only; all if it is omitted. */
  readonly only: readonly string[];
};

export type Say = (line: string) => void;

export type Bench<F extends Flags = Flags, R extends object = object> = {
  /** One line for the list of benchmarks. */
  readonly summary: string;
  /** Introduction of its help text. */
  readonly about: string;
  readonly flags: F;
  /** Names for --only with their descriptions. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Required engines. */
  readonly needs?: readonly Engine[];
  /** Whether it needs the built launcher. */
  readonly usesLauncher: boolean;
  measure(options: Options<F>, say: Say): Promise<R>;
  /** Formats the results as tables. */
  tables(results: R): readonly string[];
  /** Targets for which the run has figures, and whether they were reached. */
  targets(results: R): readonly Target[];
  /** Reasons why the run, or a part of it, is invalid. Any fault fails the benchmark. */
  faults?(results: R): readonly string[];
};

export const defineBench = <F extends Flags, R extends object>(bench: Bench<F, R>) => bench;

/** Returns the results of all rounds. The first round is number 1. */
export async function inRounds<R>(
  rounds: number,
  say: Say,
  work: (round: number) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`round ${round} of ${rounds}`);
    results.push(...(await work(round)));
  }
  return results;
}

/** The subjects in the order of this turn. It alternates, so that a disturbance affects all of them. */
export const inTurn = <S>(subjects: readonly S[], turn: number): readonly S[] =>
  turn % 2 === 0 ? subjects : subjects.toReversed();

/** Metadata of a run. */
export type RunFacts = { readonly machine: string; readonly at: string; readonly quick: boolean };

/** The report of a run: machine, tables, targets and faults. */
export function reportOf(
  { machine, at, quick }: RunFacts,
  tables: readonly string[],
  targets: readonly Target[],
  faults: readonly string[] = [],
): string {
  const facts = `${machine}\n${at}${quick ? "\nA quick run: its figures mean nothing." : ""}`;
  const invalid = faults.map((fault) => `INVALID: ${fault}`).join("\n");
  return [facts, ...tables, targetTable(targets), invalid].filter((part) => part !== "").join("\n\n");
}
