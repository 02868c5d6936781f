// What a run of Vitest says, file by file, and what a second try of failed files makes of it.

/** The part of Vitest's JSON report that is read here. */
export type Report = {
  readonly testResults: readonly {
    /** Absolute path. */
    readonly name: string;
    readonly status: string;
    /** Why the file itself failed, for example its import. */
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
};

export type FailedFile = { readonly path: string; readonly errors: readonly string[] };
type FlakyFile = { readonly path: string; readonly firstErrors: readonly string[] };

/** More failed files than this are a broken product or machine: a second try would only cost time. */
const failedMax = 5;
/** More flaky files than this in one run are red: the tests are then no proof. */
const flakyMax = 3;
const errorLinesMax = 20;

/** Tests of pages and of engines, captures and measures depend on real time. The others always do the same. */
const dependsOnRealTime = (path: string): boolean =>
  path.startsWith("dashboard/test/") || /\.(?:engine|slow|alone|realtime)\.test\.ts$|\.test\.tsx$/.test(path);

const shortened = (text: string): string => text.split("\n").slice(0, errorLinesMax).join("\n");

/** The failed files of a report, with paths below `root`. */
export function failedFilesOf({ testResults }: Report, root: string): FailedFile[] {
  return testResults
    .filter(({ status }) => status === "failed")
    .map(({ name, message, assertionResults }) => {
      const errors = assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => `${fullName}\n${shortened((failureMessages ?? []).join("\n"))}`);
      const path = name.slice(root.length + 1).replaceAll("\\", "/");
      return { path, errors: errors.length > 0 ? errors : [`the file itself\n${shortened(message)}`] };
    });
}

/** The files that get a second try: those that depend on real time, unless so many failed that something else is wrong. */
export const triedAgain = (failed: readonly FailedFile[]): string[] =>
  failed.length > failedMax ? [] : failed.map(({ path }) => path).filter(dependsOnRealTime);

export type Verdict = {
  readonly flaky: readonly FlakyFile[];
  readonly failed: readonly FailedFile[];
  readonly isRed: boolean;
};

/** `again` are the files that failed in the second try; undefined if there was none. */
export function verdictOf(first: readonly FailedFile[], again: readonly FailedFile[] | undefined): Verdict {
  const tried = again === undefined ? [] : triedAgain(first);
  const stillFailed = new Map((again ?? []).map((file) => [file.path, file.errors]));
  const flaky = first
    .filter(({ path }) => tried.includes(path) && !stillFailed.has(path))
    .map(({ path, errors }) => ({ path, firstErrors: errors }));
  const failed = first
    .filter(({ path }) => !flaky.some((file) => file.path === path))
    .map(({ path, errors }) => {
      const second = stillFailed.get(path) ?? [];
      return { path, errors: [...errors, ...second.map((error) => `second try: ${error}`)] };
    });
  return { flaky, failed, isRed: failed.length > 0 || flaky.length > flakyMax };
}

const briefMax = 200;

/** A line for each error: the file, the test and the first line of what it threw. For the end of a log that few read whole. */
export const inBrief = (failed: readonly FailedFile[]): string =>
  failed
    .flatMap(({ path, errors }) => errors.map((error) => `${path}: ${error.split("\n").slice(0, 2).join(": ")}`))
    .map((line) => `${line.slice(0, briefMax)}\n`)
    .join("");
