// Everything one run of the binding bench came to.
import type { CallFigures } from "./calls.ts";
import type { EngineName } from "./engines.ts";
import type { StormFigures } from "./storm.ts";

export type EngineResults = {
  readonly name: EngineName;
  /** As the engine names itself, with its version. */
  readonly engine: string;
  readonly calls: readonly CallFigures[];
  readonly storm: StormFigures | undefined;
};

export type BindingResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly engines: readonly EngineResults[];
  /** Engines that were not measured, and why. */
  readonly absent: readonly string[];
  /** What makes figures of this run count for nothing. */
  readonly invalid: readonly string[];
};

/** Kit drops what is too much, and a dropped call is cheap: figures with many of them flatter. */
const arrivedShareMin = 0.99;

export function faultsOf({ name, calls }: EngineResults): string[] {
  return calls.flatMap(({ subject, launcher, made, arrived }) => {
    const isFault = subject === "kit" && arrived !== undefined && arrived < arrivedShareMin * made;
    return isFault ? [`${name}, launcher ${launcher}: only ${arrived} of ${made} calls arrived`] : [];
  });
}
