// Parses frames of GameMaker: an exception's stacktrace, its longMessage, debug_get_callstack() as text, and what each of its
// runtimes prints.
import type { ParsedFrame } from "./frame.ts";

const isNamePart = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 64;

function endOfName(line: string, from: number): number {
  let end = from;
  while (end < line.length && isNamePart(line.charCodeAt(end))) end += 1;
  return end;
}

const createFrame = (name: string | null, file: string | null, line: number | null): ParsedFrame => ({
  dialect: "gml",
  function: name,
  file,
  line,
  column: null,
});

/** With `isStack`, also reads names without a line. */
export const parseGmlFrames = (line: string, isStack: boolean): Generator<ParsedFrame> =>
  line.includes(".gml (") ? parseRuntimeFrames(line) : parseNamedFrames(line, isStack);

/** Yields every `gml_Object_o_Step_0 (line 12)`, `gml_Script_f:12`, and, of a name without a line, the whole item. */
function* parseNamedFrames(line: string, isStack: boolean): Generator<ParsedFrame> {
  for (let start = line.indexOf("gml_"); start >= 0; ) {
    const end = endOfName(line, start + 4);
    const number = parseLineNumber(line, end);
    const isItem = isStack && isItemEdge(line[start - 1]) && isItemEdge(line[end]);
    // A compiled game without debug information says line -1.
    if (number !== undefined || isItem)
      yield createFrame(line.slice(start, end), null, number === undefined || number < 0 ? null : number);
    start = line.indexOf("gml_", end);
  }
}

const isItemEdge = (letter: string | undefined) => letter === undefined || letter === '"';

function parseLineNumber(line: string, end: number): number | undefined {
  const from = [" (line ", ":"].find((before) => line.startsWith(before, end));
  if (from === undefined) return undefined;
  const number = Number.parseInt(line.slice(end + from.length, end + from.length + 10), 10);
  return Number.isNaN(number) ? undefined : number;
}

/** Parses `function gml_Object_o_Step_0([instance], [instance])`, as the console of an HTML5 game lists its calls. */
export function parseGmlConsoleCall(line: string): ParsedFrame | undefined {
  const open = line.startsWith("function ") && line.endsWith(")") ? line.indexOf("(") : -1;
  const name = line.slice("function ".length, Math.max(open, 0)).trim();
  return open < 0 || name.includes(" ") ? undefined : createFrame(name === "" ? null : name, null, null);
}

/**
 * Yields every `C:\…\objects\o\Step_0.gml (12): Game__objects_x2F_o_x2F_Step_0` of the new runtime (GMRT). Compiled ahead of
 * time, names begin with `gm_aot_MOD_<module>_FUNC__`.
 */
function* parseRuntimeFrames(line: string): Generator<ParsedFrame> {
  for (let at = line.indexOf(".gml ("), from = 0; at >= 0; ) {
    const number = Number.parseInt(line.slice(at + 6, at + 16), 10);
    const close = line.indexOf("): ", at);
    if (close < 0) return;
    const end = endOfName(line, close + 3);
    const start = Math.max(from, line.slice(from, at).lastIndexOf('"') + from + 1);
    const file = line
      .slice(start, at + 4)
      .trim()
      .replaceAll("\\\\", "\\");
    if (!Number.isNaN(number) && end > close + 3)
      yield createFrame(runtimeName(line.slice(close + 3, end), gmlModuleOf(file)), file, number);
    from = end;
    at = line.indexOf(".gml (", end);
  }
}

/** Returns the module of a source file as the runtime names it: its path below the project, such as `objects/o/Step_0`. */
export const gmlModuleOf = (file: string): string =>
  file
    .replace(/\.gml$/, "")
    .split(/[\\/]+/)
    .slice(-3)
    .join("/");

/** Returns the function's own name, or the module if the code is an event's. */
function runtimeName(name: string, module: string): string {
  const decoded = name.replaceAll("_x2F_", "/");
  const own = decoded.indexOf("_FUNC__");
  const called = own < 0 ? decoded : decoded.slice(own + "_FUNC__".length);
  const at = called.lastIndexOf(module);
  if (at < 0) return called;
  // An anonymous function, `anon@12@Game__objects/o/Create_0`, is not the event that it is in.
  const inside = called.slice(0, called.lastIndexOf("@", at) + 1);
  return called.slice(at + module.length).replace(/^_+/, "") || inside + module;
}
