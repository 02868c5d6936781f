// An autostart entry in the Windows registry, accessed with reg.exe.
import { readFile, rm } from "node:fs/promises";
import type { AutostartEntry, AutostartEntryState } from "./entry.ts";

const runKey = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
/** Kit's own key with a copy of the value that Kit wrote, by which Kit detects changes by others. */
const ownKey = "HKCU\\Software\\Kit";
const runName = "Kit";
const ownName = "Autostart";

/** Maximum length of a command in the Run key. */
export const runKeyCharsMax = 260;

/** Quotes a word for the parser of Windows' C library, in which backslashes are special only before a quote. */
const quote = (word: string) =>
  /[\s"]/u.test(word) || word === "" ? `"${word.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, "$1$1")}"` : word;

export const windowsCommandLine = (command: readonly string[]): string => command.map(quote).join(" ");

/** Returns the text value with this name in an exported key, or undefined if there is none. */
export function valueInExport(exported: string, name: string): string | undefined {
  const values = exported.matchAll(/^"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"\r?$/gmu);
  const plain = (text: string) => text.replaceAll(/\\(.)/gu, "$1");
  for (const [, valueName = "", value = ""] of values) if (plain(valueName) === name) return plain(value);
  return undefined;
}

/** Runs a system program. Returns its exit code, or undefined if it did not run. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<number | undefined>;

type RegistryEntryOptions = {
  readonly line: string;
  readonly run: RunProgram;
  /** A temporary file for exports: the printed output of reg.exe loses non-ASCII letters, its exports do not. */
  readonly scratch: string;
};

export function createRegistryEntry({ line, run, scratch }: RegistryEntryOptions): AutostartEntry {
  const readValue = async (key: string, name: string) => {
    try {
      if ((await run("reg", ["export", key, scratch, "/y"])) !== 0) return undefined;
      return valueInExport(await readFile(scratch, "utf16le").catch(() => ""), name);
    } finally {
      await rm(scratch, { force: true });
    }
  };
  const runReg = async (args: readonly string[]) => {
    const code = await run("reg", args);
    if (code !== 0) throw new Error(`reg ${args[0]} ${args[1]} ended with ${code ?? "no answer"}.`);
  };
  const set = (key: string, name: string) => runReg(["add", key, "/v", name, "/t", "REG_SZ", "/d", line, "/f"]);
  return {
    by: "registry",
    place: `${runKey}\\${runName}`,
    async readState(): Promise<AutostartEntryState> {
      const value = await readValue(runKey, runName);
      const savedValue = await readValue(ownKey, ownName);
      if (value === undefined) return { state: "none", isEnabled: false, isCurrent: false };
      return { state: value === savedValue ? "own" : "changed", isEnabled: true, isCurrent: value === line };
    },
    async write() {
      await set(ownKey, ownName);
      await set(runKey, runName);
    },
    async remove() {
      await runReg(["delete", runKey, "/v", runName, "/f"]);
      await runReg(["delete", ownKey, "/v", ownName, "/f"]);
    },
  };
}
