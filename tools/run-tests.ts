// Runs the test files of a speed, or the named ones: first most of them several at a time, then one at a time those that need the
// machine for themselves. Both parts always run. The end of the output lists the failures again.
import { existsSync, mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { repositoryRoot } from "./check/findings.ts";
import { pathsIn } from "./check/sources.ts";
import { browserOptions } from "./engines/browser-options.ts";
import { absentOf } from "./engines/locate.ts";
import { alone } from "./run-tests/alone.ts";
import { createReport, type Report } from "./run-tests/report.ts";
import { atLength, type Speed, speedOf, speeds, startedFirst } from "./run-tests/speeds.ts";

type RunBrowser = AsyncDisposable & {
  /** The environment variable with the browser's address for the test files. */
  readonly settings: Readonly<Record<string, string>>;
};

/**
 * Starts one browser if several files need it, because one for each file would take longer than many a file. Without Chromium, the
 * files report that themselves.
 */
async function openBrowserOf(files: readonly string[]): Promise<RunBrowser> {
  const isNeeded = files.filter((path) => path.startsWith("dashboard/test/")).length > 1;
  if (!isNeeded || absentOf(["Chromium"]).length > 0)
    return { settings: {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  const server = await chromium.launchServer(browserOptions());
  return { settings: { KIT_TEST_BROWSER: server.wsEndpoint() }, [Symbol.asyncDispose]: () => server.close() };
}

/** Test files that run at once. Quick ones mostly wait, and pass on a busy machine; many others depend on its speed. */
const atOnce = 3;
const quickAtOnce = 4;

/** The time limit of a test. Only a test that hangs reaches it, so no test needs a limit of its own. */
const timeLimitMs = 600_000;

/** All test files below `root`, as relative paths with forward slashes. */
export const testFilesBelow = (root: string): string[] =>
  pathsIn(root)
    .filter(({ path, isFolder }) => !isFolder && path.endsWith(".test.ts"))
    .map(({ path }) => path);

const namedFiles = (words: readonly string[]): string[] =>
  words.map((word) => relative(repositoryRoot, resolve(word)).split(sep).join("/"));

type Part = {
  readonly title: string;
  readonly paths: readonly string[];
  readonly concurrency: number;
  readonly settings?: Readonly<Record<string, string>>;
};

/** Unit tests are below these folders. They share one process, because a process each would take longer than many of them do. */
const sharedFolders = ["contract/src/", "dashboard/src/", "launcher/src/"];
/** Parts of a file that changes or measures its process, or starts programs. It has a process of its own. */
const ofOneProcess =
  /\b(?:process\.(?!platform\b)|mock\b|globalThis\b)|node:child_process|skipWithout|openDisplay|\/cost\.ts/u;
const sharesProcess = (path: string): boolean =>
  sharedFolders.some((folder) => path.startsWith(folder)) &&
  !ofOneProcess.test(readFileSync(join(repositoryRoot, path), "utf8"));

async function runPart({ title, paths, concurrency, settings = {} }: Part, report: Report): Promise<void> {
  if (paths.length === 0) return;
  console.log(`\n== ${title}: ${paths.length} test files\n`);
  const [together, apart] = [paths.filter(sharesProcess), paths.filter((path) => !sharesProcess(path))].map((some) =>
    some.map((path) => join(repositoryRoot, path)),
  ) as [string[], string[]];
  const shared = join(repositoryRoot, "tools/run-tests/in-one-process.ts");
  // It takes longest, so it starts first.
  const files = together.length > 1 ? [shared, ...apart] : [...apart, ...together];
  const execArgv = ["--disable-warning=ExperimentalWarning", `--test-timeout=${timeLimitMs}`];
  const env = {
    ...settings,
    ...process.env,
    KIT_TEST_FILES: JSON.stringify(together.map((path) => pathToFileURL(path))),
  };
  const events = run({ files, concurrency, execArgv, cwd: repositoryRoot, env });
  report.follow(events);
  const lines = events.compose(new spec());
  lines.pipe(process.stdout, { end: false });
  await finished(lines);
}

const isNotFirst = (file: string) => !startedFirst.includes(file);

const isSpeed = (word: string | undefined): word is Speed => speeds.some((speed) => speed === word);

/** `quick` means the files of that speed, `quick <file…>` and `<file…>` mean those files, and no word means all files. */
function chosenFiles(words: readonly string[]): string[] {
  const [speed] = words;
  const named = isSpeed(speed) ? words.slice(1) : words;
  if (named.length > 0) return namedFiles(named);
  return testFilesBelow(repositoryRoot).filter((path) => !isSpeed(speed) || speedOf(path) === speed);
}

/** Returns the exit code: 0 if everything passed, 1 if something failed, 2 if a named file does not exist. */
export async function runTests(words: readonly string[], alone: ReadonlySet<string>): Promise<number> {
  const isWholeSlow = words.length === 1 && words[0] === "slow";
  // Sorted, so that the long ones among them are not the last.
  const files = [...new Set([...chosenFiles(words), ...(isWholeSlow ? atLength.paths : [])])].toSorted();
  const absent = [...new Set([...alone, ...files])].filter((path) => !existsSync(join(repositoryRoot, path)));
  if (absent.length > 0) {
    console.error(`There is no ${absent.join(", ")}. Those that run alone are listed in tools/run-tests/alone.ts.`);
    return 2;
  }
  const report = createReport(repositoryRoot);
  const others = files.filter((file) => !alone.has(file));
  const beside = [...startedFirst.filter((file) => others.includes(file)), ...others.filter(isNotFirst)];
  const byItself = files.filter((file) => alone.has(file));
  await using browser = await openBrowserOf(files);
  // Hundreds of processes load the same modules, so each is compiled only once.
  using compiled = mkdtempDisposableSync(join(tmpdir(), "kit-compiled-"));
  const lengths = isWholeSlow ? atLength.settings : {};
  const settings = { ...browser.settings, ...lengths, NODE_COMPILE_CACHE: compiled.path };
  const concurrency = beside.every((file) => speedOf(file) === "quick") ? quickAtOnce : atOnce;
  await runPart({ title: "Several at a time", paths: beside, concurrency, settings }, report);
  await runPart({ title: "One at a time", paths: byItself, concurrency: 1, settings }, report);
  console.log(report.text());
  return report.hasFailed() ? 1 : 0;
}

if (import.meta.main) process.exitCode = await runTests(process.argv.slice(2), alone);
