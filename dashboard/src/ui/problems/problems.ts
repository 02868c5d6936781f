// What stands between a game and what comes of its events, found in what the launcher already says. Pure.
import type { Facts, Problem } from "./problem.ts";
import { notArriving } from "./problems-arriving.ts";
import { notMade } from "./problems-made.ts";
import { refused } from "./problems-refused.ts";
import { switchedOff } from "./problems-switched.ts";

/** What is older than this says nothing about now. */
const recentMs = 24 * 3_600_000;
const order = { stops: 0, loses: 1, notes: 2 } as const;
const problemsMax = 12;

/** Most important first. */
export function problemsIn(facts: Facts): readonly Problem[] {
  const isRecent = (at: string) => facts.nowMs - Date.parse(at) < recentMs;
  const recent = {
    ...facts,
    events: facts.events.filter(({ receivedAt }) => isRecent(receivedAt)),
    refusals: facts.refusals.filter(({ at }) => isRecent(at)),
  };
  const found = [...refused(recent), ...switchedOff(recent), ...notMade(recent), ...notArriving(facts)];
  return found.toSorted((a, b) => order[a.weight] - order[b.weight]).slice(0, problemsMax);
}
