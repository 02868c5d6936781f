// Tests of running the tests: each test file has a speed, CI runs every speed, both parts of a run run, and failures are at the
// end of the log.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { repositoryRoot } from "./check/findings.ts";
import { alone } from "./run-tests/alone.ts";
import { atLength, decidingFor, scriptOf, speedOf, speeds, speedTable, startedFirst } from "./run-tests/speeds.ts";
import { testFilesBelow } from "./run-tests.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-run-tests-"));
after(() => rmSync(folder, { recursive: true }));

/** Writes a test file with that text. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `import { after, before, suite, test } from "node:test";\n${text}\n`);
  return path;
}

const one = file("alone.test.ts", 'test("is alone", () => {});');

const runner = join(folder, "run.ts");
writeFileSync(
  runner,
  `import { runTests } from "${pathToFileURL(join(import.meta.dirname, "run-tests.ts")).href}";
  const alone = new Set(${JSON.stringify([relative(repositoryRoot, one)])});
  process.exitCode = await runTests(process.argv.slice(2), alone);`,
);

/** Runs these files. The file `one` runs alone. */
async function runTests(...words: string[]): Promise<{ code: number | null; output: string }> {
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
  const program = ["--disable-warning=ExperimentalWarning", runner];
  const child = spawn(process.execPath, [...program, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (output += part));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

const quick = "tools/check-names.test.ts";

test("every file that runs alone exists, and is a test file that is not quick", () => {
  const files = new Set(testFilesBelow(repositoryRoot));
  assert.deepEqual(
    [...alone].filter((path) => !files.has(path)),
    [],
  );
  assert.deepEqual(
    [...alone].filter((path) => speedOf(path) === "quick"),
    [],
    "a quick test must pass whatever else the machine does",
  );
  assert.ok(files.has(quick));
  assert.ok([...files].every((path) => existsSync(join(repositoryRoot, path)) && !path.includes("node_modules")));
});

test("each line of the table of speeds decides the speed of a test file", () => {
  const files = testFilesBelow(repositoryRoot);
  const decided = new Set(files.map((path) => decidingFor(path)));
  assert.deepEqual(
    Object.keys(speedTable).filter((beginning) => !decided.has(beginning)),
    [],
  );
  for (const speed of speeds)
    assert.ok(
      files.some((path) => speedOf(path) === speed),
      speed,
    );
  assert.deepEqual(
    [...atLength.paths, ...startedFirst].filter((path) => !files.includes(path)),
    [],
  );
});

test("every speed has a script, CI runs every script, and a missing engine fails there", () => {
  const textOf = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  const [, loop = ""] = /^for script in (.+); do$/m.exec(textOf(".ci/run")) ?? [];
  assert.deepEqual(loop.split(" ").toSorted(), speeds.map((speed) => scriptOf[speed]).toSorted());
  for (const speed of speeds) assert.equal(scripts[scriptOf[speed]], `node tools/test.ts ${speed}`);
  assert.match(textOf(".ci/run"), /^export KIT_REQUIRE_ENGINES=1$[\s\S]*^ {2}npm run "\$script" /m);
});

test("files of both parts run, and the totals are the sums of both", async () => {
  const { code, output } = await runTests(file("passes.test.ts", 'test("passes", () => {});'), one);
  assert.equal(code, 0, output);
  assert.match(output, /== Several at a time: 1 test files[\s\S]*✔ passes[\s\S]*== One at a time: 1 test files/);
  const sums = [...output.matchAll(/^ℹ tests (\d+)$/gm)].map(([, count]) => Number(count));
  assert.equal(sums.length, 3, output);
  assert.equal(sums[2], (sums[0] ?? 0) + (sums[1] ?? 0));
});

test("a failed test and a crashed file are repeated at the end with their file", async () => {
  const breaks =
    'suite("of two", () => { test("breaks", () => { throw new Error("no\\nway"); }); test("holds", () => {}); });';
  const later = 'test("is for later", { todo: true }, () => { throw new Error("not yet"); });';
  const { code, output } = await runTests(
    file("breaks.test.ts", `${breaks}\n${later}`),
    file("ends.test.ts", "process.exit(3);"),
    file("stray.test.ts", 'test("throws later", () => { setImmediate(() => { throw new Error("late"); }); });'),
    one,
  );
  assert.equal(code, 1, output);
  assert.match(output, /== One at a time/, "the second part ran too");
  const end = output.slice(output.indexOf("== 3 failed"));
  assert.match(
    end,
    /^== 3 failed\n\n✖ \S*breaks\.test\.ts: breaks\n {4}no\n {4}way\n {4}at .*breaks\.test\.ts:2:\d+\)?\n✖ \S*ends\.test\.ts: the file itself\n {4}its process ended with 3\n/,
  );
  assert.match(
    end,
    /stray\.test\.ts: the file itself\n {4}its process ended with 1\n {4}Error: Test "throws later".*"Error: late"/,
  );
});

test("unit tests that leave their process as it is share one, and the others have their own", async () => {
  const sharing = ["launcher/src/outbox/backoff.test.ts", "launcher/src/storage/sql.test.ts"];
  const apart = "launcher/src/recording/plans/schedule.property.test.ts";
  const { code, output } = await runTests(...sharing, apart, one);
  assert.equal(code, 0, output);
  for (const path of sharing) assert.match(output, new RegExp(`^▶ ${path}$`, "m"));
  assert.match(output, /in-one-process\.ts$/m);
  assert.match(output, new RegExp(` ${apart}$`, "m"), "it reads how often it runs from its process");
});

test("files that share a process run one after the other, each with its own hooks", async () => {
  const texts = ["a", "b"].map(
    (name) => `before(() => console.log("${name} begins")); after(() => console.log("${name} ends"));
      test("is of ${name}", () => console.log("${name} runs"));`,
  );
  const files = texts.map((text, n) => pathToFileURL(file(`shares-${n}.test.ts`, text)).href);
  const { NODE_TEST_CONTEXT: _inner, ...env } = process.env;
  const program = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "run-tests/in-one-process.ts")];
  const output = execFileSync(process.execPath, program, {
    env: { ...env, KIT_TEST_FILES: JSON.stringify(files) },
    encoding: "utf8",
  });
  const steps = output.split("\n").filter((line) => /^[ab] (?:begins|runs|ends)$/.test(line));
  assert.deepEqual(
    steps,
    ["a", "b"].flatMap((name) => [`${name} begins`, `${name} runs`, `${name} ends`]),
  );
});

test("a missing file is reported, and nothing runs", async () => {
  const { code, output } = await runTests("tools/no-such.test.ts", quick);
  assert.equal(code, 2);
  assert.match(output, /^There is no tools\/no-such\.test\.ts\./);
  assert.doesNotMatch(output, /==/);
});
