// `npm test` and `npm run test:nightly`: provides the programs that the tests need, bundles what is stale, runs Vitest, tries failed
// files that depend on real time once more, alone, and sums up. `npm test -- <file…>` runs the named files, whatever their name says.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathsInRepository, repositoryRoot } from "./repository.ts";
import { failedFilesOf, inBrief, type Report, triedAgain, type Verdict, verdictOf } from "./run-tests/verdict.ts";

const [speed = "gate", ...named] = process.argv.slice(2);
const results = join(repositoryRoot, "test-results");
const slowestShown = 10;

const projectsOf: Readonly<Record<string, readonly string[]>> = {
  gate: ["gate", "components"],
  nightly: ["nightly", "alone"],
};

/** Tests with random input, with combinations, and those that repeat kills, find more the longer they run. */
const atLength = {
  KIT_PROPERTY_RUNS: "1000000",
  KIT_KILL_CYCLES: "50",
  KIT_FUZZ_RUNS: "10000",
  KIT_SEQUENCES: "10000",
  KIT_GAME_ROUNDS: "25",
  KIT_TEAM_LAUNCHERS: "50",
  KIT_OPERATION_SHARES: "1",
};
const readsLength = new RegExp(`\\b(?:${Object.keys(atLength).join("|")})\\b`);

const environment: NodeJS.ProcessEnv = {
  ...process.env,
  // Hundreds of processes load the same modules, so each is compiled only once.
  NODE_COMPILE_CACHE: join(repositoryRoot, "node_modules/.cache/compiled"),
  ...(speed === "nightly" ? atLength : {}),
};

const node = (...words: readonly string[]): number =>
  spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", ...words], {
    cwd: repositoryRoot,
    env: environment,
    stdio: "inherit",
  }).status ?? 1;

type Run = { readonly report: Report; readonly hasPassed: boolean };

function vitest(title: string, ...words: readonly string[]): Run {
  const path = join(results, `${title}.json`);
  rmSync(path, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  const status = node("node_modules/vitest/vitest.mjs", "run", ...reporters, ...words);
  // Without a report, Vitest itself failed, and its output says why.
  const report =
    status === 0 || status === 1 ? (JSON.parse(readFileSync(path, "utf8")) as Report) : { testResults: [] };
  return { report, hasPassed: status === 0 };
}

/** The files of `npm test` that a night runs at length. */
const filesAtLength = (): string[] =>
  pathsInRepository()
    .filter(({ path, isFolder }) => !isFolder && /(?<!\.(?:engine|slow|alone))\.test\.ts$/.test(path))
    .map(({ path }) => path)
    .filter((path) => readsLength.test(readFileSync(join(repositoryRoot, path), "utf8")));

function firstRuns(): Run[] {
  if (named.length > 0) return [vitest("named", ...named)];
  const projects = (projectsOf[speed] ?? []).map((name) => `--project=${name}`);
  const first = vitest(speed, ...projects);
  return speed === "nightly" ? [first, vitest("at-length", "--project=gate", ...filesAtLength())] : [first];
}

function describe(runs: readonly Run[], { flaky, failed }: Verdict, tookMs: number): string {
  const files = runs.flatMap(({ report }) => report.testResults);
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const slowest = files
    .map(({ name, startTime, endTime }) => ({ path: name.slice(repositoryRoot.length + 1), ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestShown);
  const skipped = tests.length - count("passed") - count("failed");
  return [
    "\n== The files that took longest\n",
    ...slowest.map(({ path, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${path}`),
    `\n== ${tests.length} tests in ${files.length} files: ${count("passed")} passed, ${skipped} skipped, ${(tookMs / 1_000).toFixed(0)} s`,
    `\nflaky: ${flaky.length}`,
    ...flaky.flatMap(({ path, firstErrors }) => [`${path} passed in its second try; first:`, ...firstErrors]),
    ...(failed.length > 0 ? [`\nfailed: ${failed.length}`] : []),
    ...failed.flatMap(({ path, errors }) => [path, ...errors]),
  ].join("\n");
}

function main(): number {
  const beganMs = performance.now();
  if (projectsOf[speed] === undefined) {
    console.error(`There is no ${speed}; there are ${Object.keys(projectsOf).join(" and ")}.`);
    return 2;
  }
  mkdirSync(results, { recursive: true });
  // `.ci` prints this file again at its end.
  const brief = join(results, "failed.txt");
  rmSync(brief, { force: true });
  const provided = node("tools/engines/provide.ts", ...(speed === "gate" ? ["gate"] : []));
  if (provided !== 0) return provided;
  const bundled = node("tools/bundle.ts", "--if-stale");
  if (bundled !== 0) return bundled;
  const runs = firstRuns();
  if (runs.every(({ report }) => report.testResults.length === 0)) {
    console.error(
      named.length > 0 ? `No test file's path contains ${named.join(" or ")}.` : "Vitest ran no test file.",
    );
    return 2;
  }
  const first = runs.flatMap(({ report }) => failedFilesOf(report, repositoryRoot));
  // An error outside of every test fails Vitest, but no file.
  const isBroken = runs.some(
    ({ report, hasPassed }) => !hasPassed && failedFilesOf(report, repositoryRoot).length === 0,
  );
  const again = triedAgain(first);
  const second =
    again.length > 0 ? vitest("second-try", "--maxWorkers=1", "--no-file-parallelism", ...again) : undefined;
  const verdict = verdictOf(first, second && failedFilesOf(second.report, repositoryRoot));
  const at = new Date().toISOString();
  for (const file of verdict.flaky)
    appendFileSync(join(results, "flaky.jsonl"), `${JSON.stringify({ at, ...file })}\n`);
  console.log(describe(runs, verdict, performance.now() - beganMs));
  const flaky = verdict.flaky.map(({ path, firstErrors }) => ({ path, errors: firstErrors }));
  if (verdict.isRed) writeFileSync(brief, inBrief([...verdict.failed, ...flaky]));
  if (isBroken) console.log("\nfailed: an error outside of every test; Vitest printed it as an unhandled error, above");
  return verdict.isRed || isBroken ? 1 : 0;
}

process.exitCode = main();
