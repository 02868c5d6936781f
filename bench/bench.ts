// What a bench is: its flags, what it measures, and what it says of that. run.ts does the rest for all of them.
import type { Engine } from "../tools/engines/locate.ts";
import { type Target, targetTable } from "./targets.ts";

/** A whole number that a flag gives. */
export type Flag = {
  readonly says: string;
  readonly usual: number;
  /** With --quick; as usual when left out. */
  readonly quick?: number;
  /** 1 when left out. */
  readonly least?: number;
  readonly most?: number;
};
type Flags = Readonly<Record<string, Flag>>;

export type Options<F extends Flags = Flags> = Readonly<Record<keyof F, number>> & {
  /** A short run whose figures mean nothing. */
  readonly isQuick: boolean;
  /** The names given by --only; all when none were. */
  readonly only: readonly string[];
};

export type Bench<F extends Flags = Flags, R extends object = object> = {
  /** One line for the list of benches. */
  readonly summary: string;
  /** The first lines of its help. */
  readonly about: string;
  readonly flags: F;
  /** What --only takes: each name, and what it stands for. */
  readonly parts?: Readonly<Record<string, string>>;
  /** What has to be on the machine. */
  readonly needs?: readonly Engine[];
  /** Whether it starts the built launcher. */
  readonly usesLauncher: boolean;
  measure(options: Options<F>, say: (line: string) => void): Promise<R>;
  /** The results for a person. */
  tables(results: R): readonly string[];
  /** Whether this run reached what Kit means to reach, one for each target the run has figures for. */
  targets(results: R): readonly Target[];
  /** What makes the run, or a part of it, worth nothing; with any the bench fails. */
  faults?(results: R): readonly string[];
};

export const defineBench = <F extends Flags, R extends object>(bench: Bench<F, R>) => bench;

/** What a run is, besides its results. */
export type RunFacts = { readonly machine: string; readonly at: string; readonly quick: boolean };

/** Everything of a run: what it ran on, its tables, its targets, and what is worth nothing in it. */
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
