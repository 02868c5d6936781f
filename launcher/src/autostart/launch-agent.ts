// The text of a launch agent for macOS. Pure.
import { checksumPlaceholder, withChecksum } from "./checksum.ts";

export const agentLabel = "kit.launcher";

const escapeXml = (word: string) => word.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** AbandonProcessGroup: games that Kit started survive its end. */
export const launchAgentText = (command: readonly string[]): string =>
  withChecksum(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by Kit, ${checksumPlaceholder}. "kit autostart off" removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${agentLabel}</string>
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
