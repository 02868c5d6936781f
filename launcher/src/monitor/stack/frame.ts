// Parses one frame of a stack, in the format of each engine.

export type StackDialect = "gdscript" | "v8" | "gecko" | "gml" | "dotnet" | "mono" | "il2cpp" | "unity" | "text";

export type Frame = {
  /** The name that the engine gives, without parameters. Null for an anonymous function. */
  readonly function: string | null;
  /** Path or URL as written in the report. Null if the engine gives none. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Whether the frame belongs to the game, not to the engine, a library or the binding. */
  readonly inApp: boolean;
  /** The line of the report that the frame was read from, shortened if it is long. */
  readonly text: string;
};

/** A frame as the parser of a dialect returns it. Whether it belongs to the game is decided in `stack.ts`. */
export type ParsedFrame = {
  readonly dialect: Exclude<StackDialect, "text">;
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
};

type SourceLocation = Pick<ParsedFrame, "file" | "line" | "column">;

const noSourceLocation: SourceLocation = { file: null, line: null, column: null };

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Returns where the digits at the end of `text` start. Returns `text.length` for no digits, or too many for a line number. */
function trailingDigitsStart(text: string): number {
  let from = text.length;
  while (from > 0 && isDigit(text.charCodeAt(from - 1))) from -= 1;
  return text.length - from > 9 ? text.length : from;
}

/** Splits `:line` or `:line:column` off the end of a path or URL. */
function parseSourceLocation(text: string): SourceLocation {
  const last = trailingDigitsStart(text);
  if (last === text.length || text[last - 1] !== ":") return { ...noSourceLocation, file: text };
  const rest = text.slice(0, last - 1);
  const number = Number(text.slice(last));
  const first = trailingDigitsStart(rest);
  if (first === rest.length || rest[first - 1] !== ":") return { file: rest, line: number, column: null };
  return { file: rest.slice(0, first - 1), line: Number(rest.slice(first)), column: number };
}

// JavaScript engines: V8 (NW.js, Chromium), SpiderMonkey (Firefox) and JavaScriptCore (Safari).

/** Parses `at f (url:1:2)`, `at async f (…)`, `at url:1:2` and `at eval (eval at f (url:1:2), <anonymous>:1:1)`. */
export function parseV8Frame(line: string): ParsedFrame | undefined {
  if (!line.startsWith("at ")) return undefined;
  let rest = line.slice(3);
  if (rest.startsWith("async ")) rest = rest.slice(6);
  // The first parenthesis ends the name: the path behind it may contain further ones, but the name contains none.
  const open = rest.endsWith(")") ? rest.indexOf(" (") : -1;
  if (open < 0) return createV8Frame(null, parseV8Location(rest));
  return createV8Frame(rest.slice(0, open), parseV8Location(rest.slice(open + 2, -1)));
}

function createV8Frame(name: string | null, place: SourceLocation | undefined): ParsedFrame | undefined {
  return place && { dialect: "v8", function: name === "<anonymous>" ? null : name, ...place };
}

function parseV8Location(text: string): SourceLocation | undefined {
  if (text === "<anonymous>" || text === "native" || text.startsWith("index ")) return noSourceLocation;
  if (text.startsWith("eval at ")) return parseV8EvalLocation(text);
  const place = parseSourceLocation(text);
  return place.column === null ? undefined : place;
}

/** Returns where `eval` was called, because the code that it runs is in no file that a developer could open. */
function parseV8EvalLocation(text: string): SourceLocation {
  const end = text.indexOf("), <anonymous>");
  const start = text.lastIndexOf(" (", end < 0 ? text.length : end);
  return start < 0 || end < 0 ? noSourceLocation : parseSourceLocation(text.slice(start + 2, end));
}

