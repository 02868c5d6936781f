// Finds the places from which a system starts programs, and chooses one for Kit's entry.
import { join } from "node:path";
import type { Entry } from "./entry.ts";
import { agentLabel, desktopEntryText, launchAgentText, targets, unitText } from "./entry-texts.ts";
import { createFileEntry } from "./file-entry.ts";
import { createRegistryEntry, type RunProgram, runCharsMax, runLine } from "./registry-entry.ts";

export type System = {
  readonly platform: NodeJS.Platform;
  /** Folder of the user's program settings. */
  readonly configHome: string;
  /** True if systemd is running. */
  readonly usesSystemd: boolean;
  /** True in a desktop session. */
  readonly hasDesktop: boolean;
  readonly run: RunProgram;
};

export type Entries = {
  /** The entry to write; undefined if the system has none. */
  readonly chosen: Entry | undefined;
  /** All entries that Kit may have written before, including the chosen one. */
  readonly all: readonly Entry[];
  readonly why: string;
};

/** Exit codes of `systemctl is-active`; other codes mean that systemd did not answer. */
const isActive = 0;
const isNotActive = [3, 4];

/** Starts programs with special characters in their path through env, because systemd and desktops quote them differently. */
const withSafePath = (command: readonly string[]) =>
  /["'\\%$`]/u.test(command[0] ?? "") ? ["/usr/bin/env", ...command] : command;

/**
 * A service that starts before the desktop has no screen to record. If systemd runs the desktop, the service starts with it;
 * otherwise, the desktop's own autostart entry is used.
 */
async function linuxEntries(system: System, requestedCommand: readonly string[]): Promise<Entries> {
  const command = withSafePath(requestedCommand);
  const { configHome, run } = system;
  const code = system.usesSystemd
    ? await run("systemctl", ["--user", "is-active", "--quiet", targets.desktop])
    : undefined;
  const isResponding = code === isActive || isNotActive.includes(code ?? -1);
  const target = code === isActive ? targets.desktop : targets.signIn;
  const other = target === targets.desktop ? targets.signIn : targets.desktop;
  const folder = join(configHome, "systemd/user");
  const linkIn = (linkTarget: string) => join(folder, `${linkTarget}.wants`, "kit.service");
  const service = createFileEntry({
    by: "systemd",
    path: join(folder, "kit.service"),
    text: unitText(command, target),
    link: linkIn(target),
    otherLinks: [linkIn(other)],
    reload: async () => void (isResponding && (await run("systemctl", ["--user", "daemon-reload"]))),
  });
  const path = join(configHome, "autostart", "kit.desktop");
  const entry = createFileEntry({ by: "xdg", path, text: desktopEntryText(command) });
  const usesService = system.usesSystemd && (code === isActive || !system.hasDesktop);
  return { chosen: usesService ? service : entry, all: [service, entry], why: "" };
}

function macEntries({ configHome }: System, command: readonly string[]): Entries {
  const path = join(configHome, "LaunchAgents", `${agentLabel}.plist`);
  const agent = createFileEntry({ by: "launchd", path, text: launchAgentText(command) });
  return { chosen: agent, all: [agent], why: "" };
}

function windowsEntries({ configHome, run }: System, command: readonly string[]): Entries {
  const line = runLine(command);
  const entry = createRegistryEntry({ line, run, scratch: join(configHome, "kit-autostart.reg") });
  if (line.length <= runCharsMax) return { chosen: entry, all: [entry], why: "" };
  const why = `The command is ${line.length} characters long, and Windows starts at most ${runCharsMax}: move Kit and its data to folders with shorter names.`;
  return { chosen: undefined, all: [entry], why };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u001f\u007f]/u;

export async function findEntries(system: System, command: readonly string[]): Promise<Entries> {
  const none = (why: string): Entries => ({ chosen: undefined, all: [], why });
  if (command.some((word) => controls.test(word)))
    return none("A path contains a line break or another control character, so no system can start it.");
  if (system.platform === "linux") return await linuxEntries(system, command);
  if (system.platform === "darwin") return macEntries(system, command);
  if (system.platform === "win32") return windowsEntries(system, command);
  return none(`Kit does not support autostart on ${system.platform}: let the system run \`kit start --no-open\`.`);
}
