// Tests of the data swap: files are moved completely, moved back on a failure, and a killed swap is finished at the next start.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "vitest";
import { makeDataDir, removeDataDir } from "../../test/support/storage-folder.ts";
import type { DataDir } from "./data-dir.ts";
import { executeDataSwap, type FileMove, isSwapPlanned, planDataSwap } from "./data-swap.ts";

/** All files in the folder, by their path with forward slashes, with their contents. */
function filesIn(path: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) {
    if (statSync(join(path, name)).isFile()) files[name.replaceAll(sep, "/")] = readFileSync(join(path, name), "utf8");
  }
  return files;
}

const before = {
  "kit.db": "now",
  "kit.db-wal": "wal of now",
  "backups/one.db": "a backup",
  "clips/a.mp4": "clip a",
  "clips/saga/b.mp4": "clip b",
  "incoming/kit.db": "to come",
};
const after = {
  "kit.db": "to come",
  "aside/then/kit.db": "now",
  "aside/then/kit.db-wal": "wal of now",
  "aside/then/backups/one.db": "a backup",
  "clips/.aside/then/a.mp4": "clip a",
  "clips/.aside/then/saga/b.mp4": "clip b",
};

function folder(): { dir: DataDir; moves: FileMove[] } {
  const dir = makeDataDir();
  for (const [name, text] of Object.entries(before)) {
    mkdirSync(join(dir.path, name, ".."), { recursive: true });
    writeFileSync(join(dir.path, name), text);
  }
  const at = (...parts: string[]) => join(dir.path, ...parts);
  const aside = ["kit.db", "kit.db-wal", "kit.db-shm", "backups"].map((name) => ({
    from: at(name),
    to: at("aside/then", name),
  }));
  const clips = { from: at("clips"), to: at("clips/.aside/then"), inside: { except: ".aside" } };
  return { dir, moves: [...aside, clips, { from: at("incoming/kit.db"), to: at("kit.db") }] };
}
const plan = (dir: DataDir, moves: readonly FileMove[]) =>
  planDataSwap(dir, { moves, aside: join(dir.path, "aside/then"), emptied: [dir.staging] });

test("the present files are set aside completely, and the prepared ones replace them", () => {
  const { dir, moves } = folder();
  plan(dir, moves);
  assert.deepEqual(executeDataSwap(dir), {});
  assert.deepEqual(filesIn(dir.path), after);
  assert.equal(isSwapPlanned(dir), false);
  removeDataDir(dir);
});

test("a failed step reverts the steps before it", () => {
  const { dir, moves } = folder();
  // A file is in the place of a folder.
  const broken = { from: join(dir.path, "backups"), to: join(dir.path, "kit.db-shm", "backups") };
  writeFileSync(join(dir.path, "kit.db-shm"), "a file");
  plan(dir, [...moves.filter(({ from }) => !from.endsWith("-shm")).slice(0, 2), broken, ...moves.slice(4)]);
  assert.ok(executeDataSwap(dir).failed);
  assert.deepEqual(filesIn(dir.path), { ...before, "kit.db-shm": "a file" });
  assert.equal(isSwapPlanned(dir), false);
  removeDataDir(dir);
});

const module = JSON.stringify(import.meta.resolve("./data-swap.ts"));
const dataDirModule = JSON.stringify(import.meta.resolve("./data-dir.ts"));

/** Executes the swap in its own process, which is killed after that many steps. */
function killedAfter(dir: DataDir, steps: number): boolean {
  const code = `
    import { executeDataSwap } from ${module};
    import { dataDirAt } from ${dataDirModule};
    let left = ${steps};
    executeDataSwap(dataDirAt(${JSON.stringify(dir.path)}), () => { if (--left === 0) process.kill(process.pid, "SIGKILL"); });`;
  const { signal, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code]);
  // On Windows, a killed process ends with 1.
  return process.platform === "win32" ? status === 1 : signal === "SIGKILL";
}

/** Under Wine, a process takes long to start. */
const stepsEach = process.platform === "win32" ? 4 : 1;

test("a swap that is killed after any step is finished at the next start", () => {
  let steps = 1;
  for (; ; steps += stepsEach) {
    const { dir, moves } = folder();
    plan(dir, moves);
    const isKilled = killedAfter(dir, steps);
    if (isKilled) assert.deepEqual(executeDataSwap(dir), {}, `after step ${steps}`);
    assert.deepEqual(filesIn(dir.path), after, `after step ${steps}`);
    assert.equal(existsSync(dir.swapPlan), false);
    removeDataDir(dir);
    if (!isKilled) break;
  }
  assert.ok(steps > 8, `only ${steps} steps were seen`);
});

test("a swap that is killed at every start, each time a step later, happens once", () => {
  const { dir } = folder();
  const at = (name: string) => join(dir.path, name);
  plan(dir, [
    { from: at("kit.db"), to: at("aside/new/kit.db") },
    { from: at("incoming/kit.db"), to: at("kit.db") },
  ]);
  for (let steps = 1; isSwapPlanned(dir); steps += 1) {
    let left = steps;
    try {
      executeDataSwap(dir, () => {
        left -= 1;
        if (left === 0) throw new Error("killed");
      });
    } catch {
      // The next start.
    }
    assert.ok(steps < 20);
  }
  assert.equal(readFileSync(at("kit.db"), "utf8"), "to come");
  assert.equal(readFileSync(at("aside/new/kit.db"), "utf8"), "now");
  rmSync(dir.path, { recursive: true });
});
