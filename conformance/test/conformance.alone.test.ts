// Tests with the reference binding, which passes every case, and the broken binding, which passes none. All tests that need the
// default port are in this file, because test files run in parallel.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { type FaultName, faultNames } from "../broken/faults.ts";
import { readCases } from "../src/cases.ts";
import { skipWithoutDefaultPort } from "./default-port.ts";
import { broken, faultsOf, reference } from "./faulty.ts";
import { findings, findingsOnDefaultPort } from "./findings.ts";
import { outcomeOf } from "./scratch.ts";

const cases = readCases();
const skip = await skipWithoutDefaultPort();

test("the reference binding passes every case", { skip }, async () => {
  const { verdicts, output } = await outcomeOf(reference, cases);
  const failed = verdicts.filter(({ faults }) => faults.length > 0).map(({ one, faults }) => [one.id, ...faults]);
  assert.deepEqual(failed, [], output);
  assert.equal(verdicts.length, cases.length);
});

test("the broken binding passes no case", { skip }, async () => {
  const { verdicts } = await outcomeOf(broken, cases);
  const passed = verdicts.filter(({ faults }) => faults.length === 0).map(({ one }) => one.id);
  assert.deepEqual(passed, []);
  assert.equal(verdicts.length, cases.length);
});

describe("the reference binding with one fault", { skip }, () => {
  for (const [fault, [id, says]] of Object.entries(findingsOnDefaultPort)) {
    test(`${fault}: found by ${id}`, async () => {
      assert.match(await faultsOf(id, fault as FaultName), says);
    });
  }
});

test("every fault is found by a case", () => {
  const found = new Set([...Object.keys(findings), ...Object.keys(findingsOnDefaultPort)]);
  assert.deepEqual(found, new Set(faultNames));
});
