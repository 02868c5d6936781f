// Each section of the Settings page has its own address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sectionFromAddress, settingsSectionAddress, settingsSectionNames } from "./settings-sections.ts";

test("every part is found by its own address, and none by any other", () => {
  for (const name of settingsSectionNames) assert.equal(sectionFromAddress(settingsSectionAddress(name)), name);
  for (const other of ["#/settings", "#/settings?at=", "#/settings?at=nonsense", "#/settings?of=look"])
    assert.equal(sectionFromAddress(other), undefined);
});
