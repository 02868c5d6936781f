// Reads GameMaker's frames wherever they stand: an exception's stacktrace, its longMessage, debug_get_callstack() as text.
import type { Reading } from "./frame.ts";

const isNamePart = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 64;

/** Every `gml_Object_o_Step_0 (line 12)` and `gml_Script_f:12` in a line. */
export function* gmlFrames(line: string): Generator<Reading> {
  for (let start = line.indexOf("gml_"); start >= 0; ) {
    let end = start + 4;
    while (end < line.length && isNamePart(line.charCodeAt(end))) end += 1;
    const number = numberAt(line, end);
    if (number !== undefined) {
      yield { dialect: "gml", function: line.slice(start, end), file: null, line: number, column: null };
    }
    start = line.indexOf("gml_", end);
  }
}

function numberAt(line: string, end: number): number | undefined {
  const from = [" (line ", ":"].find((before) => line.startsWith(before, end));
  if (from === undefined) return undefined;
  const number = Number.parseInt(line.slice(end + from.length, end + from.length + 10), 10);
  return Number.isNaN(number) ? undefined : number;
}
