// Tests which folders count as synchronised or on another computer. Drives are tested under Wine.
import assert from "node:assert/strict";
import { test } from "vitest";
import { placeOfFolder } from "./place.ts";

const onWindows = (path: string) => placeOfFolder(path, { platform: "win32", synchronised: ["D:\\My cloud\\"] });

test("a folder of OneDrive and others is synchronised, by its name or as Windows names it", () => {
  const synchronised = [
    "C:\\Users\\J\\OneDrive\\kit",
    "C:\\Users\\J\\OneDrive - Firma GmbH\\kit",
    "C:\\Users\\J\\Dropbox\\kit",
    "C:\\Users\\J\\iCloudDrive\\kit",
    "d:\\my CLOUD\\kit",
    "D:\\My cloud",
    "\\\\server\\share\\OneDrive\\kit",
  ];
  for (const path of synchronised) assert.equal(onWindows(path), "synchronised", path);
  assert.equal(placeOfFolder("/home/j/Nextcloud/kit", { platform: "linux" }), "synchronised");
  assert.equal(placeOfFolder("/Users/j/Library/Mobile Documents/kit", { platform: "darwin" }), "synchronised");
});

test("a share is on another computer, in both of its forms", () => {
  for (const path of ["\\\\server\\share\\kit", "\\\\?\\UNC\\server\\share\\kit", "//server/share/kit"])
    assert.equal(onWindows(path), "network", path);
});

test("other folders are local, also in the long form, and with a similar name", () => {
  const local = [
    "C:\\kit",
    "\\\\?\\C:\\kit",
    "D:\\My cloudy days\\kit",
    "C:\\OneDrive-backup\\kit",
    "C:\\my OneDrive\\kit",
  ];
  for (const path of local) assert.equal(onWindows(path), "local", path);
  assert.equal(placeOfFolder("/home/j/kit", { platform: "linux" }), "local");
});

test("on Linux, a folder that does not exist yet is where its nearest existing parent is", () => {
  const nfs = 0x6969;
  const ext4 = 0xef53;
  const mounted: Readonly<Record<string, number>> = { "/": ext4, "/mnt": ext4, "/mnt/nas": nfs };
  const typeAt = (path: string) => mounted[path] ?? assert.fail("ENOENT");
  const placeOf = (path: string) => placeOfFolder(path, { platform: "linux", typeAt });
  assert.equal(placeOf("/mnt/nas/games/kit"), "network");
  assert.equal(placeOf("/mnt/games/kit"), "local");
});
