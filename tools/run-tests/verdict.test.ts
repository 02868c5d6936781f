// Tests of what failed files and their second try make of a run.
import assert from "node:assert/strict";
import { test } from "vitest";
import { failedFilesOf, inBrief, type Report, triedAgain, verdictOf } from "./verdict.ts";

const failed = (...paths: readonly string[]) => paths.map((path) => ({ path, errors: [`${path} broke`] }));
const page = (n: number) => `dashboard/test/page-${n}.test.ts`;

test("only files that depend on real time get a second try, and none if more than five files failed", () => {
  const unit = "launcher/src/inbox/inbox.test.ts";
  const capture = "launcher/test/recording/moment.alone.test.ts";
  const clip = "launcher/test/recording/clip.realtime.test.ts";
  assert.deepEqual(triedAgain(failed(unit, page(1), capture, clip)), [page(1), capture, clip]);
  assert.deepEqual(triedAgain(failed(...[1, 2, 3, 4, 5, 6].map(page))), []);
});

test("a file that passes its second try is flaky, and more than three of them are red", () => {
  const three = failed(...[1, 2, 3].map(page));
  const { flaky, failed: left, isRed } = verdictOf(three, []);
  assert.deepEqual([flaky.map(({ path }) => path), left, isRed], [[1, 2, 3].map(page), [], false]);
  assert.deepEqual(flaky[0]?.firstErrors, [`${page(1)} broke`]);
  assert.equal(verdictOf(failed(...[1, 2, 3, 4].map(page)), []).isRed, true);
});

test("a file that fails twice is red, with both errors, and so is a file without a second try", () => {
  const verdict = verdictOf(failed(page(1), "contract/src/counts.test.ts"), [{ path: page(1), errors: ["and again"] }]);
  assert.equal(verdict.isRed, true);
  assert.deepEqual(verdict.flaky, []);
  assert.deepEqual(verdict.failed, [
    { path: page(1), errors: [`${page(1)} broke`, "second try: and again"] },
    { path: "contract/src/counts.test.ts", errors: ["contract/src/counts.test.ts broke"] },
  ]);
});

test("the failed tests of a report are named with their errors, and a file that could not be imported with its own", () => {
  const times = { startTime: 0, endTime: 1 };
  const report: Report = {
    testResults: [
      { name: "/kit/a.test.ts", status: "passed", message: "", assertionResults: [], ...times },
      {
        name: "/kit/b.test.ts",
        status: "failed",
        message: "",
        assertionResults: [
          { fullName: "holds", status: "passed", failureMessages: [] },
          { fullName: "breaks", status: "failed", failureMessages: ["no way"] },
        ],
        ...times,
      },
      { name: "/kit/c.test.ts", status: "failed", message: "cannot find d.ts", assertionResults: [], ...times },
    ],
  };
  assert.deepEqual(failedFilesOf(report, "/kit"), [
    { path: "b.test.ts", errors: ["breaks\nno way"] },
    { path: "c.test.ts", errors: ["the file itself\ncannot find d.ts"] },
  ]);
});

test("in brief, each error is one line with the file, the test and what it threw", () => {
  const errors = [`breaks\n${"no way ".repeat(40)}\n    at b.test.ts:3`, "second try: breaks\nstill not"];
  const [first, second, ...rest] = inBrief([{ path: "b.test.ts", errors }]).split("\n");
  assert.match(first ?? "", /^b\.test\.ts: breaks: no way no way .{100,}$/);
  assert.deepEqual([first?.length, second, rest], [200, "b.test.ts: second try: breaks: still not", [""]]);
});
