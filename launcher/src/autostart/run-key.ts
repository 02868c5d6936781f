// A value of Windows' Run key, as text, and reading it out of what `reg export` writes. Pure.

export const runKey = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
/** Beside it, what Kit wrote there: a value that differs was changed by somebody else. */
export const ownKey = "HKCU\\Software\\Kit";
export const runName = "Kit";
export const ownName = "Autostart";

/** Windows runs no longer line from there. */
export const runCharsMax = 260;

/** As the C library of Windows takes a line apart: backslashes count only before a quote. */
const quoted = (word: string) =>
  /[\s"]/u.test(word) || word === "" ? `"${word.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, "$1$1")}"` : word;

export const runLine = (command: readonly string[]): string => command.map(quoted).join(" ");

/** A text value in an exported key; undefined where there is none. */
export function exportedValue(exported: string, name: string): string | undefined {
  const values = exported.matchAll(/^"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"\r?$/gmu);
  const plain = (text: string) => text.replaceAll(/\\(.)/gu, "$1");
  for (const [, named = "", value = ""] of values) if (plain(named) === name) return plain(value);
  return undefined;
}
