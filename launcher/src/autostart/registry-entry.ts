// An entry in the registry of Windows, by way of its own reg.exe.
import { readFile, rm } from "node:fs/promises";
import type { Entry, Found } from "./entry.ts";
import { exportedValue, ownKey, ownName, runKey, runName } from "./run-key.ts";

/** Runs a program of the system; its exit code, or undefined where it did not run. */
export type RunProgram = (program: string, args: readonly string[]) => Promise<number | undefined>;

type Needs = {
  readonly line: string;
  readonly run: RunProgram;
  /** A file to export to: what reg.exe prints has lost letters of other alphabets, what it exports has not. */
  readonly scratch: string;
};

export function registryEntry({ line, run, scratch }: Needs): Entry {
  const exported = async (key: string, name: string) => {
    try {
      if ((await run("reg", ["export", key, scratch, "/y"])) !== 0) return undefined;
      return exportedValue(await readFile(scratch, "utf16le").catch(() => ""), name);
    } finally {
      await rm(scratch, { force: true });
    }
  };
  const change = async (args: readonly string[]) => {
    const code = await run("reg", args);
    if (code !== 0) throw new Error(`reg ${args[0]} ${args[1]} ended with ${code ?? "no answer"}.`);
  };
  const set = (key: string, name: string) => change(["add", key, "/v", name, "/t", "REG_SZ", "/d", line, "/f"]);
  return {
    by: "registry",
    place: `${runKey}\\${runName}`,
    async look(): Promise<Found> {
      const there = await exported(runKey, runName);
      const written = await exported(ownKey, ownName);
      if (there === undefined) return { state: "none", enabled: false, current: false };
      return { state: there === written ? "own" : "changed", enabled: true, current: there === line };
    },
    async write() {
      await set(ownKey, ownName);
      await set(runKey, runName);
    },
    async remove() {
      await change(["delete", runKey, "/v", runName, "/f"]);
      await change(["delete", ownKey, "/v", ownName, "/f"]);
    },
  };
}