/** Parses `f@url:1:2`, `@url:1:2`, `f@[native code]` and `f@url line 3 > eval:1:1`. Safari omits the @ for anonymous code. */
export function parseGeckoFrame(line: string): ParsedFrame | undefined {
  const at = line.indexOf("@");
  const name = at < 0 ? "" : line.slice(0, at);
  const text = line.slice(at + 1);
  const called = name === "" || name === "global code" || name === "anonymous" ? null : name;
  if (text === "[native code]") return { dialect: "gecko", function: called, ...noSourceLocation };
  const evaluated = text.indexOf(" > eval");
  const by = evaluated < 0 ? -1 : text.lastIndexOf(" line ", evaluated);
  const place = by < 0 ? parseSourceLocation(text) : parseGeckoEvalCaller(text, by);
  if (place.line === null || place.file === null || !isScriptAddress(place.file, at >= 0)) return undefined;
  return { dialect: "gecko", function: called, ...place };
}

function parseGeckoEvalCaller(text: string, by: number): SourceLocation {
  const line = Number.parseInt(text.slice(by + 6), 10);
  return { file: text.slice(0, by), line: Number.isNaN(line) ? null : line, column: null };
}

/**
 * Whether this is the file of a frame. Without a name and @ before it, only a URL is accepted, because the rest could be
 * prose.
 */
function isScriptAddress(file: string, named: boolean): boolean {
  if (file.includes("://")) return !file.slice(0, file.indexOf("://")).includes(" ");
  return named && (file.includes("/") || file.includes("\\") || file.endsWith(".js"));
}

// .NET, Mono, IL2CPP and Unity's log. Their frames have the same form up to the parameters, and differ in what follows.

/** With `allowsBare`, also accepts a line without "at" and without a location. Such a line could be prose. */
export function parseDotnetFrame(line: string, allowsBare: boolean): ParsedFrame | undefined {
  const startsWithAt = line.startsWith("at ");
  let rest = startsWithAt ? line.slice(3) : line;
  if (rest.startsWith("(wrapper ")) rest = rest.slice(rest.indexOf(")") + 1).trimStart();
  const open = rest.indexOf("(");
  const name = rest.slice(0, open).trimEnd();
  if (open <= 0 || !isDotnetMethodName(name, startsWithAt)) return undefined;
  const close = closingParenthesis(rest, open);
  if (close < 0) return undefined;
  const isMoveNext = rest.startsWith("+MoveNext()", close + 1);
  const tail = rest.slice(close + 1 + (isMoveNext ? "+MoveNext()".length : 0)).trim();
  const hasSpaceBeforeParameters = rest[open - 1] === " ";
  const read = parseDotnetTail(tail, hasSpaceBeforeParameters);
  if (
    read === undefined ||
    (!startsWithAt && (!hasSpaceBeforeParameters || (read.location === noSourceLocation && !allowsBare)))
  )
    return undefined;
  return { dialect: startsWithAt ? read.dialect : "unity", function: name, ...read.location };
}

function parseDotnetTail(
  tail: string,
  hasSpaceBeforeParameters: boolean,
): { dialect: ParsedFrame["dialect"]; location: SourceLocation } | undefined {
  if (tail === "") return { dialect: hasSpaceBeforeParameters ? "il2cpp" : "dotnet", location: noSourceLocation };
  if (tail.startsWith("(at ") && tail.endsWith(")"))
    return { dialect: "unity", location: parseDotnetLocation(tail.slice(4, -1)) };
  const offset = tail.startsWith("[0x");
  const within = tail.indexOf("in ");
  if (within < 0 || (!offset && within > 0))
    return offset ? { dialect: "mono", location: noSourceLocation } : undefined;
  const where = tail.slice(within + 3);
  if (offset && where.startsWith("<0000000000")) return { dialect: "il2cpp", location: noSourceLocation };
  return { dialect: offset || where.startsWith("<") ? "mono" : "dotnet", location: parseDotnetLocation(where) };
}

/** Parses `path:line 12` (.NET), `path:12` (Mono) or `<module id>:0` (without symbols). */
function parseDotnetLocation(text: string): SourceLocation {
  if (text.startsWith("<")) return noSourceLocation;
  const word = text.lastIndexOf(":line ");
  return parseSourceLocation(word < 0 ? text : `${text.slice(0, word)}:${text.slice(word + 6)}`);
}

function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/**
 * Whether this is the name of a method: one word with a dot or colon, such as `Ns.Type.Method`; after "at", any single word.
 */
