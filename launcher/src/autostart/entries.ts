// The places a system starts programs from, and which of them is the one to write to.
import { join } from "node:path";
import { desktopEntryText } from "./desktop-entry.ts";
import type { Entry } from "./entry.ts";
import { fileEntry } from "./file-entry.ts";
import { agentLabel, launchAgentText } from "./launch-agent.ts";
import { type RunProgram, registryEntry } from "./registry-entry.ts";
import { runCharsMax, runLine } from "./run-key.ts";
import { targets, unitText } from "./systemd-unit.ts";

export type System = {
  readonly platform: NodeJS.Platform;
  /** Where the user's own settings of programs lie. */
  readonly configHome: string;
  /** systemd started this system. */
  readonly systemd: boolean;
  /** A screen can be seen from here. */
  readonly desktop: boolean;
  readonly run: RunProgram;
};

export type Entries = {
  /** The one to write to; undefined where there is none. */
  readonly chosen: Entry | undefined;
  /** All that an earlier start may have written to, the chosen one among them. */
  readonly all: readonly Entry[];
  readonly why: string;
};

/** Answers of `systemctl is-active`: it is, or it is not; anything else is no answer. */
const isActive = 0;
const isNotActive = [3, 4];

/** systemd takes no program with a quote in its path, and reads a percent sign differently there than in a desktop's entry. */
const plainly = (command: readonly string[]) =>
  /["'\\%$`]/u.test(command[0] ?? "") ? ["/usr/bin/env", ...command] : command;

/**
 * A service that starts before the desktop sees no screen, and could record nothing. So it follows the desktop where systemd
 * runs one, and where it does not, the desktop's own entry is written.
 */
async function linuxEntries(system: System, asked: readonly string[]): Promise<Entries> {
  const command = plainly(asked);
  const { configHome, run } = system;
  const code = system.systemd ? await run("systemctl", ["--user", "is-active", "--quiet", targets.desktop]) : undefined;
  const answers = code === isActive || isNotActive.includes(code ?? -1);
  const target = code === isActive ? targets.desktop : targets.signIn;
  const other = target === targets.desktop ? targets.signIn : targets.desktop;
  const folder = join(configHome, "systemd/user");
  const linkIn = (wanting: string) => join(folder, `${wanting}.wants`, "kit.service");
  const service = fileEntry({
    by: "systemd",
    path: join(folder, "kit.service"),
    text: unitText(command, target),
    link: linkIn(target),
    otherLinks: [linkIn(other)],
    tell: async () => void (answers && (await run("systemctl", ["--user", "daemon-reload"]))),
  });
  const path = join(configHome, "autostart", "kit.desktop");
  const entry = fileEntry({ by: "xdg", path, text: desktopEntryText(command) });
  const bySystemd = system.systemd && (code === isActive || !system.desktop);
  return { chosen: bySystemd ? service : entry, all: [service, entry], why: "" };
}

function macEntries({ configHome }: System, command: readonly string[]): Entries {
  const path = join(configHome, "LaunchAgents", `${agentLabel}.plist`);
  const agent = fileEntry({ by: "launchd", path, text: launchAgentText(command) });
  return { chosen: agent, all: [agent], why: "" };
}

function windowsEntries({ configHome, run }: System, command: readonly string[]): Entries {
  const line = runLine(command);
  const entry = registryEntry({ line, run, scratch: join(configHome, "kit-autostart.reg") });
  if (line.length <= runCharsMax) return { chosen: entry, all: [entry], why: "" };
  const why = `The command is ${line.length} characters long, and Windows starts none longer than ${runCharsMax}: put Kit and its data into folders with shorter names.`;
  return { chosen: undefined, all: [entry], why };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u001f\u007f]/u;

export async function entriesOf(system: System, command: readonly string[]): Promise<Entries> {
  const none = (why: string): Entries => ({ chosen: undefined, all: [], why });
  if (command.some((word) => controls.test(word)))
    return none("A path has a line break or another control character in its name: no system can start that.");
  if (system.platform === "linux") return await linuxEntries(system, command);
  if (system.platform === "darwin") return macEntries(system, command);
  if (system.platform === "win32") return windowsEntries(system, command);
  return none(`Kit does not know how ${system.platform} starts programs: have it run \`kit start --no-open\`.`);
}
