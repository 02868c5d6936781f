// The text of a systemd user service. Pure.
import { checksumPlaceholder, withChecksum } from "./checksum.ts";

/** The target that starts the service: the desktop, whose screen can be recorded, or the sign-in without a desktop. */
export const targets = { desktop: "graphical-session.target", signIn: "default.target" } as const;
export type Target = (typeof targets)[keyof typeof targets];

/** Escapes quotes and backslashes, and doubles `%`, which starts a specifier. */
const quote = (word: string) => `"${word.replaceAll(/[\\"]/gu, "\\$&").replaceAll("%", "%%")}"`;
/** Also doubles `$`, which starts a variable in arguments but not in the program's path. */
const quoteArgument = (word: string) => quote(word).replaceAll("$", "$$$$");

/**
 * KillMode and OOMPolicy let games that Kit started survive its end. Restart=on-failure: a launcher that finds another one
 * running exits with success and is not restarted.
 */
export const unitText = ([program = "", ...rest]: readonly string[], target: Target): string =>
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit autostart off\` removes it.
[Unit]
Description=Kit, the launcher beside your games
${target === targets.desktop ? `After=${target}\nPartOf=${target}\n` : ""}
[Service]
ExecStart=${[quote(program), ...rest.map(quoteArgument)].join(" ")}
Restart=on-failure
RestartSec=5
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=${target}
`);
