// Parses frames of GDScript: lines of a backtrace, the output of `print_stack()`, and the result of `get_stack()` as text.
import { type ParsedFrame, parseSourceLocation } from "./frame.ts";

export function parseGdscriptFrame(line: string): ParsedFrame | undefined {
  if (line.startsWith("[")) return parseBacktraceLine(line);
  if (line.startsWith("at: ")) return parseCall(line.slice(4));
  if (line.startsWith("At: ")) return parseLocationFirst(line.slice(4));
  if (line.startsWith("Frame ")) return parsePrintedFrame(line);
  return undefined;
}

/** Parses `[0] f (res://x.gd:12)`, a line of a backtrace. */
function parseBacktraceLine(line: string): ParsedFrame | undefined {
  const end = line.indexOf("] ");
  return end > 1 && end < 6 && !Number.isNaN(Number(line.slice(1, end))) ? parseCall(line.slice(end + 2)) : undefined;
}

/** Parses `f (res://x.gd:12)`. A function of the engine looks the same, with a C++ file. */
function parseCall(text: string): ParsedFrame | undefined {
  const open = text.indexOf(" (");
  if (open < 0 || !text.endsWith(")")) return undefined;
  return createFrame(text.slice(0, open), text.slice(open + 2, -1));
}

/** Parses `res://x.gd:12:f()`. */
function parseLocationFirst(text: string): ParsedFrame | undefined {
  const name = text.lastIndexOf(":");
  return text.endsWith("()") ? createFrame(text.slice(name + 1, -2), text.slice(0, name)) : undefined;
}

/** Parses `Frame 0 - res://x.gd:12 in function 'f'`. */
function parsePrintedFrame(line: string): ParsedFrame | undefined {
  const start = line.indexOf(" - ");
  const within = line.indexOf(" in function '");
  if (start < 0 || within < start) return undefined;
  return createFrame(line.slice(within + 14, -1), line.slice(start + 3, within));
}

function createFrame(name: string, place: string): ParsedFrame | undefined {
  const { file, line } = parseSourceLocation(place);
  if (line === null) return undefined;
  return { dialect: "gdscript", function: functionName(name), file, line, column: null };
}

const functionName = (name: string) => (name === "<anonymous lambda>" || name === "" ? null : name);

/** Parses `[{ "source": …, "function": …, "line": 12 }, …]` with members in any order. Yields each frame with its text. */
export function* parseGdscriptObjects(text: string): Generator<{ frame: ParsedFrame; text: string }> {
  if (!text.startsWith("[")) return;
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = text.indexOf("}", start);
    if (end < 0) return;
    const object = text.slice(start, end + 1);
    const frame = parseObject(object);
    if (frame) yield { frame, text: object };
    start = text.indexOf("{", end);
  }
}

function parseObject(object: string): ParsedFrame | undefined {
  const source = stringMember(object, '"source":');
  const name = stringMember(object, '"function":');
  if (source === undefined || name === undefined) return undefined;
  const from = object.indexOf('"line":');
  const line = from < 0 ? Number.NaN : Number.parseInt(object.slice(from + 7, from + 24), 10);
  const called = functionName(name);
  return { dialect: "gdscript", function: called, file: source, line: Number.isNaN(line) ? null : line, column: null };
}

function stringMember(text: string, key: string): string | undefined {
  const from = text.indexOf(key);
  const open = from < 0 ? -1 : text.indexOf('"', from + key.length);
  const close = open < 0 ? -1 : text.indexOf('"', open + 1);
  return close < 0 ? undefined : text.slice(open + 1, close);
}
