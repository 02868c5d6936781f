// The text of an XDG autostart entry. Pure.
import { checksumPlaceholder, withChecksum } from "./checksum.ts";

/** Escapes these four characters, doubles each percent sign, and then escapes every backslash again, because the value is an escaped string. */
const quote = (word: string) =>
  `"${word.replaceAll(/["`$\\]/gu, "\\$&").replaceAll("%", "%%")}"`.replaceAll("\\", "\\\\");

export const desktopEntryText = (command: readonly string[]): string =>
  withChecksum(`# Written by Kit, ${checksumPlaceholder}. \`kit autostart off\` removes it.
[Desktop Entry]
Type=Application
Name=Kit
Comment=The launcher beside your games
Exec=${command.map(quote).join(" ")}
Terminal=false
`);
