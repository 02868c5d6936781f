// An autostart entry: one place where the system looks for programs to start, its text, and its state.

import { createHash } from "node:crypto";
import { lstat, mkdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { renameWithRetry } from "../renames.ts";

// Each text contains a checksum, so that Kit never replaces a file that a person changed.

/** Takes the place of the checksum in text while the checksum of that text is computed. */
const checksumPlaceholder = "{seal}";
const checksumPattern = /sha256 ([0-9a-f]{64})/u;

const checksum = (text: string) => createHash("sha256").update(text).digest("hex");

const withChecksum = (text: string): string => text.replace(checksumPlaceholder, `sha256 ${checksum(text)}`);

/** Returns true if some version of Kit wrote the text and nobody changed it. */
export function hasValidChecksum(text: string): boolean {
  const sum = checksumPattern.exec(text)?.[1];
  return sum !== undefined && checksum(text.replace(checksumPattern, checksumPlaceholder)) === sum;
}

export const launchAgentLabel = "kit.launcher";

const escapeXml = (word: string) => word.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** With AbandonProcessGroup, games that Kit started keep running when Kit ends. */
export const launchAgentText = (command: readonly string[]): string =>
  withChecksum(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by Kit, ${checksumPlaceholder}. "kit api setAutostart on=false" removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${launchAgentLabel}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escapeXml(word)}</string>`).join("\n")}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`);

/**
 * Escapes quotes, backquotes, dollar signs and backslashes, doubles percent signs, and then escapes every backslash again,
 * because a desktop entry stores the command as an escaped string.
 */
const quoteForDesktop = (word: string) =>
  `"${word.replaceAll(/["`$\\]/gu, "\\$&").replaceAll("%", "%%")}"`.replaceAll("\\", "\\\\");

export const desktopEntryText = (command: readonly string[]): string =>
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit api setAutostart on=false\` removes it.
[Desktop Entry]
Type=Application
Name=Kit
Comment=The launcher beside your games
Exec=${command.map(quoteForDesktop).join(" ")}
Terminal=false
`);

/** Newlines are refused elsewhere, and backslashes start escapes. */
const escapeValue = (text: string) => text.replaceAll("\\", "\\\\");

export const menuEntryText = (command: readonly string[], icon: string): string =>
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit api setDesktopEntry on=false\` removes it.
[Desktop Entry]
Type=Application
Name=Kit
Comment=Your best moments, and how to share them
Exec=${command.map(quoteForDesktop).join(" ")}
Icon=${escapeValue(icon)}
Categories=Game;AudioVideo;
Terminal=false
`);

/** The systemd target that starts the service: the desktop, whose screen can be recorded, or the sign-in without a desktop. */
export const systemdTargets = { desktop: "graphical-session.target", signIn: "default.target" } as const;
type SystemdTarget = (typeof systemdTargets)[keyof typeof systemdTargets];

/** Escapes quotes and backslashes, and doubles `%`, which starts a specifier. */
const quoteForSystemd = (word: string) => `"${word.replaceAll(/[\\"]/gu, "\\$&").replaceAll("%", "%%")}"`;
/** Quotes an argument. Also doubles `$`, which starts a variable in arguments but not in the program's path. */
const quoteArgument = (word: string) => quoteForSystemd(word).replaceAll("$", "$$$$");

/**
 * With KillMode and OOMPolicy, games that Kit started keep running when Kit ends. With Restart=on-failure, systemd does not
 * restart a launcher that finds another one running, because it exits with success.
 */
export const systemdUnitText = ([program = "", ...rest]: readonly string[], target: SystemdTarget): string =>
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit api setAutostart on=false\` removes it.
[Unit]
Description=Kit, the launcher beside your games
${target === systemdTargets.desktop ? `After=${target}\nPartOf=${target}\n` : ""}
[Service]
ExecStart=${[quoteForSystemd(program), ...rest.map(quoteArgument)].join(" ")}
Restart=on-failure
RestartSec=5
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=${target}
`);

/** `changed`: the entry was written or changed by a person or another program. */
export type AutostartEntryState = {
  readonly state: "none" | "own" | "changed";
  /** True if the system uses the entry. */
  readonly isEnabled: boolean;
  /** True if the entry equals what Kit would write now. */
  readonly isCurrent: boolean;
};

export const absentEntryState: AutostartEntryState = { state: "none", isEnabled: false, isCurrent: false };

export type AutostartEntry = {
  readonly by: "systemd" | "xdg" | "launchd" | "registry";
  readonly place: string;
  readState(): Promise<AutostartEntryState>;
  /** Call only if the entry is absent or written by Kit. */
  write(): Promise<void>;
  /** Call only if Kit wrote the entry. */
  remove(): Promise<void>;
};

// An autostart entry in a file, with the links that the system requires.

type FileEntryOptions = {
  readonly by: AutostartEntry["by"];
  readonly path: string;
  readonly text: string;
  /** The link to create; left out if the system needs only the file. */
  readonly link?: string;
  /** Other links that an earlier Kit may have created. */
  readonly otherLinks?: readonly string[];
  /** Makes the system read its startup files again. Never rejects. */
  readonly reload?: () => Promise<void>;
};

const undefinedIfMissing = (error: NodeJS.ErrnoException) => {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
};