function isDotnetMethodName(name: string, startsWithAt: boolean): boolean {
  const hasPlainSpace = name.includes(" ") && !name.includes("[") && !name.includes("<");
  return !hasPlainSpace && (startsWithAt || name.includes(".") || name.includes(":")) && !name.includes("://");
}

// GDScript: lines of a backtrace, the output of `print_stack()`, and the result of `get_stack()` as text.

export function parseGdscriptFrame(line: string): ParsedFrame | undefined {
  if (line.startsWith("[")) return parseGdscriptBacktraceLine(line);
  if (line.startsWith("at: ")) return parseGdscriptCall(line.slice(4));
  if (line.startsWith("At: ")) return parseGdscriptLocationFirst(line.slice(4));
  if (line.startsWith("Frame ")) return parseGdscriptPrintedFrame(line);
  return undefined;
}

/** Parses `[0] f (res://x.gd:12)`, a line of a backtrace. */
function parseGdscriptBacktraceLine(line: string): ParsedFrame | undefined {
  const end = line.indexOf("] ");
  return end > 1 && end < 6 && !Number.isNaN(Number(line.slice(1, end)))
    ? parseGdscriptCall(line.slice(end + 2))
    : undefined;
}

/** Parses `f (res://x.gd:12)`. A function of the engine looks the same, with a C++ file. */
function parseGdscriptCall(text: string): ParsedFrame | undefined {
  const open = text.indexOf(" (");
  if (open < 0 || !text.endsWith(")")) return undefined;
  return createGdscriptFrame(text.slice(0, open), text.slice(open + 2, -1));
}

/** Parses `res://x.gd:12:f()`. */
function parseGdscriptLocationFirst(text: string): ParsedFrame | undefined {
  const name = text.lastIndexOf(":");
  return text.endsWith("()") ? createGdscriptFrame(text.slice(name + 1, -2), text.slice(0, name)) : undefined;
}

/** Parses `Frame 0 - res://x.gd:12 in function 'f'`. */
function parseGdscriptPrintedFrame(line: string): ParsedFrame | undefined {
  const start = line.indexOf(" - ");
  const within = line.indexOf(" in function '");
  if (start < 0 || within < start) return undefined;
  return createGdscriptFrame(line.slice(within + 14, -1), line.slice(start + 3, within));
}

function createGdscriptFrame(name: string, place: string): ParsedFrame | undefined {
  const { file, line } = parseSourceLocation(place);
  if (line === null) return undefined;
  return { dialect: "gdscript", function: gdscriptFunctionName(name), file, line, column: null };
}

const gdscriptFunctionName = (name: string) => (name === "<anonymous lambda>" || name === "" ? null : name);

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
  const called = gdscriptFunctionName(name);
  return { dialect: "gdscript", function: called, file: source, line: Number.isNaN(line) ? null : line, column: null };
}

function stringMember(text: string, key: string): string | undefined {
  const from = text.indexOf(key);
  const open = from < 0 ? -1 : text.indexOf('"', from + key.length);
  const close = open < 0 ? -1 : text.indexOf('"', open + 1);
  return close < 0 ? undefined : text.slice(open + 1, close);
}

// GameMaker: an exception's stacktrace, its longMessage, or debug_get_callstack() as text.

const isGmlNamePart = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 64;

/** Yields every `gml_Object_o_Step_0 (line 12)` and `gml_Script_f:12` in a line. */
export function* parseGmlFrames(line: string): Generator<ParsedFrame> {
  for (let start = line.indexOf("gml_"); start >= 0; ) {
    let end = start + 4;
    while (end < line.length && isGmlNamePart(line.charCodeAt(end))) end += 1;
    const number = parseGmlLineNumber(line, end);
    if (number !== undefined) {
      // A compiled game without debug information says line -1.
      yield {
        dialect: "gml",
        function: line.slice(start, end),
        file: null,
        line: number < 0 ? null : number,
        column: null,
      };
    }
    start = line.indexOf("gml_", end);
  }
}

function parseGmlLineNumber(line: string, end: number): number | undefined {
  const from = [" (line ", ":"].find((before) => line.startsWith(before, end));
  if (from === undefined) return undefined;
  const number = Number.parseInt(line.slice(end + from.length, end + from.length + 10), 10);
  return Number.isNaN(number) ? undefined : number;
}
