// Parses frames of JavaScript engines: V8 (NW.js, Chromium), SpiderMonkey (Firefox) and JavaScriptCore (Safari).
import { noSourceLocation, type ParsedFrame, parseSourceLocation, type SourceLocation } from "./frame.ts";

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
  if (text.startsWith("eval at ")) return parseEvalLocation(text);
  const place = parseSourceLocation(text);
  return place.column === null ? undefined : place;
}

/** Returns where `eval` was called, because the code that it runs is in no file that a developer could open. */
function parseEvalLocation(text: string): SourceLocation {
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
  const place = by < 0 ? parseSourceLocation(text) : parseEvalCaller(text, by);
  if (place.line === null || place.file === null || !isScriptAddress(place.file, at >= 0)) return undefined;
  return { dialect: "gecko", function: called, ...place };
}

function parseEvalCaller(text: string, by: number): SourceLocation {
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
