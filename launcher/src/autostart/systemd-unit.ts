// A service of the user for systemd, as text. Pure.
import { seal, sealPlace } from "./seal.ts";

/** What starts it: the desktop, so that the screen can be recorded, or the sign-in where there is no desktop. */
export const targets = { desktop: "graphical-session.target", signIn: "default.target" } as const;
export type Target = (typeof targets)[keyof typeof targets];

/** In quotes everything but these is itself; `%` begins a specifier. */
const quoted = (word: string) => `"${word.replaceAll(/[\\"]/gu, "\\$&").replaceAll("%", "%%")}"`;
/** In arguments `$` begins a variable; in the program's path it is itself. */
const argument = (word: string) => quoted(word).replaceAll("$", "$$$$");

/**
 * KillMode and OOMPolicy: a game that Kit started is in the service too, and must outlive it.
 * A launcher that finds another one running ends well, and is not started again.
 */
export const unitText = ([program = "", ...rest]: readonly string[], target: Target): string =>
  seal(`# Written by Kit, ${sealPlace}. \`kit autostart off\` removes it.
[Unit]
Description=Kit, the launcher beside your games
${target === targets.desktop ? `After=${target}\nPartOf=${target}\n` : ""}
[Service]
ExecStart=${[quoted(program), ...rest.map(argument)].join(" ")}
Restart=on-failure
RestartSec=5
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=${target}
`);
