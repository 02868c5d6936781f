// Reports whether the system starts the launcher at sign-in, and switches that on and off, in the place that suits the system.

import { join } from "node:path";
import {
  type Autostart as AutostartReport,
  fieldError,
  getAutostart,
  KitError,
  type Message,
  payloadInvalid,
  setAutostart,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type Route, route } from "../http/route.ts";
import { windowsCommandLine } from "../process/windowless.ts";
import {
  type AutostartEntry,
  type AutostartEntryState,
  createFileEntry,
  createRegistryEntry,
  desktopEntryText,
  launchAgentLabel,
  launchAgentText,
  type RunProgram,
  runKeyCharsMax,
  systemdTargets,
  systemdUnitText,
} from "./entry.ts";

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
type AutostartEntries = { readonly all: readonly AutostartEntry[] } & (
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

async function findEntries(system: SystemFacts, command: readonly string[]): Promise<AutostartEntries> {
  const none = (why: Message): AutostartEntries => ({ chosen: undefined, all: [], why });
  if (command.some((word) => controlCharacters.test(word))) return none(message("autostart.control_character"));
  if (system.platform === "linux") return await linuxEntries(system, command);
  if (system.platform === "darwin") return macEntries(system, command);
  if (system.platform === "win32") return windowsEntries(system, command);
  return none(message("autostart.unsupported", { platform: system.platform }));
}

type AutostartDeps = {
  readonly system: SystemFacts;
  /** The command that starts the launcher. */
  readonly command: readonly string[];
};

export type Autostart = {
  state(): Promise<AutostartReport>;
  /** Throws KitError if an entry exists that Kit did not write. */
  set(on: boolean): Promise<AutostartReport>;
};

/** Matches a path in npx's cache, which npx deletes after a while. */
export const npxCache = /[\\/]_npx[\\/]/u;

const startMessages: Record<AutostartEntry["by"], Message> = {
  systemd: message("autostart.systemd"),
  xdg: message("autostart.desktop"),
  launchd: message("autostart.macos"),
  registry: message("autostart.windows"),
};

/** Creates the error for a switch that cannot be changed. */
export const createRefusal = (detail: Message) => payloadInvalid(detail, fieldError("/on", detail));

type ReadEntry = { readonly entry: AutostartEntry; readonly found: AutostartEntryState };

const readEntries = (all: readonly AutostartEntry[]): Promise<ReadEntry[]> =>
  Promise.all(all.map(async (entry) => ({ entry, found: await entry.readState() })));

function describeState(entries: AutostartEntries, shown: ReadEntry | undefined): Message {
  if (shown?.found.state === "changed") {
    return message("autostart.changed", { place: shown.entry.place });
  }
  if (shown?.found.isEnabled) {
    const words = startMessages[shown.entry.by];
    return shown.found.isCurrent ? words : message("autostart.other_copy", { words });
  }
  if (shown?.found.state === "own") return message("autostart.switched_off");
  return entries.chosen === undefined ? entries.why : message("autostart.off");
}

export function createAutostart({ system, command }: AutostartDeps): Autostart {
  const entries = async (): Promise<AutostartEntries> => {
    const found = await findEntries(system, command);
    if (!command.some((word) => npxCache.test(word))) return found;
    const why = message("autostart.downloaded");
    return { ...found, chosen: undefined, why };
  };
  const report = async (current: AutostartEntries): Promise<AutostartReport> => {
    const read = await readEntries(current.all);
    const existing = read.filter(({ found }) => found.state !== "none");
    const shown = existing.find(({ found }) => found.isEnabled) ?? existing[0];
    const entry = shown?.entry ?? current.chosen;
    return {
      on: shown?.found.isEnabled ?? false,
      can: current.chosen !== undefined && shown?.found.state !== "changed",
      by: entry?.by ?? null,
      place: entry?.place ?? null,
      command: [...command],
      detail: describeState(current, shown),
    };
  };
  const turnOn = async (current: AutostartEntries) => {
    if (current.chosen === undefined) throw createRefusal(current.why);
    const { all, chosen } = current;
    const read = await readEntries(all);
    const changedEntry = read.find(({ found }) => found.state === "changed");
    if (changedEntry !== undefined)
      throw createRefusal(message("autostart.changed_before", { place: changedEntry.entry.place }));
    for (const { entry, found } of read) if (entry !== chosen && found.state === "own") await entry.remove();
    if (!read.some(({ entry, found }) => entry === chosen && found.isCurrent)) await chosen.write();
  };
  const turnOff = async ({ all }: AutostartEntries) => {
    const read = await readEntries(all);
    for (const { entry, found } of read) if (found.state === "own") await entry.remove();
    const remaining = read.find(({ found }) => found.state === "changed" && found.isEnabled);
    if (remaining !== undefined)
      throw createRefusal(message("autostart.changed_after", { place: remaining.entry.place }));
  };
  return {
    state: async () => report(await entries()),
    async set(on) {
      const current = await entries();
      try {
        await (on ? turnOn(current) : turnOff(current));
      } catch (error) {
        if (error instanceof KitError) throw error;
        throw createRefusal(message("autostart.rejected", { problem: (error as Error).message }));
      }
      return report(current);
    },
  };
}

export const autostartRoutes = (autostart: Autostart): readonly Route[] => [
  route(getAutostart, autostart.state),
  route(setAutostart, ({ body }) => autostart.set(body.on)),
];
