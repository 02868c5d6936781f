// Tests that no two tests get the same free port.
import assert from "node:assert/strict";
import { test } from "vitest";
import { freePort } from "./free-port.ts";

test("a port that one test got is not given to another one, although nothing listens on it yet", async () => {
  const given: number[] = [];
  // So few ports to choose from that the same one would come up again.
  for (let n = 0; n < 60; n += 1) given.push(await freePort(31_000, 31_199));
  assert.equal(new Set(given).size, given.length);
});
