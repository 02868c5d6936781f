// Who may read a folder on Windows: limits it to its user, and reads its permissions in a form that no language changes.

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removePatientlySync } from "../renames.ts";

/** Windows itself and its administrators, who may read every folder anyway. */
const systemSid = "S-1-5-18";
const administratorsSid = "S-1-5-32-544";

/** Abbreviations of SIDs in a security descriptor. */
const abbreviations: Readonly<Record<string, string>> = { SY: systemSid, BA: administratorsSid };
/** The owner and the creator of a file: with them, nobody else gets access. */
const ownerSids: readonly string[] = ["OW", "CO", "S-1-3-4", "S-1-3-0"];

const names: Readonly<Record<string, string>> = {
  AU: "everyone who signs in",
  "S-1-5-11": "everyone who signs in",
  BU: "all users of this computer",
  "S-1-5-32-545": "all users of this computer",
  WD: "everyone",
  "S-1-1-0": "everyone",
  IU: "everyone who signs in here",
  "S-1-5-4": "everyone who signs in here",
};

/** Rights that include reading: all, generic all, read, generic read, and the single right to read data. */
const readingRights = /FA|GA|FR|GR|CC/;
const readDataBits = 0x1;
const genericReadBits = 0x9000_0000;

function includesReading(rights: string): boolean {
  if (!/^0x[0-9a-f]+$/i.test(rights)) return readingRights.test(rights);
  const bits = Number(rights);
  return (bits & readDataBits) !== 0 || (bits & genericReadBits) !== 0;
}

/**
 * Returns who may read besides `ownSid`, Windows and its administrators, from a security descriptor such as
 * `D:PAI(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)`. Undefined if the text is no such descriptor.
 */
export function findOtherReaders(descriptor: string, ownSid: string): string[] | undefined {
  const list = /(?:^|[^A-Z])D:([A-Z_]*)((?:\([^()]*\))*)/.exec(descriptor);
  if (list === null) return undefined;
  const [, flags = "", entries = ""] = list;
  if (flags.includes("NO_ACCESS_CONTROL")) return ["everyone"];
  const allowed = [...entries.matchAll(/\(A;[A-Z]*;([^;]*);[^;]*;[^;]*;([^;)]*)/g)];
  const readers = allowed
    .filter(([, rights = "", who = ""]) => includesReading(rights) && !ownerSids.includes(who))
    .map(([, , who = ""]) => abbreviations[who] ?? who)
    .filter((who) => who !== systemSid && who !== administratorsSid && who !== ownSid);
  return [...new Set(readers.map((who) => names[who] ?? who))];
}

/** Finds the SID in what `whoami /user /fo csv /nh` prints: the names beside it are in the language of the system. */
export const parseOwnSid = (printed: string): string | undefined => /S-1-\d+(?:-\d+)+/.exec(printed)?.[0];

/** `icacls /save` writes UTF-16, with or without a mark. */
export function decodeSaved(bytes: Buffer): string {
  return (bytes[1] === 0 || bytes[0] === 0xff ? bytes.toString("utf16le") : bytes.toString("utf8")).replace(
    /^\ufeff/,
    "",
  );
}

const limitMs = 10_000;
const run = (program: string, words: readonly string[]): string =>
  execFileSync(program, words, {
    encoding: "latin1",
    timeout: limitMs,
    windowsHide: true,
    stdio: ["ignore", "pipe", "ignore"],
  });

/** Runs a program of Windows, and returns what it prints. Throws if it fails. */
export type RunProgram = typeof run;

const readOwnSid = (runProgram: RunProgram) => parseOwnSid(runProgram("whoami", ["/user", "/fo", "csv", "/nh"]));

/** The arguments of icacls that leave a folder, and all that will be in it, to the user alone. */
const privateArgs = (folder: string, sid: string): readonly string[] => [
  folder,
  "/inheritance:r",
  "/grant:r",
  ...[sid, systemSid, administratorsSid].map((each) => `*${each}:(OI)(CI)F`),
];

/** Makes the folder readable for the user alone. Returns whether Windows said that it did. Never throws. */
export function makePrivateOnWindows(folder: string, runProgram: RunProgram = run): boolean {
  try {
    const sid = readOwnSid(runProgram);
    if (sid === undefined) return false;
    runProgram("icacls", privateArgs(folder, sid));
    return true;
  } catch {
    return false;
  }
}

export type WindowsReaders =
  /** `repair` is the command that leaves the folder to the user alone. */
  | { readonly others: readonly string[]; readonly repair: string }
  /** Windows did not say. */
  | undefined;

/** Reads who may read the folder besides the user, Windows and its administrators. Never throws. */
export function readersOnWindows(folder: string, runProgram: RunProgram = run): WindowsReaders {
  const saved = join(tmpdir(), `kit-permissions-${randomUUID()}`);
  try {
    const sid = readOwnSid(runProgram);
    if (sid === undefined) return undefined;
    runProgram("icacls", [folder, "/save", saved]);
    const others = findOtherReaders(decodeSaved(readFileSync(saved)), sid);
    const [, ...rest] = privateArgs(folder, sid);
    return others && { others, repair: `icacls "${folder}" ${rest.map((word) => `"${word}"`).join(" ")}` };
  } catch {
    return undefined;
  } finally {
    removePatientlySync(saved, { force: true });
  }
}