/**
 * Returns the text of the file. Returns undefined if nothing exists at the path, and null for anything but a file, such as a
 * link to shared settings.
 */
async function readText(path: string): Promise<string | null | undefined> {
  const stat = await lstat(path).catch(undefinedIfMissing);
  if (stat === undefined) return undefined;
  return stat.isFile() ? readFile(path, "utf8") : null;
}

async function isLinkTo(link: string, path: string): Promise<boolean> {
  const target = await readlink(link).catch(() => undefined);
  return target !== undefined && resolve(dirname(link), target) === path;
}

async function replaceFile(path: string, text: string): Promise<void> {
  const newPath = `${path}.kit-new`;
  await mkdir(dirname(path), { recursive: true });
  await rm(newPath, { force: true });
  await writeFile(newPath, text, { flag: "wx" });
  await renameWithRetry(newPath, path);
}

async function createLink(link: string, path: string): Promise<void> {
  if (await isLinkTo(link, path)) return;
  await mkdir(dirname(link), { recursive: true });
  await symlink(path, link);
}

export function createFileEntry({
  by,
  path,
  text,
  link,
  otherLinks = [],
  reload: tell = async () => undefined,
}: FileEntryOptions): AutostartEntry {
  const links = link === undefined ? [] : [link, ...otherLinks];
  const ownLinks = async () => {
    const own = await Promise.all(links.map((each) => isLinkTo(each, path)));
    return links.filter((_, n) => own[n]);
  };
  const removeLinks = async (keptLink?: string) => {
    for (const each of await ownLinks()) if (each !== keptLink) await rm(each);
  };
  return {
    by,
    place: path,
    async readState(): Promise<AutostartEntryState> {
      const existing = await readText(path);
      if (existing === undefined) return absentEntryState;
      const enabled = link === undefined || (await ownLinks()).length > 0;
      const current = existing === text && (link === undefined || (await isLinkTo(link, path)));
      return {
        state: existing !== null && hasValidChecksum(existing) ? "own" : "changed",
        isEnabled: enabled,
        isCurrent: current,
      };
    },
    async write() {
      await replaceFile(path, text);
      await removeLinks(link);
      if (link !== undefined) await createLink(link, path);
      await tell();
    },
    async remove() {
      await removeLinks();
      await rm(path, { force: true });
      await tell();
    },
  };
}

// An autostart entry in the Windows registry, accessed with reg.exe.

const runKey = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
/** Kit's own key with a copy of the value that Kit wrote, by which Kit detects changes by others. */
export const ownKey = "HKCU\\Software\\Kit";
const runName = "Kit";
const ownName = "Autostart";

/** Maximum length of a command in the Run key. */
export const runKeyCharsMax = 260;

/** Returns the text value with this name in an exported key, or undefined if there is none. */
export function valueInExport(exported: string, name: string): string | undefined {
  const values = exported.matchAll(/^"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"\r?$/gmu);
  const plain = (text: string) => text.replaceAll(/\\(.)/gu, "$1");
  for (const [, valueName = "", value = ""] of values) if (plain(valueName) === name) return plain(value);
  return undefined;
}

/** Runs a system program, with `input` on standard input. Returns its exit code, or undefined if it did not run. */
export type RunProgram = (program: string, args: readonly string[], input?: string) => Promise<number | undefined>;

/** Reads and writes values of the registry with reg.exe. `scratch` is a temporary file for exports. */
export function createRegistry(run: RunProgram, scratch: string) {
  const runReg = async (args: readonly string[]) => {
    const code = await run("reg", args);
    if (code !== 0) throw new Error(`reg ${args[0]} ${args[1]} ended with ${code ?? "no answer"}.`);
  };
  return {
    async read(key: string, name: string): Promise<string | undefined> {
      try {
        if ((await run("reg", ["export", key, scratch, "/y"])) !== 0) return undefined;
        return valueInExport(await readFile(scratch, "utf16le").catch(() => ""), name);
      } finally {
        await rm(scratch, { force: true });
      }
    },
    set: (key: string, name: string, text: string) =>
      runReg(["add", key, "/v", name, "/t", "REG_SZ", "/d", text, "/f"]),
    remove: (key: string, name: string) => runReg(["delete", key, "/v", name, "/f"]),
  };
}

type RegistryEntryOptions = {
  readonly line: string;
  readonly run: RunProgram;
  /** A temporary file for exports: the printed output of reg.exe loses non-ASCII letters, its exports do not. */
  readonly scratch: string;
};

export function createRegistryEntry({ line, run, scratch }: RegistryEntryOptions): AutostartEntry {
  const registry = createRegistry(run, scratch);
  return {
    by: "registry",
    place: `${runKey}\\${runName}`,
    async readState(): Promise<AutostartEntryState> {
      const value = await registry.read(runKey, runName);
      const savedValue = await registry.read(ownKey, ownName);
      if (value === undefined) return absentEntryState;
      return { state: value === savedValue ? "own" : "changed", isEnabled: true, isCurrent: value === line };
    },
    async write() {
      await registry.set(ownKey, ownName, line);
      await registry.set(runKey, runName, line);
    },
    async remove() {
      await registry.remove(runKey, runName);
      await registry.remove(ownKey, ownName);
    },
  };
}
