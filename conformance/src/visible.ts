// Escapes control characters in faults, because they can control a terminal and are invalid in XML.

/** Escapes control characters and lone surrogates as \uXXXX, including tabs and line breaks. */
export function visible(text: string): string {
  return text.replace(
    /\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
