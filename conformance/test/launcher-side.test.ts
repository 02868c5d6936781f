// Tests of the launcher cases: this repository's launcher passes all of them; wrong launchers do not.
import assert from "node:assert/strict";
import { test } from "vitest";
import { askLauncher } from "../src/launcher-side.ts";
import { withOwnLauncher } from "../src/own-launcher.ts";
import { openStandIn } from "../src/stand-in.ts";

type Verdicts = Awaited<ReturnType<typeof askLauncher>>;
const failedOf = (verdicts: Verdicts) => verdicts.filter(({ faults }) => faults.length > 0);
const idsOf = (verdicts: Verdicts) => verdicts.map(({ one }) => one.id);

test("this repository's launcher passes every case", async () => {
  const verdicts = await withOwnLauncher(askLauncher);
  assert.deepEqual(
    failedOf(verdicts).map(({ one, faults }) => [one.id, ...faults]),
    [],
  );
  assert.ok(verdicts.length >= 35, `${verdicts.length} cases`);
});

test("a launcher that always fails passes no case", async () => {
  const standIn = await openStandIn("fails");
  const verdicts = await askLauncher(standIn.url);
  await standIn.close();
  assert.deepEqual(idsOf(failedOf(verdicts)), idsOf(verdicts));
});

test("a launcher that accepts everything fails exactly the cases that expect a refusal", async () => {
  const standIn = await openStandIn("answers");
  const verdicts = await askLauncher(standIn.url);
  await standIn.close();
  const passed = verdicts.filter(({ faults }) => faults.length === 0);
  assert.deepEqual(
    idsOf(passed).filter((id) => !id.startsWith("accepts/")),
    [],
  );
  assert.match(
    verdicts.find(({ one }) => one.id === "refuses/not-json")?.faults[0] ?? "",
    /^the status is 202, not 400/,
  );
});

test("every case fails if no launcher answers", async () => {
  const standIn = await openStandIn("refuses");
  const verdicts = await askLauncher(standIn.url);
  await standIn.close();
  assert.deepEqual(failedOf(verdicts).length, verdicts.length);
  assert.match(verdicts[0]?.faults[0] ?? "", /^no answer: connect ECONNREFUSED/);
});
