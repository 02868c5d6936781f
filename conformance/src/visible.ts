// Faults quote what games sent: control characters could command a terminal, and XML cannot hold them.

/** The text with every such character, and every lone half of one, written out as \uXXXX. Tabs and line ends too. */
export function visible(text: string): string {
  return text.replace(
    /\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
