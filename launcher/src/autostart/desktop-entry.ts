// An autostart entry of the desktop (XDG), as text. Pure.
import { seal, sealPlace } from "./seal.ts";

/** In quotes these four are escaped, a percent sign is doubled; then every backslash, since the value is a string of its own. */
const quoted = (word: string) =>
  `"${word.replaceAll(/["`$\\]/gu, "\\$&").replaceAll("%", "%%")}"`.replaceAll("\\", "\\\\");

export const desktopEntryText = (command: readonly string[]): string =>
  seal(`# Written by Kit, ${sealPlace}. \`kit autostart off\` removes it.
[Desktop Entry]
Type=Application
Name=Kit
Comment=The launcher beside your games
Exec=${command.map(quoted).join(" ")}
Terminal=false
`);
