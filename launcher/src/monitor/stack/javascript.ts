// Reads frames of JavaScript engines: V8 (NW.js, Chromium), SpiderMonkey (Firefox) and JavaScriptCore (Safari).
import { type Location, locationOf, nowhere, type Reading } from "./frame.ts";

/** `at f (url:1:2)`, `at async f (…)`, `at url:1:2`, `at eval (eval at f (url:1:2), <anonymous>:1:1)`. */
export function v8Frame(line: string): Reading | undefined {
  if (!line.startsWith("at ")) return undefined;
  let rest = line.slice(3);
  if (rest.startsWith("async ")) rest = rest.slice(6);
  // The first one: function names hold no parenthesis, folders may.
  const open = rest.endsWith(")") ? rest.indexOf(" (") : -1;
  if (open < 0) return frame(null, placeOf(rest));
  return frame(rest.slice(0, open), placeOf(rest.slice(open + 2, -1)));
}

function frame(name: string | null, place: Location | undefined): Reading | undefined {
  return place && { dialect: "v8", function: name === "<anonymous>" ? null : name, ...place };
}

function placeOf(text: string): Location | undefined {
  if (text === "<anonymous>" || text === "native" || text.startsWith("index ")) return nowhere;
  if (text.startsWith("eval at ")) return evaluatedIn(text);
  const place = locationOf(text);
  return place.column === null ? undefined : place;
}

/** Code given to eval has no file of its own; the place that called eval is the one a developer can open. */
function evaluatedIn(text: string): Location {
  const end = text.indexOf("), <anonymous>");
  const start = text.lastIndexOf(" (", end < 0 ? text.length : end);
  return start < 0 || end < 0 ? nowhere : locationOf(text.slice(start + 2, end));
}

/** `f@url:1:2`, `@url:1:2`, `f@[native code]`, `f@url line 3 > eval:1:1`; Safari leaves the @ out for anonymous code. */
export function geckoFrame(line: string): Reading | undefined {
  const at = line.indexOf("@");
  const name = at < 0 ? "" : line.slice(0, at);
  const text = line.slice(at + 1);
  const called = name === "" || name === "global code" || name === "anonymous" ? null : name;
  if (text === "[native code]") return { dialect: "gecko", function: called, ...nowhere };
  const evaluated = text.indexOf(" > eval");
  const by = evaluated < 0 ? -1 : text.lastIndexOf(" line ", evaluated);
  const place = by < 0 ? locationOf(text) : evalCaller(text, by);
  if (place.line === null || place.file === null || !isAddress(place.file, at >= 0)) return undefined;
  return { dialect: "gecko", function: called, ...place };
}

function evalCaller(text: string, by: number): Location {
  const line = Number.parseInt(text.slice(by + 6), 10);
  return { file: text.slice(0, by), line: Number.isNaN(line) ? null : line, column: null };
}

/** Without an @ only a URL is sure to be no prose. */
function isAddress(file: string, named: boolean): boolean {
  if (file.includes("://")) return !file.slice(0, file.indexOf("://")).includes(" ");
  return named && (file.includes("/") || file.includes("\\") || file.endsWith(".js"));
}
