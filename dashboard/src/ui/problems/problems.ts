// Finds out, from data that the page already has, why a game's events may not lead to results. Pure.
import { defaultPort } from "@kit/contract";
import { t } from "../../language/language.ts";
import { eventProblems } from "./event-problems.ts";
import type { DetectedProblem, ProblemFacts } from "./problem.ts";
import { refusalProblems } from "./refusal-problems.ts";
import { switchProblems } from "./switch-problems.ts";

/** A running game usually sends something at least this often. */
const silentMs = 10 * 60_000;

function connectionProblems({ nowMs, connection, port, events, refusals }: ProblemFacts): DetectedProblem[] {
  if (connection === "connecting") return [];
  if (connection !== "live") {
    const says = t("Kit is not responding, so nothing can arrive until it is running again");
    return [
      {
        key: "away",
        severity: "stops",
        says,
        todo: t("Start Kit with `kit start`. This page reconnects by itself."),
        actions: [],
      },
    ];
  }
  const [newest] = events;
  const [refusal] = refusals;
  const last = [newest?.receivedAt, refusal?.at]
    .filter((at) => at !== undefined)
    .toSorted()
    .at(-1);
  if (last !== undefined && nowMs - Date.parse(last) < silentMs) return [];
  const ipv4 = `http://127.0.0.1:${port}`;
  const ipv6 = `http://[::1]:${port}`;
  const listens = t("Kit listens on {{ipv4}} and {{ipv6}}.", { ipv4, ipv6 });
  const elsewhere = t(
    "Kit listens on {{ipv4}} and {{ipv6}}. Games send to port {{usual}} unless you configure another address.",
    { ipv4, ipv6, usual: defaultPort },
  );
  const common = { key: "silent", todo: port === defaultPort ? listens : elsewhere, actions: [] } as const;
  // Games send to the default port. If the launcher listens on another one, no event arrives until the games are
  // configured.
  const weight = port === defaultPort ? "notes" : "loses";
  if (last === undefined) return [{ ...common, severity: weight, says: t("No request has arrived yet") }];
  return [{ ...common, severity: "notes", says: t("Nothing has arrived for at least 10 minutes"), at: last }];
}

/** Events and refused requests that are older than this count as no problem. */
const recentMs = 24 * 3_600_000;
const order = { stops: 0, loses: 1, notes: 2 } as const;
const problemsMax = 12;

/** Returns the problems, the most severe first. */
export function findProblems(facts: ProblemFacts): readonly DetectedProblem[] {
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
