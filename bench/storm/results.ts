// Everything one run of the bench of storms came to.
import type { StormFigures } from "./measure.ts";
import type { StormJudgement } from "./targets.ts";

export type StormResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly figures: StormFigures;
  readonly targets: readonly StormJudgement[];
};
