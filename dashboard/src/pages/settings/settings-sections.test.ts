// Tests of the addresses of the Settings page's sections.
import assert from "node:assert/strict";
import { test } from "vitest";
import { sectionFromAddress, settingsSectionAddress, settingsSectionNames } from "./settings-sections.ts";

test("every section has its own address, and any other address opens none", () => {
  for (const name of settingsSectionNames) assert.equal(sectionFromAddress(settingsSectionAddress(name)), name);
  for (const other of ["#/settings", "#/settings?at=", "#/settings?at=nonsense", "#/settings?of=look"])
    assert.equal(sectionFromAddress(other), undefined);
});
