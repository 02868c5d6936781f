// Tests of Node's compile cache: only the user can write there, because Node runs cached bytecode without checking it.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { until } from "../support/until.ts";

/** The user id of nobody on every Linux, which stands for another user. */
const somebodyElse = 65_534;
const isRoot = process.getuid?.() === 0;

type Home = { readonly home: string; readonly shared: string; readonly cache: string };

/** A home folder and a temporary folder that everybody may write to. */
function makeHome(t: TestContext): Home {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "kit-code-cache-")));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const home = join(folder, "home");
  const shared = join(folder, "shared");
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  return { home, shared, cache: join(home, ".cache") };
}

/** Runs `kit --version` and returns what Node says of the code that it read from a cache or wrote to one. */
function start({ home, shared }: Home, env: NodeJS.ProcessEnv = {}) {
  const [program, ...words] = kitCommand("--version");
  const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...rest } = process.env;
  const own = { HOME: home, TMPDIR: shared, NODE_DEBUG_NATIVE: "COMPILE_CACHE", ...env };
  const { status, stdout, stderr } = spawnSync(program, words, { env: { ...rest, ...own }, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^\d+\.\d+\.\d+$/m);
  return {
    /** The folders in which entries were looked for. */
    places: [...new Set([...stderr.matchAll(/reading cache from (\S+)/g)].map(([, path = ""]) => dirname(path)))],
    found: [...stderr.matchAll(/reading cache from \S+ .*success/g)].length,
  };
}

/** All files below it, with everything that would reveal a change. */
const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const { mode, uid, mtimeMs, size } = lstatSync(join(folder, name));
      return `${name} ${mode.toString(8)} ${uid} ${size} ${mtimeMs}`;
    });

test("code that another user puts into the shared temporary folder is neither read nor touched", {
  skip: cannot.setFileModes,
}, (t) => {
  const person = makeHome(t);
  // Genuine entries, created by Node for the started files: only their owner is wrong.
  const genuine = join(person.home, "genuine");
  start(person, { NODE_COMPILE_CACHE: genuine });
  const [tag = ""] = readdirSync(genuine);
  assert.ok(readdirSync(join(genuine, tag)).length > 0, "Node made no entries to plant");
  const planted = join(person.shared, "node-compile-cache");
  mkdirSync(planted);
  renameSync(join(genuine, tag), join(planted, tag));
  const paths = [
    planted,
    ...readdirSync(planted, { recursive: true, encoding: "utf8" }).map((name) => join(planted, name)),
  ];
  for (const path of paths) {
    if (isRoot) chownSync(path, somebodyElse, somebodyElse);
    chmodSync(path, lstatSync(path).isDirectory() ? 0o777 : 0o666);
  }
  if (!isRoot) console.log("not root: what is planted belongs to the user that starts Kit, for everybody to write to");
  const before = below(planted);
  const { places } = start(person);
  assert.deepEqual(
    places.filter((place) => place.startsWith(person.shared)),
    [],
  );
  assert.deepEqual(below(planted), before);
});

test("the second start finds its code in a folder that only the user can write", { skip: cannot.setFileModes }, (t) => {
  const person = makeHome(t);
  start(person);
  const { places, found } = start(person);
  assert.deepEqual(places.map(dirname), [join(person.cache, "kit/compiled")]);
  assert.ok(found > 0, "no entry was read from it");
  for (const path of [
    ".cache",
    ".cache/kit",
    ".cache/kit/compiled",
    `.cache/kit/compiled/${basename(places[0] ?? "")}`,
  ])
    assert.equal(lstatSync(join(person.home, path)).mode & 0o022, 0, path);
});

