// Tests that installs of engines never harm one another, are begun again after a kill, happen once, and end up in a fitting folder.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, test } from "vitest";
import { until } from "../../launcher/test/support/until.ts";
import { cannot } from "./cannot.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-cache-test-"));
const children = new Set<ChildProcess>();
afterAll(() => {
  // Of a failed test, they would wait for ever.
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, maxRetries: 10 });
});
const cacheModule = JSON.stringify(pathToFileURL(join(import.meta.dirname, "cache.ts")).href);

function run(script: string, env: NodeJS.ProcessEnv = {}) {
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", script];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (part) => (output += part));
  const ended = new Promise<string>((done) => child.once("close", () => done(output.trim())));
  return { child, output: () => output, ended };
}

/** A cache with an engine whose install ends when the file `go` exists. The file `log` says what its installs do. */
function openCache() {
  const root = mkdtempSync(join(folder, "of-"));
  const [go, log] = [join(root, "go"), join(root, "log")];
  const dir = join(root, "engines");
  const script = (version: number, fails: boolean) => `
    import { appendFileSync, existsSync, writeFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    const { installed, provide, removeUnused } = await import(${cacheModule});
    const recipe = { name: "fake", title: "the fake", from: "nowhere", parts: ${version}, holds: ["program"] };
    const log = (word) => appendFileSync(${JSON.stringify(log)}, word + "\\n");
    await provide(recipe, async (place) => {
      log("begins");
      writeFileSync(place + "/made-by", String(process.pid));
      if (${fails}) throw new Error("no network");
      while (!existsSync(${JSON.stringify(go)})) await setTimeout(20);
      writeFileSync(place + "/program", "a program");
      log("ends");
    });
    await removeUnused();
    console.log(installed(recipe));`;
  return {
    dir,
    start: (version = 1, fails = false) => run(script(version, fails), { KIT_ENGINES_DIR: dir }),
    letGo: () => writeFileSync(go, ""),
    log: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

const placeIn = (output: string) => output.split("\n").at(-1) ?? "";
const enginesIn = (dir: string) => readdirSync(dir).filter((name) => name !== "locks");

test("two processes that need an engine at once install it once, and both find it", async () => {
  const cache = openCache();
  const both = [cache.start(), cache.start()];
  await until("one waits for the other", () => both.some(({ output }) => output().includes("waiting for another")));
  cache.letGo();
  const [first = "", second = ""] = (await Promise.all(both.map(({ ended }) => ended))).map(placeIn);
  assert.ok(existsSync(join(first, "program")));
  assert.equal(first, second);
  assert.deepEqual(cache.log(), ["begins", "ends"]);
});

test("checkouts with different recipes of an engine install one after another, and keep both", async () => {
  const cache = openCache();
  const both = [cache.start(1), cache.start(2)];
  await until("one waits for the other", () => both.some(({ output }) => output().includes("waiting for another")));
  cache.letGo();
  const places = (await Promise.all(both.map(({ ended }) => ended))).map(placeIn);
  assert.equal(new Set(places).size, 2);
  for (const place of places) assert.ok(existsSync(join(place, "program")));
  assert.deepEqual(cache.log(), ["begins", "ends", "begins", "ends"]);
});

test("an install that is killed does not count, and the next process begins again without waiting for anybody", async () => {
  const cache = openCache();
  const killed = cache.start();
  await until("it has begun", () => cache.log().length === 1);
  const waits = cache.start();
  await until("another waits for it", () => waits.output().includes("waiting for another"));
  killed.child.kill("SIGKILL");
  await killed.ended;
  assert.deepEqual(readdirSync(join(cache.dir, "locks")), ["fake"]);
  await until("the other has begun", () => cache.log().length === 2);
  cache.letGo();
  const place = placeIn(await waits.ended);
  assert.equal(readFileSync(join(place, "made-by"), "utf8"), String(waits.child.pid));
  assert.deepEqual(readdirSync(dirname(place)).toSorted(), [basename(place), "complete"].toSorted());
});

test("an engine is installed once, and again if a part of it is gone or the cache was moved", async () => {
  const cache = openCache();
  cache.letGo();
  const installs = async () => {
    await cache.start().ended;
    return cache.log().filter((word) => word === "ends").length;
  };
  const place = placeIn(await cache.start().ended);
  assert.equal(await installs(), 1);
  rmSync(join(place, "program"));
  assert.equal(await installs(), 2);
  renameSync(cache.dir, `${cache.dir}-moved`);
  mkdirSync(cache.dir);
  for (const name of enginesIn(`${cache.dir}-moved`))
    renameSync(join(`${cache.dir}-moved`, name), join(cache.dir, `${name}`));
  assert.equal(await installs(), 2, "it is where it was");
  renameSync(cache.dir, `${cache.dir}-else`);
  const elsewhere = run(
    `const { installed } = await import(${cacheModule});
    console.log(installed({ name: "fake", title: "", from: "", parts: 1, holds: [] }));`,
    {
      KIT_ENGINES_DIR: `${cache.dir}-else`,
    },
  );
  assert.equal(await elsewhere.ended, "undefined", "its programs contain their path");
});

test("an install that fails says why, leaves nothing, and is tried again", async () => {
  const cache = openCache();
  cache.letGo();
  const output = await cache.start(1, true).ended;
  assert.match(output, /^engines: the fake could not be installed: no network$/m);
  assert.equal(placeIn(output), "undefined");
  for (const name of enginesIn(cache.dir)) assert.deepEqual(readdirSync(join(cache.dir, name)), []);
  assert.ok(existsSync(join(placeIn(await cache.start().ended), "program")));
});

test("what was unused for 60 days is removed, also what a kill left; what is used stays", async () => {
  const cache = openCache();
  cache.letGo();
  const daysAgo = (path: string, days: number) =>
    utimesSync(path, Date.now() / 1000 - days * 86_400, Date.now() / 1000 - days * 86_400);
  const stampOf = (place: string) => join(place, "../complete");
  const [old = "", recent = "", used = ""] = await Promise.all(
    [1, 2, 3].map(async (version) => placeIn(await cache.start(version).ended)),
  );
  daysAgo(stampOf(old), 61);
  daysAgo(stampOf(recent), 59);
  daysAgo(stampOf(used), 61);
  const left = join(cache.dir, "fake-0123456789ab");
  mkdirSync(join(left, "attempt"), { recursive: true });
  daysAgo(left, 61);
  await cache.start(3).ended;
  assert.deepEqual(
    [old, recent, used, left].map((path) => existsSync(path)),
    [false, true, true, false],
  );
  assert.ok(Date.now() - statSync(stampOf(used)).mtimeMs < 86_400_000, "the use is noted");
  assert.deepEqual(cache.log().length, 6, "nothing is installed again");
});

const { chooseFolder } = await import("./cache.ts");

test("engines are in the named folder, or in the user's caches", { skip: cannot.setFileModes }, () => {
  const home = mkdtempSync(join(folder, "home-"));
  assert.equal(chooseFolder({ KIT_ENGINES_DIR: "/somewhere/else", HOME: home }, home), "/somewhere/else");
  const usual = process.platform === "darwin" ? "Library/Caches/kit-engines" : ".cache/kit-engines";
  assert.equal(chooseFolder({}, home), join(home, usual));
  if (process.platform === "linux")
    assert.equal(chooseFolder({ XDG_CACHE_HOME: join(home, "own") }, home), join(home, "own/kit-engines"));
  assert.ok(!existsSync(join(home, usual)), "looking creates nothing");
});

test("without a home that can be written to, engines are in a private temporary folder of the user", {
  skip: cannot.setFileModes,
}, async () => {
  const temporary = mkdtempSync(join(folder, "tmp-"));
  const closed = mkdtempSync(join(folder, "closed-"));
  const file = join(folder, "file");
  writeFileSync(file, "");
  for (const home of ["", join(folder, "missing"), file]) {
    const chosen = chooseFolder({}, home, temporary);
    assert.equal(dirname(chosen), temporary);
    assert.match(basename(chosen), /^kit-engines-.+/);
    assert.equal(statSync(chosen).mode & 0o777, 0o700);
  }
  // Root may write everywhere, so an ordinary user looks.
  const isRoot = process.getuid?.() === 0;
  const other = isRoot ? 65_534 : (process.getuid?.() ?? 0);
  for (const path of [folder, temporary]) chmodSync(path, 0o1777);
  if (isRoot) chownSync(closed, other, other);
  chmodSync(closed, 0o500);
  const words = ["{}", JSON.stringify(closed), JSON.stringify(temporary)].join(", ");
  const { ended } = run(`const { chooseFolder } = await import(${cacheModule});
    if (${isRoot}) process.setuid(${other});
    console.log(chooseFolder(${words}));`);
  const chosen = await ended;
  assert.equal(dirname(chosen), temporary);
  assert.equal(statSync(chosen).uid, other);
});

test("a temporary folder that others may write to is refused", { skip: cannot.setFileModes }, () => {
  const temporary = mkdtempSync(join(folder, "tmp-"));
  chmodSync(chooseFolder({}, "", temporary), 0o777);
  assert.throws(() => chooseFolder({}, "", temporary), /others may write to/);
});
