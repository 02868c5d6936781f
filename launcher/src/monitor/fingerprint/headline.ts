// Reads the headline of a report: makes the title of its issue, and gives equivalent messages of different engines one
// wording, so that an error of a web game is one issue in every browser. Searches for fixed strings only, so the time is
// linear.
import type { ParsedStack, StackDialect } from "../stack/stack.ts";

const decorations = ["Uncaught (in promise) ", "Uncaught ", "SCRIPT ERROR: ", "ERROR: ", "Unhandled exception. "];

/** Removes what engines and browsers write before and around the message of an error. */
function stripDecoration(headline: string): string {
  const copied = stripEventBanner(stripGameMakerBanner(headline)).trim();
  const text = copied.slice(consolePosition.exec(copied)?.[0].length ?? 0);
  const before = decorations.find((words) => text.startsWith(words)) ?? "";
  return text.slice(before.length);
}

/** A console writes `rmmz_managers.js:2030 ` before an error that was copied from it. */
const consolePosition = /^[\w%.-]{1,200}\.[cm]?js:\d{1,9}(?::\d{1,9})? /;

const titleCharsMax = 200;

/** Returns the title of an issue: the first line of the message, with the type of the error. */
export function issueTitleOf({ headline }: ParsedStack): string {
  const text = stripDecoration(headline).trim();
  const end = text.indexOf("\n");
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax - 1).toWellFormed()}…` : line;
}

/** Returns the message in its shared wording, without the error's type. */
export function canonicalMessage(headline: string, dialect: StackDialect): string {
  const text = stripDecoration(headline);
  const type = text.indexOf(": ");
  const words = type > 0 && type < 120 && isErrorType(text.slice(0, type).trimEnd()) ? text.slice(type + 2) : text;
  if (dialect === "gml") return withoutMinifiedNames(words.trim());
  const said = unifyWording(words.trim());
  return dotnetDialects.has(dialect) && /\p{L}$/u.test(said) ? `${said}.` : said;
}

/** In .NET the messages of the runtime end with a full stop, and in Mono some do not. */
const dotnetDialects: ReadonlySet<StackDialect> = new Set(["dotnet", "mono", "unity", "il2cpp"]);

/** Firefox names the variable, which each HTML5 export of GameMaker calls differently, such as `_Oy`. */
const withoutMinifiedNames = (text: string) => text.replaceAll(/(?<![\w$])_[\w$]{1,3}(?![\w$])/g, "_");

function isErrorType(name: string): boolean {
  return (name.endsWith("Error") || name.endsWith("Exception")) && !name.includes(" ");
}

/** Removes `ERROR in action number 1 of Step Event0 for object obj_player:` and the lines of # around it. */
function stripGameMakerBanner(text: string): string {
  const from = text.indexOf("####");
  if (from < 0 || text.indexOf("ERROR in", from) < 0) return text;
  const object = text.indexOf("for object", from);
  const start = text.indexOf("\n", object < 0 ? from : object);
  const end = text.indexOf("####", start);
  return start < 0 ? text : text.slice(start, end < 0 ? undefined : end);
}

/** Removes what Windows writes into an event before the exception: `Application: x.exe`, versions, `Exception Info: `. */
function stripEventBanner(text: string): string {
  const info = text.startsWith("Application: ") ? text.indexOf("\nException Info: ") : -1;
  return info < 0 ? text : text.slice(info + "\nException Info: ".length);
}

type Wording = (text: string) => string | undefined;

const between = (text: string, before: string, after: string): string | undefined => {
  const from = text.indexOf(before);
  const end = from < 0 ? -1 : text.indexOf(after, from + before.length);
  return end < 0 ? undefined : text.slice(from + before.length, end);
};

const accessOfNothing = (property: string, nothing: string) => `Cannot access property '${property}' of ${nothing}`;
const nullOrUndefined = (text: string) => (text.includes("null") ? "null" : "undefined");

const v8AccessOfNothing: Wording = (text) => {
  if (!text.startsWith("Cannot read propert") && !text.startsWith("Cannot set propert")) return;
  const property =
    between(text, "(reading '", "')") ?? between(text, "(setting '", "')") ?? between(text, "property '", "' of");
  return property === undefined ? undefined : accessOfNothing(property, nullOrUndefined(text.replace(property, "")));
};

const firefoxAccessOfNothing: Wording = (text) => {
  if (!text.startsWith("can't access property ")) return;
  const property = between(text, 'property "', '"');
  return property === undefined ? undefined : accessOfNothing(property, nullOrUndefined(text.slice(-10)));
};

const safariAccessOfNothing: Wording = (text) => {
  const is = text.indexOf(" is not an object (evaluating '");
  if (is < 0 || is > 10) return;
  const code = between(text, "(evaluating '", "')");
  return code === undefined
    ? undefined
    : accessOfNothing(lastMember(code.split(" = ")[0] as string), text.slice(0, is));
};

/** Returns `finish` for `log.active.finish(quest)`. */
function lastMember(code: string): string {
  const call = code.endsWith(")") ? code.slice(0, code.lastIndexOf("(")) : code;
  return call.slice(call.lastIndexOf(".") + 1);
}

const notAFunction: Wording = (text) => {
  const is = text.indexOf(" is not a function");
  return is < 0 || is > 200 ? undefined : `${lastMember(text.slice(0, is))} is not a function`;
};

const undefinedName: Wording = (text) =>
  text.startsWith("Can't find variable: ") ? `${text.slice("Can't find variable: ".length)} is not defined` : undefined;

const notIterable: Wording = (text) => {
  const is = text.indexOf(" is not iterable");
  const inSafari = text.includes("Spread syntax requires ...iterable") || isSafariIterationError(text);
  return (is >= 0 && is < 200) || inSafari ? "is not iterable" : undefined;
};

/** Recognises `undefined is not a function (near '...item of list...')`. */
const isSafariIterationError = (text: string) =>
  between(text, " is not a function (near '", "')")?.includes(" of ") ?? false;

const invalidJson: Wording = (text) => {
  const says = [" in JSON at position", "is not valid JSON", "of the JSON data", "JSON Parse error:", "JSON input"];
  return says.some((words) => text.includes(words)) ? "JSON text is not valid" : undefined;
};

const equivalents: readonly (readonly [start: string, wording: string])[] = [
  ["too much recursion", "Maximum call stack size exceeded"],
  ["Maximum call stack size exceeded", "Maximum call stack size exceeded"],
  ["invalid array length", "Invalid array length"],
  ["Array size is not a small enough positive integer", "Invalid array length"],
  ["Array length must be a positive integer", "Invalid array length"],
];
const equivalent: Wording = (text) => equivalents.find(([start]) => text.startsWith(start))?.[1];

/** .NET names the parameter inside the sentence. Mono names it on a line below. */
const monoParameterName: Wording = (text) => {
  const at = text.indexOf("\nParameter name: ");
  return at < 0 ? undefined : `${text.slice(0, at).trimEnd()} (Parameter '${text.slice(at + 17).trim()}')`;
};

const wordings = [
  v8AccessOfNothing,
  firefoxAccessOfNothing,
  safariAccessOfNothing,
  notIterable,
  notAFunction,
  undefinedName,
  invalidJson,
  equivalent,
  monoParameterName,
];

function unifyWording(text: string): string {
  for (const wording of wordings) {
    const said = wording(text);
    if (said !== undefined) return said;
  }
  return text;
}
