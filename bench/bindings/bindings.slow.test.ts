// Tests that the benchmark of the bindings works. It makes too few calls for meaningful figures.
import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { skipWithout } from "../../tools/engines/locate.ts";
import { benched } from "../benched.ts";
import { bindings } from "./bindings.ts";
import { engineNames, engines } from "./engines.ts";

describe("npm run bench -- bindings", { concurrent: true }, () => {
  for (const name of engineNames) {
    const { title, needs } = engines[name];
    test(`measures ${title}: calls in each state of the launcher, and a storm`, {
      skip: skipWithout(...needs),
    }, async () => {
      const results = await benched("bindings", bindings, "--only", name);
      assert.deepEqual(results.absent, []);
      const [measured] = results.engines;
      assert.ok(measured?.storm, results.faults.join("\n"));
      const measuredCalls = measured.calls.map(({ launcher, subject }) => `${launcher} ${subject}`);
      const expected = ["present", "absent", "hung"].flatMap((state) =>
        ["empty", "kit", "bare"].map((subject) => `${state} ${subject}`),
      );
      assert.deepEqual(measuredCalls, expected);
      for (const { calls, medianUs, p99Us } of measured.calls) {
        assert.ok(calls >= 25);
        assert.ok(medianUs >= 0 && p99Us >= medianUs);
      }
      const kit = measured.calls.find(({ launcher, subject }) => launcher === "present" && subject === "kit");
      assert.ok((kit?.arrived ?? 0) > 0, "the launcher received none of Kit's calls");
      assert.equal(measured.storm.kit.calls, 2_000);
      assert.ok(measured.storm.connections > 0, "no call of the storm opened a connection");
      assert.ok(measured.storm.kit.memory.beforeBytes > 1e6);
      assert.equal(results.targets.length, 9);
      assert.match(results.report, /(reached|MISSED) +.*storm: worst frame/);
    });
  }
});
