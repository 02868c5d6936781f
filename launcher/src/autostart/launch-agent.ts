// A launch agent for macOS, as text. Pure.
import { seal, sealPlace } from "./seal.ts";

export const agentLabel = "kit.launcher";

const escaped = (word: string) => word.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** AbandonProcessGroup: a game that Kit started outlives it. */
export const launchAgentText = (command: readonly string[]): string =>
  seal(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by Kit, ${sealPlace}. "kit autostart off" removes it. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${agentLabel}</string>
  <key>ProgramArguments</key>
  <array>
${command.map((word) => `    <string>${escaped(word)}</string>`).join("\n")}
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
