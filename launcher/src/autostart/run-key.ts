// The value for Windows' Run key, and a parser for the output of `reg export`. Pure.

export const runKey = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
/** Kit's own key with a copy of the value, to detect changes by others. */
export const ownKey = "HKCU\\Software\\Kit";
export const runName = "Kit";
export const ownName = "Autostart";

/** Maximum length of a command in the Run key. */
export const runCharsMax = 260;

/** Quotes as Windows' C library parses: backslashes are special only before a quote. */
const quote = (word: string) =>
  /[\s"]/u.test(word) || word === "" ? `"${word.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, "$1$1")}"` : word;

export const runLine = (command: readonly string[]): string => command.map(quote).join(" ");

/** Returns a text value of an exported key, or undefined. */
export function exportedValue(exported: string, name: string): string | undefined {
  const values = exported.matchAll(/^"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"\r?$/gmu);
  const plain = (text: string) => text.replaceAll(/\\(.)/gu, "$1");
  for (const [, valueName = "", value = ""] of values) if (plain(valueName) === name) return plain(value);
  return undefined;
}
