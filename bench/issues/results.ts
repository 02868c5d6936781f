// Everything one run of the bench of issues came to.
import type { CallName } from "./calls.ts";
import type { Filled } from "./fill.ts";

export type Subject = "few" | "many";
export type CallRun = {
  readonly subject: Subject;
  readonly call: CallName;
  readonly round: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
export type IssueResults = {
  readonly machine: string;
  readonly at: string;
  readonly quick: boolean;
  readonly filled: Readonly<Record<Subject, Omit<Filled, "ids">>>;
  readonly runs: readonly CallRun[];
};
