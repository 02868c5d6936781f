// Tests that each fault is found by its case and described. Faults that need the default port are in conformance.test.ts.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { FaultName } from "../broken/faults.ts";
import type { Binding, Driver } from "../src/binding.ts";
import { faultsOf } from "./faulty.ts";
import { findings } from "./findings.ts";

type Traits = Partial<Binding & Driver>;
const follows = (postsPerCallMax: number): Traits => ({
  followsRedirects: { postsPerCallMax, because: "A test says so." },
});

/** A trait excuses the limitation of its engine … */
const excusedFaults: readonly (readonly [trait: Traits, fault: FaultName, id: string])[] = [
  [{ clockToleranceMs: 8_000_000 }, "local-time", "operations/recording"],
  [{ startsByItself: true }, "starts-by-itself", "start/not-yet"],
  [follows(2), "follows-redirects", "launcher/redirects"],
  [follows(21), "runs-in-circles", "stranger/redirects-to-itself"],
  [{ resends: true }, "resends-what-broke", "launcher/drops"],
  [{ noTimeout: true }, "no-timeout", "launcher/given-up"],
];

/** … and nothing else. */
const otherFaults: readonly (readonly [trait: Traits, fault: FaultName, id: string, says: RegExp])[] = [
  [{ clockToleranceMs: 1_000 }, "local-time", "operations/recording", /ms from the call/],
  [{ startsByItself: true }, "silent", "start/not-yet", /^read 1 was \{"initialized":false/],
  [follows(2), "retries", "launcher/rejects", /was not expected/],
  [follows(2), "runs-in-circles", "stranger/redirects-to-itself", /^one call led to \d+ POSTs; at most 2 may$/],
  [follows(21), "cookie", "launcher/redirects", /^no redirect was followed; followsRedirects has to go/m],
  [follows(21), "follows-refresh", "stranger/refreshes", /^a redirect was followed/],
  [{ resends: true }, "silent", "launcher/drops", /did not arrive/],
  [{ noTimeout: true }, "throws", "operations/recording", /a call threw/],
];

// Runs in parallel, because the tests mostly wait.
describe("the reference binding with one fault", { concurrent: true }, () => {
  for (const [fault, [id, says]] of Object.entries(findings)) {
    test(`${fault}: found by ${id}`, async () => {
      assert.match(await faultsOf(id, fault as FaultName), says);
    });
  }
  for (const [trait, fault, id] of excusedFaults) {
    test(`${fault}: excusedFaults by ${JSON.stringify(trait)}`, async () => {
      assert.equal(await faultsOf(id, fault, trait), "");
    });
  }
  for (const [trait, fault, id, says] of otherFaults) {
    test(`${fault}: not excusedFaults by ${JSON.stringify(trait)}`, async () => {
      assert.match(await faultsOf(id, fault, trait), says);
    });
  }
});
