// Brings messages of engines that say the same in other words to one wording, so that a web game's error is one issue in
// every browser, and strips what engines put around a message. Searches fixed strings only.

const surroundings = ["Uncaught (in promise) ", "Uncaught ", "SCRIPT ERROR: ", "ERROR: ", "Unhandled exception. "];

/** Without what engines and browsers put before and around an error. */
export function withoutSurroundings(headline: string): string {
  const text = gamemakers(headline).trim();
  const before = surroundings.find((words) => text.startsWith(words));
  return before === undefined ? text : text.slice(before.length);
}

/** The error's own words, without its type. */
export function ownWords(headline: string): string {
  const text = withoutSurroundings(headline);
  const type = text.indexOf(": ");
  const words = type > 0 && type < 120 && isErrorType(text.slice(0, type)) ? text.slice(type + 2) : text;
  return oneWording(words.trim());
}

function isErrorType(name: string): boolean {
  return (name.endsWith("Error") || name.endsWith("Exception")) && !name.includes(" ");
}

/** `ERROR in action number 1 of Step Event0 for object obj_player:` and the rules above and below it. */
function gamemakers(text: string): string {
  const from = text.indexOf("####");
  if (from < 0 || text.indexOf("ERROR in", from) < 0) return text;
  const object = text.indexOf("for object", from);
  const start = text.indexOf("\n", object < 0 ? from : object);
  const end = text.indexOf("####", start);
  return start < 0 ? text : text.slice(start, end < 0 ? undefined : end);
}

type Wording = (text: string) => string | undefined;

const between = (text: string, before: string, after: string): string | undefined => {
  const from = text.indexOf(before);
  const end = from < 0 ? -1 : text.indexOf(after, from + before.length);
  return end < 0 ? undefined : text.slice(from + before.length, end);
};

const ofNothing = (property: string, nothing: string) => `Cannot access property '${property}' of ${nothing}`;
const nothingIn = (text: string) => (text.includes("null") ? "null" : "undefined");

const v8Nothing: Wording = (text) => {
  if (!text.startsWith("Cannot read propert") && !text.startsWith("Cannot set propert")) return;
  const property =
    between(text, "(reading '", "')") ?? between(text, "(setting '", "')") ?? between(text, "property '", "' of");
  return property === undefined ? undefined : ofNothing(property, nothingIn(text.replace(property, "")));
};

const firefoxNothing: Wording = (text) => {
  if (!text.startsWith("can't access property ")) return;
  const property = between(text, 'property "', '"');
  return property === undefined ? undefined : ofNothing(property, nothingIn(text.slice(-10)));
};

const safariNothing: Wording = (text) => {
  const is = text.indexOf(" is not an object (evaluating '");
  if (is < 0 || is > 10) return;
  const code = between(text, "(evaluating '", "')");
  return code === undefined ? undefined : ofNothing(lastMember(code.split(" = ")[0] as string), text.slice(0, is));
};

/** `finish` of `log.active.finish(quest)`. */
function lastMember(code: string): string {
  const call = code.endsWith(")") ? code.slice(0, code.lastIndexOf("(")) : code;
  return call.slice(call.lastIndexOf(".") + 1);
}

const notFunction: Wording = (text) => {
  const is = text.indexOf(" is not a function");
  return is < 0 || is > 200 ? undefined : `${lastMember(text.slice(0, is))} is not a function`;
};

const undefinedName: Wording = (text) =>
  text.startsWith("Can't find variable: ") ? `${text.slice("Can't find variable: ".length)} is not defined` : undefined;

const iterable: Wording = (text) => {
  const is = text.indexOf(" is not iterable");
  const inSafari = text.includes("Spread syntax requires ...iterable") || isSafarisLoop(text);
  return (is >= 0 && is < 200) || inSafari ? "is not iterable" : undefined;
};

/** `undefined is not a function (near '...item of list...')`. */
const isSafarisLoop = (text: string) => between(text, " is not a function (near '", "')")?.includes(" of ") ?? false;

const badJson: Wording = (text) => {
  const says = [" in JSON at position", "is not valid JSON", "of the JSON data", "JSON Parse error:", "JSON input"];
  return says.some((words) => text.includes(words)) ? "JSON text is not valid" : undefined;
};

const same: readonly (readonly [start: string, wording: string])[] = [
  ["too much recursion", "Maximum call stack size exceeded"],
  ["Maximum call stack size exceeded", "Maximum call stack size exceeded"],
  ["invalid array length", "Invalid array length"],
  ["Array size is not a small enough positive integer", "Invalid array length"],
  ["Array length must be a positive integer", "Invalid array length"],
];
const sameWords: Wording = (text) => same.find(([start]) => text.startsWith(start))?.[1];

/** .NET names the parameter in the sentence, Mono in a line below it. */
const parameter: Wording = (text) => {
  const at = text.indexOf("\nParameter name: ");
  return at < 0 ? undefined : `${text.slice(0, at).trimEnd()} (Parameter '${text.slice(at + 17).trim()}')`;
};

const wordings = [
  v8Nothing,
  firefoxNothing,
  safariNothing,
  iterable,
  notFunction,
  undefinedName,
  badJson,
  sameWords,
  parameter,
];

function oneWording(text: string): string {
  for (const wording of wordings) {
    const said = wording(text);
    if (said !== undefined) return said;
  }
  return text;
}
