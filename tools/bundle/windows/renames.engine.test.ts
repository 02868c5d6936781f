// Tests the launcher's renames and removals under Wine, which enforces how Windows shares files.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";

/** Opens a file without FILE_SHARE_DELETE, as a virus scanner does. Meanwhile, renames it, and renames another file over it. */
const script = `
import { rename, rm, writeFile } from "node:fs/promises";
import { existsSync, rmSync } from "node:fs";
import { removePatientlySync, removeWithRetry, renameWithRetry, renamePatientlySync } from "file:///Z:${repositoryRoot}/launcher/src/renames.ts";
const { functions } = process.getBuiltinModule("node:ffi").dlopen("kernel32.dll", {
  CreateFileW: { arguments: ["buffer", "u32", "u32", "pointer", "u32", "u32", "pointer"], return: "pointer" },
  CloseHandle: { arguments: ["pointer"], return: "i32" },
});
const hold = (path) => functions.CreateFileW(Buffer.from(path + "\\0", "utf16le"), 0x80000000, 3, 0n, 3, 0x80, 0n);
const results = [];
for (const held of ["C:\\\\new", "C:\\\\old"]) {
  await writeFile("C:\\\\new", "new");
  await writeFile("C:\\\\old", "old");
  const handle = hold(held);
  results.push(await rename("C:\\\\new", "C:\\\\old").then(() => "renamed", () => "refused"));
  setTimeout(() => functions.CloseHandle(handle), 400);
  await renameWithRetry("C:\\\\new", "C:\\\\old");
}
for (const remove of [rm, async (path) => rmSync(path)]) {
  await writeFile("C:\\\\held", "");
  const handle = hold("C:\\\\held");
  results.push(await remove("C:\\\\held").then(() => "removed", () => "refused"));
  setTimeout(() => functions.CloseHandle(handle), 400);
  await removeWithRetry("C:\\\\held");
}
const handle = hold("C:\\\\old");
await writeFile("C:\\\\new", "never");
try {
  renamePatientlySync("C:\\\\new", "C:\\\\old");
} catch (error) {
  results.push(["EBUSY", "EPERM", "EACCES"].includes(error.code));
}
try {
  removePatientlySync("C:\\\\old");
} catch {
  results.push(existsSync("C:\\\\old"));
}
functions.CloseHandle(handle);
console.log(JSON.stringify(results));
`;

test("a rename or a removal waits while another program holds one of the files, and gives up after a second", {
  skip: skipWithout("Wine", "Node.js for Windows"),
}, async (t) => {
  const windows = openWindows();
  t.onTestFinished(() => windows.close());
  writeFileSync(join(windows.drive, "renames.mjs"), script);
  const { code, output } = await windows.run(pathOf("Node.js for Windows"), "C:\\renames.mjs");
  assert.equal(code, 0, output);
  assert.deepEqual(JSON.parse(output.split("\n").find((line) => line.startsWith("[")) ?? "null"), [
    "refused",
    "refused",
    "refused",
    "refused",
    true,
    true,
  ]);
  assert.equal(readFileSync(join(windows.drive, "old"), "utf8"), "new");
});