test("an idle process has its code on disk, where also a killed one leaves it", {
  skip: cannot.setFileModes,
}, async (t) => {
  const { home } = makeHome(t);
  const module = join(home, "module.mjs");
  writeFileSync(module, "export const answer = () => 42;");
  const idle = pathToFileURL(join(import.meta.dirname, "../../src/process/idle-memory.ts")).href;
  const script = `
    const { releaseMemoryWhenIdle } = await import(${JSON.stringify(idle)});
    await import(${JSON.stringify(module)});
    releaseMemoryWhenIdle(Number.MAX_SAFE_INTEGER, 1);
    setInterval(() => undefined, 1_000);`;
  const env = { ...process.env, NODE_COMPILE_CACHE: join(home, "code") };
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { env, stdio: "ignore" });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  const entries = () =>
    existsSync(join(home, "code")) &&
    readdirSync(join(home, "code"), { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
  await until("the code is on disk", entries);
  assert.equal(child.exitCode, null);
});

test("the folder in NODE_COMPILE_CACHE is used", { skip: cannot.setFileModes }, (t) => {
  const person = makeHome(t);
  const { places } = start(person, { NODE_COMPILE_CACHE: join(person.home, "mine") });
  assert.deepEqual(places.map(dirname), [join(person.home, "mine")]);
  assert.ok(!existsSync(person.cache));
});

/** Faults of a folder on the path to the cache. Each leaves something with that name. */
const wrongs: Readonly<Record<string, (path: string, person: Home) => void>> = {
  "is a link to a folder of the user's": (path, { home }) => {
    renameSync(path, join(home, "elsewhere"));
    symlinkSync(join(home, "elsewhere"), path);
  },
  "is a link to nothing": (path) => {
    rmSync(path, { recursive: true });
    symlinkSync("/nonexistent/kit", path);
  },
  "is a file": (path) => {
    rmSync(path, { recursive: true });
    writeFileSync(path, "");
  },
  "may be written by the user's group": (path) => chmodSync(path, 0o770),
  "may be written by everybody": (path) => chmodSync(path, 0o707),
  ...(isRoot && { "belongs to somebody else": (path: string) => chownSync(path, somebodyElse, somebodyElse) }),
};
const ways = ["kit/compiled", "kit"];
/** For folders that Kit does not create, a link is the user's choice of another disk. */
const above = Object.keys(wrongs).filter((wrong) => !wrong.includes("link to a folder"));

const cases = [
  ...ways.flatMap((way) => Object.keys(wrongs).map((wrong) => ({ way, wrong }))),
  ...above.flatMap((wrong) => [
    { way: ".", wrong },
    { way: "..", wrong },
  ]),
].filter(({ way, wrong }) => way !== ".." || /may be written|somebody else/.test(wrong));

for (const { way, wrong } of cases) {
  test(`Kit runs without a code cache if the cache's ${way} ${wrong}`, { skip: cannot.setFileModes }, (t) => {
    const person = makeHome(t);
    start(person);
    assert.ok(existsSync(join(person.cache, "kit/compiled")));
    const path = join(person.cache, way);
    wrongs[wrong]?.(path, person);
    const before = below(person.home);
    assert.deepEqual(start(person).places, []);
    assert.deepEqual(below(person.home), before);
  });
}

test("a cache folder that the user linked to another disk is used", { skip: cannot.setFileModes }, (t) => {
  const person = makeHome(t);
  const disk = join(person.home, "disk");
  mkdirSync(disk, { mode: 0o700 });
  symlinkSync(disk, person.cache);
  const { places } = start(person);
  assert.deepEqual(places.map(dirname), [join(disk, "kit/compiled")]);
});

test("every process with a compile cache names its folder", () => {
  const sources = execFileSync(
    "git",
    ["grep", "-n", "enableCompileCache(", "--", "launcher/src", "launcher/bin", "tools/bundle"],
    {
      cwd: join(import.meta.dirname, "../../.."),
      encoding: "utf8",
    },
  );
  const calls = sources.split("\n").filter((line) => line !== "" && !line.includes(".test.ts"));
  assert.ok(calls.length > 0);
  for (const call of calls) assert.doesNotMatch(call, /enableCompileCache\(\s*\)/);
  assert.ok(readFileSync(join(import.meta.dirname, "../../src/main.ts"), "utf8").includes("enableCompileCache("));
});
