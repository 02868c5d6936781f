// Tests of drivers that do not prove their cases: no report, no engine name, a wrong exit code, or an invalid line.
import assert from "node:assert/strict";
import { test } from "vitest";
import { readBinding } from "../src/binding.ts";
import type { Case } from "../src/case.ts";
import { caseOf, outcomeOf, scratchBinding, verdictsOf } from "./scratch.ts";

const cases: readonly Case[] = [caseOf("some/first"), caseOf("some/second")];
const passing = `say({ engine: "E 1" }); for (const { id } of cases) say({ case: id, calls: [[1, 2]], frames: 1 });`;

async function faultsOf(script: string): Promise<readonly string[]> {
  const verdicts = await verdictsOf(script, cases);
  const [first, second] = verdicts.map(({ faults }) => faults);
  assert.deepEqual(first, second);
  return first ?? [];
}

test("a driver that reports every case as expected passes", async () => {
  assert.deepEqual(await faultsOf(passing), []);
});

test("a case that the driver does not report fails, and the others pass", async () => {
  const script = `say({ engine: "E 1" }); say({ case: "some/second", calls: [[1, 2]] });`;
  const verdicts = await verdictsOf(script, cases);
  assert.deepEqual(
    verdicts.map(({ faults }) => faults),
    [["the driver reported nothing"], []],
  );
});

test("a driver with an exit code other than 0 fails all its cases, whatever it reported", async () => {
  assert.deepEqual(await faultsOf(`${passing} process.exitCode = 3;`), ["the driver ended with 3"]);
});

test("a driver that is killed fails all its cases", async () => {
  assert.deepEqual(await faultsOf(`${passing} process.kill(process.pid, "SIGKILL");`), [
    "the driver ended with SIGKILL",
  ]);
});

test("a driver that cannot be started fails all its cases, with the reason", async () => {
  using scratch = scratchBinding("", { drivers: [{ engine: "E", command: ["kit-no-such-program"] }] });
  const { verdicts } = await outcomeOf(readBinding(scratch.folder), cases);
  for (const { faults } of verdicts) assert.match(faults.join("\n"), /cannot be started: .*kit-no-such-program/);
});

test("an invalid line fails all cases, and is printed", async () => {
  const faults = await faultsOf(`${passing} say({ case: "some/first", frames: "three" });`);
  assert.deepEqual(faults, [`a line breaks the protocol: {"case":"some/first","frames":"three"}`]);
});

test("lines that are not JSON are the engine's output, and no fault", async () => {
  assert.deepEqual(await faultsOf(`${passing} console.log("{ loading }\\nwelcome"); console.error("a warning");`), []);
});

test("a driver that does not name its engine fails all its cases", async () => {
  assert.deepEqual(await faultsOf(passing.replace(`say({ engine: "E 1" });`, "")), [
    "the driver did not name its engine",
  ]);
});

test("a driver that reports a case outside its plan fails all its cases", async () => {
  assert.deepEqual(await faultsOf(`${passing} say({ case: "some/thrid" });`), [
    "the driver told of a case that is not in its plan: some/thrid",
  ]);
});

test("a process that outlives its driver does not block the run", async () => {
  // The orphan exits when its pipe is closed.
  const orphan = `process.stdout.on("error", () => process.exit()); setInterval(() => console.log("here"), 100)`;
  const script = `
    ${passing}
    const { spawn } = await import("node:child_process");
    spawn(process.execPath, ["-e", ${JSON.stringify(orphan)}], { stdio: ["ignore", "inherit", "inherit"] }).unref();
  `;
  assert.deepEqual(await faultsOf(script), ["the driver left a process behind that holds its output"]);
});

test("several reports of a case are merged", async () => {
  const late = `say({ case: "some/first", errors: ["it broke at its end"], threw: ["x"] });`;
  const [first] = await verdictsOf(`${passing} ${late}`, cases);
  assert.deepEqual(first?.faults, ["a call threw: x", "the game showed an error: it broke at its end"]);
});
