// Finds the places from which a system starts programs, and chooses one for Kit's entry.

import { join } from "node:path";
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { windowsCommandLine } from "../process/windowless.ts";
import type { AutostartEntry } from "./entry.ts";
import { createFileEntry, createRegistryEntry, type RunProgram, runKeyCharsMax } from "./entry.ts";
import { desktopEntryText, launchAgentLabel, launchAgentText, systemdTargets, systemdUnitText } from "./entry-texts.ts";

export type SystemFacts = {
  readonly platform: NodeJS.Platform;
  /** Folder of the user's program settings. */
  readonly configHome: string;
  /** True if systemd is running. */
  readonly usesSystemd: boolean;
  /** True in a desktop session. */
  readonly hasDesktop: boolean;
  readonly run: RunProgram;
};

/** `chosen`: the entry that Kit writes. If it is undefined, `why` says why the system cannot start Kit. */
export type AutostartEntries = { readonly all: readonly AutostartEntry[] } & (
  | { readonly chosen: AutostartEntry }
  | { readonly chosen: undefined; readonly why: Message }
);

/** Exit codes of `systemctl is-active`; other codes mean that systemd did not answer. */
const isActive = 0;
const isNotActive = [3, 4];

/** Starts programs with special characters in their path through env, because systemd and desktops quote them differently. */
export const withSafePath = (command: readonly string[]) =>
  /["'\\%$`]/u.test(command[0] ?? "") ? ["/usr/bin/env", ...command] : command;

/**
 * A service that starts before the desktop has no screen to record. If systemd runs the desktop, the service starts with it;
 * otherwise, the desktop's own autostart entry is used.
 */
async function linuxEntries(system: SystemFacts, requestedCommand: readonly string[]): Promise<AutostartEntries> {
  const command = withSafePath(requestedCommand);
  const { configHome, run } = system;
  const code = system.usesSystemd
    ? await run("systemctl", ["--user", "is-active", "--quiet", systemdTargets.desktop])
    : undefined;
  const isResponding = code === isActive || isNotActive.includes(code ?? -1);
  const target = code === isActive ? systemdTargets.desktop : systemdTargets.signIn;
  const other = target === systemdTargets.desktop ? systemdTargets.signIn : systemdTargets.desktop;
  const folder = join(configHome, "systemd/user");
  const linkIn = (linkTarget: string) => join(folder, `${linkTarget}.wants`, "kit.service");
  const service = createFileEntry({
    by: "systemd",
    path: join(folder, "kit.service"),
    text: systemdUnitText(command, target),
    link: linkIn(target),
    otherLinks: [linkIn(other)],
    reload: async () => void (isResponding && (await run("systemctl", ["--user", "daemon-reload"]))),
  });
  const path = join(configHome, "autostart", "kit.desktop");
  const entry = createFileEntry({ by: "xdg", path, text: desktopEntryText(command) });
  const usesService = system.usesSystemd && (code === isActive || !system.hasDesktop);
  return { chosen: usesService ? service : entry, all: [service, entry] };
}

function macEntries({ configHome }: SystemFacts, command: readonly string[]): AutostartEntries {
  const path = join(configHome, "LaunchAgents", `${launchAgentLabel}.plist`);
  const agent = createFileEntry({ by: "launchd", path, text: launchAgentText(command) });
  return { chosen: agent, all: [agent] };
}

function windowsEntries({ configHome, run }: SystemFacts, command: readonly string[]): AutostartEntries {
  const line = windowsCommandLine(command);
  const entry = createRegistryEntry({ line, run, scratch: join(configHome, "kit-autostart.reg") });
  if (line.length <= runKeyCharsMax) return { chosen: entry, all: [entry] };
  const why = message("autostart.long_command", { characters: line.length, most: runKeyCharsMax });
  return { chosen: undefined, all: [entry], why };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
export const controlCharacters = /[\u0000-\u001f\u007f]/u;

export async function findEntries(system: SystemFacts, command: readonly string[]): Promise<AutostartEntries> {
  const none = (why: Message): AutostartEntries => ({ chosen: undefined, all: [], why });
  if (command.some((word) => controlCharacters.test(word))) return none(message("autostart.control_character"));
  if (system.platform === "linux") return await linuxEntries(system, command);
  if (system.platform === "darwin") return macEntries(system, command);
  if (system.platform === "win32") return windowsEntries(system, command);
  return none(message("autostart.unsupported", { platform: system.platform }));
}
