// Tests of permissions on Windows, with answers in the forms that Microsoft documents for whoami and icacls.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "vitest";
import {
  decodeSaved,
  findOtherReaders,
  makePrivateOnWindows,
  parseOwnSid,
  type RunProgram,
  readersOnWindows,
} from "./windows-permissions.ts";

const own = "S-1-5-21-1004336348-1177238915-682003330-1001";

test("the user's SID is found in what whoami prints, whatever the language of the names", () => {
  for (const printed of [
    `"gaming-pc\\mika","${own}"\r\n`,
    `"SPIELE-PC\\J\u00f6rg M\u00fcller","${own}"\r\n`,
    `"\u30b2\u30fc\u30e0\\\u7f8e\u9999","${own}"\r\n`,
  ])
    assert.equal(parseOwnSid(printed), own);
  assert.equal(parseOwnSid("ERROR: Unable to get user name."), undefined);
});

test("only the user, Windows, administrators and owners may read a private folder", () => {
  for (const descriptor of [
    `D:PAI(A;OICI;FA;;;${own})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`,
    `D:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${own})`,
    `O:${own}G:${own}D:P(A;OICI;FA;;;OW)(A;OICIIO;GA;;;CO)`,
    `D:PAI(D;;FA;;;BU)(A;OICI;FA;;;${own})`,
    // A right to pass through is no right to read.
    `D:PAI(A;;0x1200a0;;;BU)(A;;FX;;;WD)(A;OICI;FA;;;${own})`,
  ])
    assert.deepEqual(findOtherReaders(descriptor, own), [], descriptor);
});

test("a folder of another drive, which its users may read, names them once", () => {
  const ofDrive =
    "D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)(A;OICIID;0x1200a9;;;BU)";
  assert.deepEqual(findOtherReaders(ofDrive, own), ["everyone who signs in", "all users of this computer"]);
  assert.deepEqual(findOtherReaders("D:NO_ACCESS_CONTROL", own), ["everyone"]);
  assert.deepEqual(findOtherReaders("D:(A;;0x80000000;;;S-1-5-21-1-2-3-1002)", own), ["S-1-5-21-1-2-3-1002"]);
});

test("anything but a security descriptor says nothing about readers", () => {
  for (const text of ["", "kit\r\n", "Zugriff verweigert"]) assert.equal(findOtherReaders(text, own), undefined);
});

test("what icacls saves is read as UTF-16 with or without a mark", () => {
  const text = "data\r\nD:PAI(A;OICI;FA;;;SY)\r\n";
  for (const mark of ["", "\ufeff"]) assert.equal(decodeSaved(Buffer.from(mark + text, "utf16le")), text);
  assert.equal(decodeSaved(Buffer.from(text)), text);
});

/** A Windows whose folders have the descriptor. Records what was run. */
function openWindows(descriptor: string | undefined) {
  const ran: string[] = [];
  const run: RunProgram = (program, words) => {
    ran.push([program, ...words.filter((word) => !word.includes("kit-permissions-"))].join(" "));
    if (program === "whoami") return `"pc\\mika","${own}"`;
    if (descriptor === undefined) throw new Error("icacls failed");
    const saved = words[words.indexOf("/save") + 1] ?? "";
    if (words.includes("/save")) writeFileSync(saved, `data\r\n${descriptor}\r\n`, "utf16le");
    return "";
  };
  return { ran, run };
}

test("a folder is left to the user, Windows and administrators, named by their SIDs", () => {
  const { ran, run } = openWindows("");
  assert.equal(makePrivateOnWindows("D:\\kit data", run), true);
  assert.deepEqual(ran.slice(1), [
    `icacls D:\\kit data /inheritance:r /grant:r *${own}:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F`,
  ]);
});

test("readers are read from what icacls saves, with the command that removes them", () => {
  const found = readersOnWindows("D:\\kit", openWindows("D:AI(A;OICIID;0x1200a9;;;BU)").run);
  assert.deepEqual(found?.others, ["all users of this computer"]);
  assert.equal(
    found?.repair,
    `icacls "D:\\kit" "/inheritance:r" "/grant:r" "*${own}:(OI)(CI)F" "*S-1-5-18:(OI)(CI)F" "*S-1-5-32-544:(OI)(CI)F"`,
  );
  assert.deepEqual(readersOnWindows("D:\\kit", openWindows(`D:PAI(A;OICI;FA;;;${own})`).run)?.others, []);
});

test("nothing is claimed when Windows does not answer", () => {
  for (const descriptor of [undefined, "no descriptor"])
    assert.equal(readersOnWindows("D:\\kit", openWindows(descriptor).run), undefined);
  assert.equal(makePrivateOnWindows("D:\\kit", openWindows(undefined).run), false);
});
