// Everything one run of the bench of pages came to.
import type { Size } from "./options.ts";

export type Subject = "few" | "many";

/** One page opened once, and what was done on it. */
export type Visit = {
  readonly page: string;
  readonly subject: Subject;
  readonly round: number;
  /** From the beginning of its navigation until the first of what it is about is drawn. */
  readonly contentMs: number;
  /** Of what was done, what took longest: from the key or the click until the next picture, in steps of 8 ms. */
  readonly slowestMs: number;
  /** What moved without having been asked to: 0 is nothing. */
  readonly shift: number;
};

export type PageResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly sizes: Readonly<Record<Subject, Size>>;
  readonly visits: readonly Visit[];
};
