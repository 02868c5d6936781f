// The entry of Kit in the menu of a Linux desktop or of Windows: it opens the dashboard signed in, and starts the launcher if
// none runs.

import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type DesktopEntry as DesktopEntryReport,
  getDesktopEntry,
  KitError,
  type Message,
  setDesktopEntry,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../http/route.ts";
import { windowsCommandLine } from "../process/windowless.ts";
import { removeWithRetry } from "../renames.ts";
import { controlCharacters, createRefusal, npxCache, withSafePath } from "./autostart.ts";
import {
  type AutostartEntry,
  type AutostartEntryState,
  absentEntryState,
  createFileEntry,
  createRegistry,
  menuEntryText,
  ownKey,
  type RunProgram,
} from "./entry.ts";

export type DesktopEntryDeps = {
  readonly platform: NodeJS.Platform;
  /** Folder of the user's program data, where the system looks for entries. */
  readonly dataHome: string;
  /** The command that opens the dashboard, and starts the launcher first if none runs. */
  readonly command: readonly string[];
  /** Path of a picture, for Linux. */
  readonly icon: string;
  /** Folder for temporary files. */
  readonly configHome: string;
  readonly run: RunProgram;
};

export type DesktopEntry = {
  state(): Promise<DesktopEntryReport>;
  /** Throws KitError if a file exists that Kit did not write. */
  set(on: boolean): Promise<DesktopEntryReport>;
};

function whyImpossible({ platform, command, icon }: DesktopEntryDeps): Message | undefined {
  if (platform !== "linux" && platform !== "win32") return message("desktop_entry.unsupported");
  if ([...command, icon].some((word) => controlCharacters.test(word))) return message("autostart.control_character");
  return command.some((word) => npxCache.test(word)) ? message("autostart.downloaded") : undefined;
}

function describe(entry: AutostartEntry, { state, isCurrent }: AutostartEntryState, why: Message | undefined): Message {
  if (state === "changed") return message("autostart.changed", { place: entry.place });
  const words = message("desktop_entry.on");
  if (state === "own") return isCurrent ? words : message("autostart.other_copy", { words });
  return why ?? message("desktop_entry.off");
}

function menuEntry({ platform, dataHome, configHome, command, icon, run }: DesktopEntryDeps): AutostartEntry {
  if (platform === "win32") {
    const path = join(dataHome, "Microsoft", "Windows", "Start Menu", "Programs", "Kit.lnk");
    return createShortcutEntry({ path, command, run, scratch: join(configHome, "kit-start-menu.reg") });
  }
  const path = join(dataHome, "applications", "kit.desktop");
  return createFileEntry({ by: "xdg", path, text: menuEntryText(withSafePath(command), icon) });
}

/** Value in Kit's own key: checksum of the shortcut and the command in it, by which Kit detects changes by others. */
const ownName = "StartMenu";

/** That value for a shortcut that the setup of Kit wrote. It starts the program that the setup puts beside Kit's. */
const setupValue = (program: string) => `setup ${program.replace(/[^\\/]*$/u, "kit-open.exe")}`;

/**
 * Writes the shortcut that standard input describes, one part on each line. Reads it back, because Windows writes shortcuts in
 * its old character set, which lacks many letters. The window of the program is minimized.
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

function createShortcutEntry({ path, command, run, scratch }: ShortcutEntryOptions): AutostartEntry {
  const registry = createRegistry(run, scratch);
  const [program = "", ...rest] = command;
  const line = windowsCommandLine(command);
  return {
    by: "registry",
    place: path,
    async readState() {
      const bytes = await readIfThere(path);
      if (bytes === undefined) return absentEntryState;
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
        await removeWithRetry(path, { force: true });
        if (code === 3) throw new Error("Windows cannot store this path in a shortcut.");
        throw new Error(`powershell.exe wrote no shortcut (${code ?? "no answer"}).`);
      }
      await registry.set(ownKey, ownName, `${checksum(bytes)} ${line}`);
    },
    async remove() {
      await removeWithRetry(path, { force: true });
      await registry.remove(ownKey, ownName);
    },
  };
}

export function createDesktopEntry(deps: DesktopEntryDeps): DesktopEntry {
  const entry = menuEntry(deps);
  const why = whyImpossible(deps);
  const report = async (): Promise<DesktopEntryReport> => {
    const found = await entry.readState();
    return {
      on: found.state !== "none",
      can: why === undefined && found.state !== "changed",
      place: deps.platform === "linux" || deps.platform === "win32" ? entry.place : null,
      command: [...deps.command],
      detail: describe(entry, found, why),
    };
  };
  const change = async (on: boolean) => {
    const { state, isCurrent } = await entry.readState();
    if (on && why !== undefined) throw createRefusal(why);
    if (state === "changed") throw createRefusal(message("autostart.changed_before", { place: entry.place }));
    if (on && !isCurrent) await entry.write();
    if (!on && state === "own") await entry.remove();
  };
  return {
    state: report,
    async set(on) {
      try {
        await change(on);
      } catch (error) {
        if (error instanceof KitError) throw error;
        throw createRefusal(message("autostart.rejected", { problem: (error as Error).message }));
      }
      return report();
    },
  };
}

export const desktopEntryRoutes = (entry: DesktopEntry): readonly Route[] => [
  route(getDesktopEntry, entry.state),
  route(setDesktopEntry, ({ body }) => entry.set(body.on)),
];
