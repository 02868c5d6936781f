// Support: reads how many reports a launcher has counted in its issues.
import { setTimeout as pause } from "node:timers/promises";
import { type Issue, issuesPageMax, type listIssues, type ReplyOf } from "@kit/contract";
import type { LauncherProcess } from "../support/own-launcher.ts";
import { patienceMs } from "../support/until.ts";

/** A database with another version makes the launcher read all reports again at its start. */
export { rulesVersion } from "../../src/monitor/fingerprint/fingerprint.ts";

const lookEveryMs = 200;

/** All issues, in every state. */
export async function allIssues(launcher: Pick<LauncherProcess, "api">): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (;;) {
    const before = issues.length === 0 ? "" : `&before=${issues.at(-1)?.id}`;
    const page = await launcher.api("GET", `/api/issues?sort=firstSeen&limit=${issuesPageMax}${before}`);
    const { issues: listed, more } = page.json<ReplyOf<typeof listIssues>>();
    issues.push(...listed);
    if (!more) return issues;
  }
}

export const sumOf = (issues: readonly Issue[]): number => issues.reduce((sum, { count }) => sum + count, 0);

/** Kit finds a report's sender with the first triggers, so reports of one kind may be in two issues, from before and after. */
export function countsByTitle(issues: readonly Issue[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { title, count } of issues) counts.set(title, (counts.get(title) ?? 0) + count);
  return counts;
}

/** The issues when their counts reach `sum`, or at the deadline. */
export async function issuesOnceCounted(launcher: Pick<LauncherProcess, "api">, sum: number): Promise<Issue[]> {
  const deadlineMs = performance.now() + patienceMs;
  for (;;) {
    const issues = await allIssues(launcher);
    if (sumOf(issues) >= sum || performance.now() > deadlineMs) return issues;
    await pause(lookEveryMs);
  }
}
