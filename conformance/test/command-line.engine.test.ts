// Tests of the command line: arguments, exit codes and the table.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, test } from "vitest";
import { readCases } from "../src/cases.ts";
import { tableOf } from "../src/report.ts";
import { scratchBinding } from "./scratch.ts";

type Run = { readonly code: number; readonly out: string; readonly err: string };

const run = join(import.meta.dirname, "../run.ts");
const passing =
  'say({ engine: "Scratch 1.2" }); for (const { id } of cases) say({ case: id, calls: [[1, 2]], frames: 99 });';

function conform(...words: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [run, ...words], (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err });
    });
  });
}

describe("npm run conform", { concurrent: true }, () => {
  test("--help explains the command and its exit codes, and runs nothing", async () => {
    const { code, out } = await conform("--help");
    assert.equal(code, 0);
    assert.match(out, /^Usage: npm run conform[\s\S]*Exit code: 0 when every case passed/);
  });

  test("--list prints every case, and runs nothing", async () => {
    const { code, out } = await conform("--list");
    assert.equal(code, 0);
    for (const { id, says } of readCases()) assert.ok(out.includes(`${id}: ${says}\n`), id);
  });

  for (const [what, words, message] of [
    ["an unknown option", ["--fast"], /Unknown option '--fast'/],
    ["an unknown binding", ["bindings/unreal"], /unreal holds no conformance\.json/],
    ["an unknown case", ["--case", "recroding/", "rpgmaker"], /no case has an id that begins with recroding\//],
    ["an unknown engine", ["--engine", "Unreal", "rpgmaker"], /no engine's name holds "Unreal"/],
  ] as const) {
    test(`${what} exits with 2 and the usage, and nothing runs`, async () => {
      const { code, out, err } = await conform(...words);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, message);
      assert.match(err, /Usage: npm run conform/);
    });
  }

  test("exit code 0 means that every case passed, and the table has the engine's name from the driver", async () => {
    using scratch = scratchBinding(passing);
    const { code, out } = await conform("--case", "launcher/absent", scratch.folder);
    assert.equal(code, 0);
    assert.match(out, /binding +engine +launcher +time\nscratch +Scratch 1\.2 +✔ 1\/1 +\d+ s\n/);
  });

  test("exit code 1 means that a case failed, which is printed with its sentence and the fault", async () => {
    using scratch = scratchBinding(passing);
    const { code, out } = await conform("--case", "operations/s", scratch.folder);
    assert.equal(code, 1);
    assert.match(out, /✖ operations\/social: A social trigger is one POST.*\n +did not arrive: .*sky_all_stars/);
    assert.match(out, /✖ 0\/2/);
  });

  test("an engine with more than one driver has a row for each", async () => {
    const command = ["node", "driver.mjs"];
    const drivers = ["source", "release export"].map((way) => ({ engine: `Scratch, ${way}`, command }));
    using scratch = scratchBinding(passing, { drivers });
    const { out } = await conform("--case", "launcher/absent", scratch.folder);
    assert.match(out, /Scratch 1\.2, source[\s\S]*Scratch 1\.2, release export/);
  });

  test("a driver limited to some cases runs only those, and a run without any case is refused", async () => {
    const drivers = [{ engine: "Scratch, part", command: ["node", "driver.mjs"], only: "launcher/absent" }];
    using scratch = scratchBinding(passing, { drivers });
    const { code, out } = await conform("--case", "launcher/", scratch.folder);
    assert.equal(code, 0);
    assert.match(out, /Scratch 1\.2, part +✔ 1\/1 /);
    const none = await conform("--case", "text/", scratch.folder);
    assert.deepEqual([none.code, none.out], [2, ""]);
    assert.match(none.err, /no engine here plays cases like text\//);
  });

  test("one binding's failure is not hidden by another's success", async () => {
    using good = scratchBinding(passing);
    using bad = scratchBinding(passing.replace("frames: 99", "frames: 0"));
    const { code, out } = await conform("--case", "launcher/absent", good.folder, bad.folder);
    assert.equal(code, 1);
    assert.match(out, /✔ 1\/1[\s\S]*✖ 0\/1/);
  });

  test("what an engine showed is printed without characters that control a terminal", async () => {
    const shown = 'say({ case: "settings/all-off", errors: ["\\u001b[31mred \\u0000 \\ud800"] });';
    using scratch = scratchBinding(passing + shown);
    const { out } = await conform("--case", "settings/all-off", scratch.folder);
    assert.match(out, /the game showed an error: \\u001b\[31mred \\u0000 \\ud800/);
    assert.doesNotMatch(out, /(?!\n)\p{Cc}|\p{Cs}/u);
  });

  test("a missing engine is printed, and is a failure if engines are required", async () => {
    const words = ["--case", "launcher/absent"];
    using scratch = scratchBinding(passing, {
      drivers: [{ engine: "E", needs: ["Xvfb"], command: ["node", "driver.mjs"] }],
    });
    const without = { ...process.env, PATH: "" };
    const codeWith = (env: object) =>
      new Promise((resolve) => {
        execFile(process.execPath, [run, ...words, scratch.folder], { env: { ...without, ...env } }, (error, out) =>
          resolve([error ? error.code : 0, /scratch, E: not run, Xvfb absent on this machine/.test(out)]),
        );
      });
    assert.deepEqual(await codeWith({ KIT_REQUIRE_ENGINES: "" }), [0, true]);
    assert.deepEqual(await codeWith({ KIT_REQUIRE_ENGINES: "1" }), [1, true]);
  });
});

test("cases that an engine does not run are shown as not run, neither passed nor failed", () => {
  const shown = (engine: string, ids: readonly string[]) => ({
    binding: { binding: "X" },
    engine,
    verdicts: ids.map((id) => ({ one: { id, says: "It does." }, faults: [] })),
    seconds: 1,
    output: "",
  });
  const table = tableOf([shown("whole", ["text/one", "stranger/one"]), shown("part", ["stranger/one"])]);
  assert.match(table, /^X +part +not run +✔ 1\/1 +1 s$/m);
});
