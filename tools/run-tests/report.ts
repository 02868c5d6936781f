// The final report of a test run: slowest files, totals and failed tests.
import { relative } from "node:path";
import type { run } from "node:test";
import { stripVTControlCharacters } from "node:util";

type TestEvents = ReturnType<typeof run>;

export type Report = {
  /** Collects the events of a test run. */
  follow(events: TestEvents): void;
  /** Also true if a run ended without reporting its totals. */
  hasFailed(): boolean;
  text(): string;
};

const slowestShown = 15;
/** Names of the totals, as Node reports them. */
const names = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo", "duration_ms"] as const;
type Sums = Record<(typeof names)[number], number>;

const messageLinesMax = 20;
const strayErrorMax = 1_000;

type FailureOfFile = { readonly exitCode?: number | null; readonly signal?: string | null };

/** The start of an error with its location. The complete error is further up in the log. */
function beginningOf(error: Error & FailureOfFile): string[] {
  // A file whose process failed outside of its tests has no error, only an end.
  if (typeof error.cause === "string") return [`    its process ended with ${error.signal ?? error.exitCode}`];
  const { message, stack = "" } = (error.cause as Error | undefined) ?? error;
  const lines = stripVTControlCharacters(String(message)).split("\n").slice(0, messageLinesMax);
  const inTest = stack.split("\n").find((line) => /^ +at .*\.test\.ts/u.test(line));
  return [...lines, ...(inTest === undefined ? [] : [inTest.trim()])].map((line) => `    ${line}`);
}

export function createReport(root: string): Report {
  const sums: Sums = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0, duration_ms: 0 };
  const failures: string[] = [];
  const files: { path: string; seconds: number }[] = [];
  /** What Node says about errors that belong to no running test, for each file. */
  const strayErrors = new Map<string | undefined, string[]>();
  let started = 0;
  let ended = 0;
  let isBroken = false;
  const pathOf = (file = "") => relative(root, file);
  return {
    follow(events) {
      started += 1;
      events.on("test:diagnostic", ({ file, message }) => {
        if (!/^Error: /u.test(message)) return;
        strayErrors.set(file, [...(strayErrors.get(file) ?? []), `    ${message.slice(0, strayErrorMax)}`]);
      });
      events.on("test:fail", ({ name, file, todo, details: { error } }) => {
        const isOfSubtests = (error as { failureType?: string }).failureType === "subtestsFailed";
        if (todo || isOfSubtests) return;
        // Node reports a file that crashed under its path.
        const test = name === file ? "the file itself" : name;
        const stray = name === file ? (strayErrors.get(file) ?? []) : [];
        failures.push([`✖ ${pathOf(file)}: ${test}`, ...beginningOf(error), ...stray].join("\n"));
      });
      events.on("test:summary", ({ file, counts, duration_ms, success }) => {
        if (file !== undefined) return void files.push({ path: pathOf(file), seconds: duration_ms / 1_000 });
        ended += 1;
        isBroken ||= !success;
        const { tests, suites, passed, cancelled, skipped, todo } = counts;
        const fail = tests - passed - cancelled - skipped - todo;
        const part: Sums = { tests, suites, pass: passed, fail, cancelled, skipped, todo, duration_ms };
        for (const name of names) sums[name] += part[name];
      });
    },
    hasFailed: () => isBroken || failures.length > 0 || ended < started,
    text() {
      const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
      return [
        "\n== The files that took longest\n",
        ...slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`),
        "\n== All parts together\n",
        ...names.map((name) => `ℹ ${name} ${Math.round(sums[name])}`),
        ...(ended < started ? ["", "A part was cut off before its end."] : []),
        ...(failures.length > 0 ? [`\n== ${failures.length} failed\n`, ...failures] : []),
      ].join("\n");
    },
  };
}
