// Parses frames of GameMaker from an exception's stacktrace, its longMessage, or debug_get_callstack() as text.
import type { ParsedFrame } from "./frame.ts";

const isNamePart = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 64;

/** Yields every `gml_Object_o_Step_0 (line 12)` and `gml_Script_f:12` in a line. */
export function* parseGmlFrames(line: string): Generator<ParsedFrame> {
  for (let start = line.indexOf("gml_"); start >= 0; ) {
    let end = start + 4;
    while (end < line.length && isNamePart(line.charCodeAt(end))) end += 1;
    const number = parseLineNumber(line, end);
    if (number !== undefined) {
      yield { dialect: "gml", function: line.slice(start, end), file: null, line: number, column: null };
    }
    start = line.indexOf("gml_", end);
  }
}

function parseLineNumber(line: string, end: number): number | undefined {
  const from = [" (line ", ":"].find((before) => line.startsWith(before, end));
  if (from === undefined) return undefined;
  const number = Number.parseInt(line.slice(end + from.length, end + from.length + 10), 10);
  return Number.isNaN(number) ? undefined : number;
}
