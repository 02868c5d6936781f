// What a suite of the bench is, and what it measures with. run.ts runs it.
import type { Engine } from "../tools/engines/locate.ts";

export type Run = {
  readonly rounds: number;
  /** A short run that only shows that the suite works. */
  readonly isQuick: boolean;
  add(measure: string, subject: string, round: number, value: number): void;
  /** Reports why a figure is worth nothing, or which promise was broken. It makes the bench fail. */
  fault(says: string): void;
  say(line: string): void;
};

export type Suite = {
  /** One line for the help. */
  readonly says: string;
  readonly needs: readonly Engine[];
  /** Rounds unless told otherwise. */
  readonly rounds: number;
  measure(run: Run): Promise<void>;
};

/** The subjects in the order of this turn. It alternates, so that a disturbance affects all of them. */
export const inTurn = <S>(subjects: readonly S[], turn: number): readonly S[] =>
  turn % 2 === 0 ? subjects : subjects.toReversed();
