// Parses frames of JavaScript engines: V8 (NW.js, Chromium), SpiderMonkey (Firefox) and JavaScriptCore (Safari).
import { noSourceLocation, type ParsedFrame, parseSourceLocation, type SourceLocation } from "./frame.ts";
import { isRpgMakerScript, scriptCallName } from "./owner.ts";

/**
 * Parses `at f (url:1:2)`, `at async f (…)`, `at url:1:2`, `at eval (eval at f (url:1:2), <anonymous>:1:1)` and the short
 * `at f (x.js:1)` of a console.
 */
export function parseV8Frame(line: string): ParsedFrame | undefined {
  if (!line.startsWith("at ")) return undefined;
  let rest = line.slice(3);
  if (rest.startsWith("async ")) rest = rest.slice(6);
  // The first parenthesis ends the name: the path behind it may contain further ones, but the name contains none.
  const open = rest.endsWith(")") ? rest.indexOf(" (") : -1;
  const name = open < 0 ? null : rest.slice(0, open);
  const text = open < 0 ? rest : rest.slice(open + 2, -1);
  if (text.startsWith("eval at ")) return evaluatedFrame("v8", name, parseV8EvalLocation(text));
  const place = parseV8Location(text);
  return place && scriptFrame("v8", name, place);
}

function scriptFrame(dialect: "v8" | "gecko", name: string | null, place: SourceLocation): ParsedFrame {
  const called = name === "<anonymous>" || name === "" ? null : name;
  // In an HTML5 game of GameMaker, only the functions with a GML name were written by its developer.
  return { dialect: called?.startsWith("gml_") ? "gml" : dialect, function: called, ...place };
}

/** `place` is where the code was evaluated. */
function evaluatedFrame(dialect: "v8" | "gecko", name: string | null, place: SourceLocation): ParsedFrame {
  const isNamed = name !== null && !/^(?:<anonymous>|(?:[\w$]+\.)*eval(?: \[as .*)?)$/.test(name);
  if (place.file === null || !isRpgMakerScript(place.file)) return scriptFrame(dialect, name, place);
  return { dialect, function: isNamed ? name : scriptCallName, ...noSourceLocation };
}

function parseV8Location(text: string): SourceLocation | undefined {
  if (text === "<anonymous>" || text === "native" || text.startsWith("index ")) return noSourceLocation;
  const wasm = parseWasmLocation(text);
  if (wasm) return wasm;
  const place = parseSourceLocation(text);
  return place.column !== null || isScriptLine(place) ? place : undefined;
}

/** Whether this is a line of a script, in the short form that consoles show: `HalfMoon.js:12`. */
const isScriptLine = ({ file, line }: SourceLocation) =>
  line !== null && file !== null && !file.includes("(") && /\.[cm]?[jt]s$/.test(file);

/** Parses `url:wasm-function[12]:0x3f` and `x.wasm:0x3f`. The numbers change with each build. */
function parseWasmLocation(text: string): SourceLocation | undefined {
  const named = text.indexOf(":wasm-function[");
  const from = named < 0 && /\.wasm:0x[\da-f]+$/.test(text) ? text.lastIndexOf(":") : named;
  return from < 0 ? undefined : { file: text.slice(0, from), line: null, column: null };
}

/**
 * Returns where `eval` was called, because the code that it runs is in no file that a developer could open. Webpack calls it
 * from a function with the name of the file, such as `./src/boss.ts`.
 */
function parseV8EvalLocation(text: string): SourceLocation {
  const end = text.indexOf("), <anonymous>");
  const start = text.lastIndexOf(" (", end < 0 ? text.length : end);
  const by = text.slice("eval at ".length, Math.max(start, 0));
  if (by.startsWith("./") && end >= 0) return { ...parseSourceLocation(text.slice(end + 3)), file: by };
  return start < 0 || end < 0 ? noSourceLocation : parseSourceLocation(text.slice(start + 2, end));
}

/**
 * Parses `f@url:1:2`, `@url:1:2`, `f@[native code]`, `f@url line 3 > eval:1:1` and the short `f x.js:1:2` of a console. Safari
 * omits the @ for anonymous code.
 */
export function parseGeckoFrame(line: string): ParsedFrame | undefined {
  const at = line.indexOf("@");
  const name = at < 0 ? "" : line.slice(0, at);
  const text = line.slice(at + 1);
  const called = /^(?:|(?:global|module|eval) code|anonymous)$/.test(name) ? null : name;
  if (text === "[native code]") return scriptFrame("gecko", called, noSourceLocation);
  const evaluated = text.indexOf(" > eval");
  const by = evaluated < 0 ? -1 : text.lastIndexOf(" line ", evaluated);
  if (by >= 0) {
    const place = parseGeckoEvalCaller(text, by);
    return isScriptAddress(place.file ?? "", at >= 0) ? evaluatedFrame("gecko", called, place) : undefined;
  }
  const wasm = parseWasmLocation(text);
  if (wasm) return scriptFrame("gecko", called, wasm);
  const place = parseSourceLocation(text);
  if (place.line === null || place.file === null) return undefined;
  if (isScriptAddress(place.file, at >= 0)) return scriptFrame("gecko", called, place);
  return at < 0 ? parseGeckoConsoleFrame(place) : undefined;
}

/** Parses `f x.js:1:2`: two words, the second of which is a line of a script. `place.file` has both words. */
function parseGeckoConsoleFrame(place: SourceLocation): ParsedFrame | undefined {
  const words = place.file?.split(/\s+/, 3) ?? [];
  const [name = "", file = ""] = words;
  const read = { ...place, file };
  return words.length === 2 && isScriptLine(read) && !name.endsWith(":") ? scriptFrame("gecko", name, read) : undefined;
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
