// Judges what a binding reported of errors that nobody caught. Pure; returns faults as sentences.
import { uncaughtPerSecondMax } from "@kit/contract";
import type { Binding, Driver } from "./binding.ts";
import { type Case, failuresOf } from "./case.ts";
import { messageOf } from "./request.ts";
import type { Arrival } from "./stand-in.ts";

type Uncaught = NonNullable<Case["expect"]["uncaught"]>;
type Report = { readonly message: string; readonly stack: string; readonly unreported: number; readonly atMs: number };

const lastLine = /(?:^|\n)Uncaught errors not reported before this one: (\d+)$/;
// The binding measures with another clock than the one in its timestamps.
const clockMs = 2;

/** The messages of these errors are what an engine makes of them, so their text is only a part. */
const patternOf = (message: string) => new RegExp(`${message.replace("{n}", "(\\d+)")}(?!\\d)`);

/** Whether the engine showed an error that the case caused. */
export function isCaused({ steps }: Case, shown: string): boolean {
  return [...failuresOf(steps).keys()].some((message) => patternOf(message).test(shown));
}

/** Whether the arrival reports an error that the case expects to be reported. */
export function isExpectedReport({ message, later = message }: Uncaught, arrival: Arrival): boolean {
  const { message: told = "", stackTrace } = messageOf(arrival) ?? {};
  return stackTrace !== undefined && (patternOf(message).test(told) || patternOf(later).test(told));
}

function reportOf(arrival: Arrival): Report {
  const { message = "", stackTrace = "", timestamp = "" } = messageOf(arrival) ?? {};
  const unreported = Number(lastLine.exec(stackTrace)?.[1] ?? 0);
  return { message, stack: stackTrace.replace(lastLine, ""), unreported, atMs: Date.parse(timestamp) };
}

export function faultsOfUncaught(
  one: Case,
  { message, atLeast, later }: Uncaught,
  arrivals: readonly Arrival[],
  { tellsNoErrors, endsAtErrors, clockToleranceMs }: Binding & Driver,
): string[] {
  const reports = arrivals.map(reportOf).sort((a, b) => a.atMs - b.atMs);
  if (tellsNoErrors !== undefined) {
    return reports.length === 0 ? [] : ["an error was reported; tellsNoErrors has to go from conformance.json"];
  }
  const pattern = patternOf(message);
  const numbers = reports.flatMap((report) => pattern.exec(report.message)?.slice(0, 2).at(-1) ?? []);
  const timesOf = Map.groupBy(numbers, (number) => number);
  const wanted = endsAtErrors ? 1 : atLeast;
  const most = Math.max(0, ...[...timesOf.values()].map(({ length }) => length));
  return [
    ...(timesOf.size < wanted ? [`${timesOf.size} errors were reported; at least ${wanted} should be`] : []),
    ...(most > 1 ? [`one error was reported ${most} times`] : []),
    ...reports.filter(({ stack }) => stack.trim() === "").map(({ message }) => `no stack was reported of ${message}`),
    ...faultsOfRate(reports, clockToleranceMs + clockMs),
    ...(later === undefined || endsAtErrors ? [] : faultsOfCount(one, reports, message, later)),
  ];
}

function faultsOfRate(reports: readonly Report[], toleranceMs: number): string[] {
  const spans = reports.slice(uncaughtPerSecondMax).map(({ atMs }, at) => atMs - (reports[at]?.atMs ?? 0));
  const shortest = Math.min(...spans);
  if (shortest >= 1_000 - toleranceMs) return [];
  return [
    `${uncaughtPerSecondMax + 1} errors were reported within ${shortest} ms; at most ${uncaughtPerSecondMax} a second may`,
  ];
}

/** Checks that each error was either reported or counted. */
function faultsOfCount(one: Case, reports: readonly Report[], message: string, later: string): string[] {
  const laterReports = reports.filter((report) => patternOf(later).test(report.message));
  if (laterReports.length !== 1) return [`the later error was reported ${laterReports.length} times`];
  const caused = failuresOf(one.steps).get(message) ?? 0;
  const unreported = reports.reduce((sum, report) => sum + report.unreported, 0);
  const told = reports.length - 1 + unreported;
  if (told === caused) return [];
  return [`of ${caused} errors ${reports.length - 1} were reported, and ${unreported} were said not to be`];
}
