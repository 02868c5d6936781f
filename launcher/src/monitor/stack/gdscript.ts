// Reads frames as GDScript has them: a backtrace's lines, what print_stack() prints, get_stack() turned into text.
import { locationOf, type Reading } from "./frame.ts";

export function gdscriptFrame(line: string): Reading | undefined {
  if (line.startsWith("[")) return numbered(line);
  if (line.startsWith("at: ")) return called(line.slice(4));
  if (line.startsWith("At: ")) return placeFirst(line.slice(4));
  if (line.startsWith("Frame ")) return printed(line);
  return undefined;
}

/** `[0] f (res://x.gd:12)`, a line of a backtrace. */
function numbered(line: string): Reading | undefined {
  const end = line.indexOf("] ");
  return end > 1 && end < 6 && !Number.isNaN(Number(line.slice(1, end))) ? called(line.slice(end + 2)) : undefined;
}

/** `f (res://x.gd:12)`; the engine's own functions stand there too, with a C++ file. */
function called(text: string): Reading | undefined {
  const open = text.indexOf(" (");
  if (open < 0 || !text.endsWith(")")) return undefined;
  return reading(text.slice(0, open), text.slice(open + 2, -1));
}

/** `res://x.gd:12:f()`. */
function placeFirst(text: string): Reading | undefined {
  const name = text.lastIndexOf(":");
  return text.endsWith("()") ? reading(text.slice(name + 1, -2), text.slice(0, name)) : undefined;
}

/** `Frame 0 - res://x.gd:12 in function 'f'`. */
function printed(line: string): Reading | undefined {
  const start = line.indexOf(" - ");
  const within = line.indexOf(" in function '");
  if (start < 0 || within < start) return undefined;
  return reading(line.slice(within + 14, -1), line.slice(start + 3, within));
}

function reading(name: string, place: string): Reading | undefined {
  const { file, line } = locationOf(place);
  if (line === null) return undefined;
  return { dialect: "gdscript", function: nameOf(name), file, line, column: null };
}

const nameOf = (name: string) => (name === "<anonymous lambda>" || name === "" ? null : name);

/** `[{ "source": …, "function": …, "line": 12 }, …]`, members in any order. Each object comes with its text. */
export function* gdscriptObjects(text: string): Generator<{ reading: Reading; text: string }> {
  if (!text.startsWith("[")) return;
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = text.indexOf("}", start);
    if (end < 0) return;
    const object = text.slice(start, end + 1);
    const read = fromObject(object);
    if (read) yield { reading: read, text: object };
    start = text.indexOf("{", end);
  }
}

function fromObject(object: string): Reading | undefined {
  const source = quotedAfter(object, '"source":');
  const name = quotedAfter(object, '"function":');
  if (source === undefined || name === undefined) return undefined;
  const from = object.indexOf('"line":');
  const line = from < 0 ? Number.NaN : Number.parseInt(object.slice(from + 7, from + 24), 10);
  const called = nameOf(name);
  return { dialect: "gdscript", function: called, file: source, line: Number.isNaN(line) ? null : line, column: null };
}

function quotedAfter(text: string, key: string): string | undefined {
  const from = text.indexOf(key);
  const open = from < 0 ? -1 : text.indexOf('"', from + key.length);
  const close = open < 0 ? -1 : text.indexOf('"', open + 1);
  return close < 0 ? undefined : text.slice(open + 1, close);
}
