// The entry of Kit in Windows' Start menu: a shortcut, which Windows itself writes.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { windowsCommandLine } from "../process/windowless.ts";
import { type AutostartEntry, absentEntry, createRegistry, ownKey, type RunProgram } from "./entry.ts";

/** Value in Kit's own key: checksum of the shortcut and the command in it, by which Kit detects changes by others. */
const ownName = "StartMenu";

/** That value for a shortcut that the setup of Kit wrote. It starts the program that the setup puts beside Kit's. */
const setupValue = (program: string) => `setup ${program.replace(/[^\\/]*$/u, "kit-open.exe")}`;

/**
 * Writes the shortcut that standard input describes, one part on each line. Reads it back, because Windows writes shortcuts in
 * its old character set, which has not every letter. The window of the program is minimized.
 */
const script = [
  "$ErrorActionPreference = 'Stop'",
  '$parts = (New-Object IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::UTF8)).ReadToEnd() -split "`n"',
  "$shell = New-Object -ComObject WScript.Shell",
  "$link = $shell.CreateShortcut($parts[0])",
  "$link.TargetPath = $parts[1]",
  "$link.Arguments = $parts[2]",
  "$link.Description = $parts[3]",
  "$link.WindowStyle = 7",
  "$link.Save()",
  "$read = $shell.CreateShortcut($parts[0])",
  "if ($read.TargetPath -ne $parts[1] -or $read.Arguments -ne $parts[2]) { exit 3 }",
].join("; ");

type ShortcutEntryOptions = {
  readonly path: string;
  readonly command: readonly string[];
  readonly run: RunProgram;
  /** A temporary file. */
  readonly scratch: string;
};

const checksum = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const readIfThere = (path: string) => readFile(path).catch(() => undefined);

export function createShortcutEntry({ path, command, run, scratch }: ShortcutEntryOptions): AutostartEntry {
  const registry = createRegistry(run, scratch);
  const [program = "", ...rest] = command;
  const line = windowsCommandLine(command);
  return {
    by: "registry",
    place: path,
    async readState() {
      const bytes = await readIfThere(path);
      if (bytes === undefined) return absentEntry;
      const saved = (await registry.read(ownKey, ownName)) ?? "";
      if (saved.startsWith("setup "))
        return { state: "own", isEnabled: true, isCurrent: saved === setupValue(program) };
      const isOwn = saved.startsWith(`${checksum(bytes)} `);
      return { state: isOwn ? "own" : "changed", isEnabled: true, isCurrent: saved === `${checksum(bytes)} ${line}` };
    },
    async write() {
      await mkdir(dirname(path), { recursive: true });
      const parts = [path, program, windowsCommandLine(rest), "Your best moments, and how to share them"];
      const code = await run("powershell.exe", ["-NoProfile", "-NonInteractive", "-Command", script], parts.join("\n"));
      const bytes = await readIfThere(path);
      if (code !== 0 || bytes === undefined) {
        await rm(path, { force: true });
        if (code === 3) throw new Error("Windows cannot store this path in a shortcut.");
        throw new Error(`powershell.exe wrote no shortcut (${code ?? "no answer"}).`);
      }
      await registry.set(ownKey, ownName, `${checksum(bytes)} ${line}`);
    },
    async remove() {
      await rm(path, { force: true });
      await registry.remove(ownKey, ownName);
    },
  };
}
