// Tests of the cases: the reference binding passes every one, and a silent binding fails every one that expects a request.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "vitest";
import { readBinding } from "../src/binding.ts";
import type { Case } from "../src/case.ts";
import { readCases } from "../src/cases.ts";
import { skipWithoutDefaultPort } from "./default-port.ts";
import { outcomeOf } from "./scratch.ts";

const cases = readCases();
const reference = readBinding(join(import.meta.dirname, "../reference"));
const skip = await skipWithoutDefaultPort();

test("the reference binding passes every case", { skip }, async () => {
  const { verdicts, output } = await outcomeOf(reference, cases);
  const failed = verdicts.filter(({ faults }) => faults.length > 0).map(({ one, faults }) => [one.id, ...faults]);
  assert.deepEqual(failed, [], output);
  assert.equal(verdicts.length, cases.length);
});

const expectsRequests = ({ expect: { requests = [], burst, uncaught } }: Case) =>
  requests.length > 0 || burst !== undefined || uncaught !== undefined;

test("a binding that sends nothing fails every case that expects a request, and no other", { skip }, async () => {
  const drivers = [{ engine: "Node.js", command: ["node", "driver.ts", "--silent"] }];
  const { verdicts } = await outcomeOf({ ...reference, drivers }, cases);
  const missing = /^did not arrive: |^\d+ of the first \d+ did not arrive|^0 errors were reported/;
  const failed = verdicts.filter(({ faults }) => faults.some((fault) => missing.test(fault)));
  assert.deepEqual(
    failed.map(({ one }) => one.id),
    cases.filter(expectsRequests).map(({ id }) => id),
  );
  const others = verdicts.filter((verdict) => !failed.includes(verdict)).flatMap(({ faults }) => faults);
  assert.deepEqual(others, []);
});
