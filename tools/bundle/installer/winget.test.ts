// Tests of winget's manifests.
import assert from "node:assert/strict";
import { test } from "vitest";
import { wingetManifests } from "./winget.ts";

const released = {
  version: "1.2.3",
  url: "https://kit.example/v1.2.3/kit-windows-x64-setup.exe",
  sha256: "ab".repeat(32),
};

test("winget's three manifests name the same package and version, and the setup with its checksum", () => {
  const manifests = wingetManifests(released);
  assert.deepEqual(
    [...manifests.keys()],
    ["KitAuthors.Kit.yaml", "KitAuthors.Kit.installer.yaml", "KitAuthors.Kit.locale.en-US.yaml"],
  );
  for (const text of manifests.values())
    assert.match(text, /^PackageIdentifier: KitAuthors\.Kit\nPackageVersion: 1\.2\.3\n[\s\S]*^ManifestVersion: /m);
  const installer = manifests.get("KitAuthors.Kit.installer.yaml") ?? "";
  assert.ok(installer.includes(`  InstallerUrl: ${released.url}\n  InstallerSha256: ${"AB".repeat(32)}\n`));
});

test("an address without TLS, and one that is not of a setup, are refused", () => {
  for (const url of ["http://kit.example/setup.exe", "https://kit.example/", ""])
    assert.throws(() => wingetManifests({ ...released, url }), /not the https address of a setup/);
});
