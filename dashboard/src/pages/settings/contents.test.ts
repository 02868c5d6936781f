// A part of the Settings page has an address of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { partAddress, partIn, partNames } from "./contents.ts";

test("every part is found by its own address, and none by any other", () => {
  for (const name of partNames) assert.equal(partIn(partAddress(name)), name);
  for (const other of ["#/settings", "#/settings?at=", "#/settings?at=nonsense", "#/settings?of=look"])
    assert.equal(partIn(other), undefined);
});
