// `npm test [-- <file…>]`: runs most test files in pairs, then timing-sensitive ones one at a time. Both parts always run. Repeats
// all failures at the end.
import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { repositoryRoot } from "./check/findings.ts";
import { pathsIn } from "./check/sources.ts";
import { alone } from "./run-tests/alone.ts";
import { createReport, type Report } from "./run-tests/report.ts";

/** Test files that run at once. With more, tests would run into their timeouts. */
const atOnce = 2;

/** All test files below `root`, as relative paths with forward slashes. */
export const testFilesBelow = (root: string): string[] =>
  pathsIn(root)
    .filter(({ path, isFolder }) => !isFolder && path.endsWith(".test.ts"))
    .map(({ path }) => path);

const namedFiles = (words: readonly string[]): string[] =>
  words.map((word) => relative(repositoryRoot, resolve(word)).split(sep).join("/"));

async function runPart(title: string, paths: readonly string[], concurrency: number, report: Report): Promise<void> {
  if (paths.length === 0) return;
  console.log(`\n== ${title}: ${paths.length} test files\n`);
  const files = paths.map((path) => join(repositoryRoot, path));
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const told = run({ files, concurrency, execArgv, cwd: repositoryRoot });
  report.follow(told);
  const lines = told.compose(new spec());
  lines.pipe(process.stdout, { end: false });
  await finished(lines);
}

/** Returns the exit code: 0 on success, 1 on failure, 2 if a named file does not exist. */
async function main(words: readonly string[]): Promise<number> {
  const files = words.length === 0 ? testFilesBelow(repositoryRoot) : namedFiles(words);
  const absent = [...new Set([...alone, ...files])].filter((path) => !existsSync(join(repositoryRoot, path)));
  if (absent.length > 0) {
    console.error(`There is no ${absent.join(", ")}. Those that run alone are listed in tools/run-tests/alone.ts.`);
    return 2;
  }
  const report = createReport(repositoryRoot);
  const beside = files.filter((file) => !alone.has(file));
  const byItself = files.filter((file) => alone.has(file));
  await runPart("Two at a time", beside, atOnce, report);
  await runPart("One at a time", byItself, 1, report);
  console.log(report.text());
  return report.hasFailed() ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
