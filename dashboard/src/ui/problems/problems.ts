// Finds problems between a game and its results in the data the page already has. Pure.

import { connectionProblems } from "./connection-problems.ts";
import { eventProblems } from "./event-problems.ts";
import type { Problem, ProblemFacts } from "./problem.ts";
import { refusalProblems } from "./refusal-problems.ts";
import { switchProblems } from "./switch-problems.ts";

/** Older events and refusals are ignored. */
const recentMs = 24 * 3_600_000;
const order = { stops: 0, loses: 1, notes: 2 } as const;
const problemsMax = 12;

/** Most severe first. */
export function findProblems(facts: ProblemFacts): readonly Problem[] {
  const isRecent = (at: string) => facts.nowMs - Date.parse(at) < recentMs;
  const recent = {
    ...facts,
    events: facts.events.filter(({ receivedAt }) => isRecent(receivedAt)),
    refusals: facts.refusals.filter(({ at }) => isRecent(at)),
  };
  const found = [
    ...refusalProblems(recent),
    ...switchProblems(recent),
    ...eventProblems(recent),
    ...connectionProblems(facts),
  ];
  return found.toSorted((a, b) => order[a.severity] - order[b.severity]).slice(0, problemsMax);
}
