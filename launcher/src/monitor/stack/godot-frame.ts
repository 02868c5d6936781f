// Parses frames of Godot: lines of a backtrace, the output of `print_stack()`, and the result of `get_stack()` as text. A
// backtrace can be of GDScript, of C# or of the engine itself.
import { closingParenthesis, isNativeFile, type ParsedFrame, parseSourceLocation } from "./frame.ts";

export function parseGodotFrame(line: string): ParsedFrame | undefined {
  if (line.startsWith("[")) return parseBacktraceLine(line);
  if (line.startsWith("at: ")) return parseCall(line.slice(4));
  if (line.startsWith("At: ")) return parseLocationFirst(line.slice(4));
  if (line.startsWith("Frame ")) return parsePrintedFrame(line);
  return line.endsWith(")") ? parseDebuggerFrame(line) : undefined;
}

/** Parses `<Stack Trace> x.gd:12 @ f()` and `X.cs:12 @ void Ns.Type.Method(int)()`, as the editor's debugger copies it. */
function parseDebuggerFrame(line: string): ParsedFrame | undefined {
  const at = line.indexOf(" @ ");
  const open = at < 0 ? -1 : line.indexOf("(", at);
  const place = line.slice(line.startsWith("<") ? line.indexOf(">") + 1 : 0, Math.max(at, 0)).trim();
  if (open < 0) return undefined;
  const call = line.slice(at + 3);
  return (
    parseCsharpCall(`${call.endsWith(")()") ? call.slice(0, -2) : call} (${place})`) ??
    createFrame(line.slice(at + 3, open), place)
  );
}

/** Parses `[0] f (res://x.gd:12)`, a line of a backtrace. */
function parseBacktraceLine(line: string): ParsedFrame | undefined {
  const end = line.indexOf("] ");
  const isNumbered = end > 1 && end < 6 && !Number.isNaN(Number(line.slice(1, end)));
  return isNumbered ? parseCall(line.slice(end + 2)) : undefined;
}

/** Parses `f (res://x.gd:12)` or a call of C#. A function of the engine looks the same, with a C++ file. */
function parseCall(text: string): ParsedFrame | undefined {
  const csharp = parseCsharpCall(text);
  if (csharp) return csharp;
  const open = text.indexOf(" (");
  if (open < 0 || !text.endsWith(")")) return undefined;
  return createFrame(text.slice(0, open), text.slice(open + 2, -1));
}

/** Parses `void Ns.Type.Method(int) (C:/x.cs:12)`. A release build has `(:0)` or no location. */
function parseCsharpCall(text: string): ParsedFrame | undefined {
  const open = text.indexOf("(");
  if (open <= 0 || text[open - 1] === " ") return undefined;
  const close = closingParenthesis(text, open);
  const name = text.slice(startOfMethodName(text, open), open);
  const place = text.slice(close + 1).trim();
  const isPlace = place === "" || (place.startsWith("(") && place.endsWith(")"));
  const location = isPlace ? parsePlace(place.slice(1, -1)) : undefined;
  if (close < 0 || location === undefined || !/^[\p{L}_@][^/\\]*\./u.test(name)) return undefined;
  return { dialect: "dotnet", function: name, ...location, column: null };
}

/** Returns where the name before `end` starts: after the type that the method returns, which may contain spaces in `<…>`. */
function startOfMethodName(text: string, end: number): number {
  let depth = 0;
  let at = end;
  for (; at > 0; at -= 1) {
    const letter = text[at - 1];
    if (letter === ">") depth += 1;
    if (letter === "<") depth -= 1;
    if (letter === " " && depth === 0) break;
  }
  return at;
}

/** Parses `res://x.gd:12:f()` and, of a script that Godot 3 cannot load, `res://x.gdc:12.` */
function parseLocationFirst(text: string): ParsedFrame | undefined {
  if (text.endsWith(".")) return createFrame("", text.slice(0, -1));
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
  const location = parsePlace(place);
  if (location === undefined || (name.includes(" ") && functionName(name) !== null)) return undefined;
  const { file, line } = location;
  // Without a file of a script or of the engine, the line could be prose.
  if (file !== null && !/:\/\/|[\\/]|\.gdc?$/.test(file) && !isNativeFile(file)) return undefined;
  return { dialect: "gdscript", function: functionName(name), file, line, column: null };
}

/** Parses `res://x.gd:12` and, of a script inside a scene, `res://x.tscn::1:12`. An empty file name is an unknown file. */
function parsePlace(place: string): Pick<ParsedFrame, "file" | "line"> | undefined {
  const { file, line, column } = parseSourceLocation(place);
  if (file === "" || file === null) return { file: null, line: null };
  if (file.endsWith(":") && column !== null) return { file: `${file}:${line}`, line: column };
  return line === null ? undefined : { file, line };
}

const functionName = (name: string) => (name === "<anonymous lambda>" || name === "" ? null : name);

/** Parses `[{ "source": …, "function": …, "line": 12 }, …]` with members in any order. Yields each frame with its text. */
export function* parseGdscriptObjects(text: string): Generator<{ frame: ParsedFrame; text: string }> {
  if (!text.startsWith("[")) return;
  for (let start = text.indexOf("{"); start >= 0; ) {
    const end = text.indexOf("}", start);
    if (end < 0) return;
    const object = text.slice(start, end + 1);
    const frame = parseGdscriptObject(object);
    if (frame) yield { frame, text: object };
    start = text.indexOf("{", end);
  }
}

function parseGdscriptObject(object: string): ParsedFrame | undefined {
  const source = stringMember(object, '"source":');
  const name = stringMember(object, '"function":');
  if (source === undefined || name === undefined) return undefined;
  const from = object.indexOf('"line":');
  const line = from < 0 ? Number.NaN : Number.parseInt(object.slice(from + 7, from + 24), 10);
  const place = { file: source === "" ? null : source, line: Number.isNaN(line) ? null : line, column: null };
  return { dialect: "gdscript", function: functionName(name), ...place };
}

function stringMember(text: string, key: string): string | undefined {
  const from = text.indexOf(key);
  const open = from < 0 ? -1 : text.indexOf('"', from + key.length);
  const close = open < 0 ? -1 : text.indexOf('"', open + 1);
  return close < 0 ? undefined : text.slice(open + 1, close);
}
