// The texts of the files that start Kit: a launch agent, a desktop entry, a systemd user service. Pure.
import { createHash } from "node:crypto";

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
<!-- Written by Kit, ${checksumPlaceholder}. "kit autostart off" removes it. -->
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
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit autostart off\` removes it.
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
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit desktop off\` removes it.
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
export type SystemdTarget = (typeof systemdTargets)[keyof typeof systemdTargets];

/** Escapes quotes and backslashes, and doubles `%`, which starts a specifier. */
const quoteForSystemd = (word: string) => `"${word.replaceAll(/[\\"]/gu, "\\$&").replaceAll("%", "%%")}"`;
/** Quotes an argument. Also doubles `$`, which starts a variable in arguments but not in the program's path. */
const quoteArgument = (word: string) => quoteForSystemd(word).replaceAll("$", "$$$$");

/**
 * With KillMode and OOMPolicy, games that Kit started keep running when Kit ends. With Restart=on-failure, systemd does not
 * restart a launcher that finds another one running, because it exits with success.
 */
export const systemdUnitText = ([program = "", ...rest]: readonly string[], target: SystemdTarget): string =>
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit autostart off\` removes it.
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
