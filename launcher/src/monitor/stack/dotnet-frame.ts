// Parses frames of .NET, Mono, IL2CPP and Unity's log. They have the same form up to the parameters, and differ in what follows.
import {
  closingParenthesis,
  noSourceLocation,
  type ParsedFrame,
  parseSourceLocation,
  type SourceLocation,
  trailingDigitsStart,
} from "./frame.ts";

/** Whether text is a word of a sentence, in any script, such as `at`, `bei`, `konum:` or `行号`. */
const isWord = (text: string) => /^[\p{L}\p{M}]{1,16}[:.]?$/u.test(text);

/**
 * Parses `at Ns.Type.Method (Parameter) …` in each of its forms, also without parameters, as Mono's crash handler writes it.
 * With `isStack`, also accepts a line without "at" and without a location. Such a line could be prose. .NET translates "at",
 * "in" and "line", so any word is read in their places, if the rest has the form of a frame.
 */
export function parseDotnetFrame(line: string, isStack: boolean): ParsedFrame | undefined {
  const startsWithAt = line.startsWith("at ");
  let rest = startsWithAt ? line.slice(3) : line;
  const wrapper = rest.startsWith("(wrapper ") ? rest.slice(0, rest.indexOf(")") + 1) : "";
  rest = rest.slice(wrapper.length).trimStart();
  const crashed = startsWithAt ? /^(\S{1,400}) <0x[\da-f]{1,16}>$/.exec(rest)?.[1] : undefined;
  if (crashed !== undefined && isMethodName(crashed))
    return { dialect: "mono", function: crashed, ...noSourceLocation };
  const open = rest.indexOf("(");
  const close = open <= 0 ? -1 : closingParenthesis(rest, open);
  if (close < 0) return undefined;
  const name = rest.slice(0, open).trimEnd();
  const parameters = rest.slice(open + 1, close);
  const isMoveNext = rest.startsWith("+MoveNext()", close + 1);
  const tail = rest.slice(close + 1 + (isMoveNext ? "+MoveNext()".length : 0)).trim();
  if (!startsWithAt && name.includes(" ")) return parseTranslatedFrame(name, parameters, tail, isStack);
  const hasSpaceBeforeParameters = rest[open - 1] === " ";
  const read = isMethodName(name) ? parseTail(tail, hasSpaceBeforeParameters) : undefined;
  if (read === undefined) return undefined;
  // Older versions of Unity write `Type:Method(Parameter)`.
  const isUnity = hasSpaceBeforeParameters || wrapper !== "" || /^[^:]+:[^:]+$/.test(name);
  const isBare = read.location === noSourceLocation && !isStack;
  if (!startsWithAt && (!isUnity || isBare)) return undefined;
  const inJava = parseJavaPlace(name, parameters);
  if (inJava) return inJava;
  const isPatched = wrapper.includes("dynamic-method") || /^[^,]* (?:__)?this(?:,|$)/.test(parameters);
  const method = isPatched || isDetour(name) ? patchedMethodName(name) : name;
  return { dialect: startsWithAt ? read.dialect : "unity", function: method, ...read.location };
}

/**
 * Parses what Java writes in parentheses: `X.java:12`, `Native Method`, `Unknown Source:4`. A C# method has the same form in the
 * exception that .NET for Android throws in Java, and its namespace begins with a capital, which no package of Java does.
 */
function parseJavaPlace(name: string, place: string): ParsedFrame | undefined {
  const isUnknown = /^Unknown Source(?::\d{1,9})?$/.test(place);
  if (/^[\w$-]+\.cs:\d{1,9}$/.test(place) || (isUnknown && /^[A-Z][a-z]\w+\./.test(name)))
    return { dialect: "dotnet", function: name, ...(isUnknown ? noSourceLocation : parseSourceLocation(place)) };
  const isJava = isUnknown || place === "Native Method" || /^[\w$-]+\.(?:java|kt)(?::\d{1,9})?$/.test(place);
  return isJava ? { dialect: "native", function: name, ...parseSourceLocation(place) } : undefined;
}

/** Parses `bei Ns.Type.Method(Type name) in C:\x.cs:Zeile 12.` `name` includes the word before the method. */
function parseTranslatedFrame(
  name: string,
  parameters: string,
  tail: string,
  isStack: boolean,
): ParsedFrame | undefined {
  const space = name.lastIndexOf(" ");
  const method = name.slice(space + 1);
  if (space > 40 || !name.slice(0, space).split(" ").every(isWord) || !isMethodName(method)) return undefined;
  const location = parseTranslatedTail(tail);
  const isCode = parameters === "" || parameters.split(", ").every((one) => one.includes(" "));
  if (location === undefined || !isCode || (location === noSourceLocation && !isStack)) return undefined;
  return { dialect: "dotnet", function: isDetour(method) ? patchedMethodName(method) : method, ...location };
}

/** Parses `dans C:\x.cs:ligne 12`. A stack without symbols has no location. */
function parseTranslatedTail(tail: string): SourceLocation | undefined {
  if (tail === "") return noSourceLocation;
  const space = tail.indexOf(" ");
  if (space < 0 || !isWord(tail.slice(0, space))) return undefined;
  const location = parseLocation(tail.slice(space + 1));
  return location.line === null ? undefined : location;
}

/** `+ 0x2b` is the position in a method that was compiled ahead of time. */
function parseTail(
  written: string,
  hasSpaceBeforeParameters: boolean,
): { dialect: ParsedFrame["dialect"]; location: SourceLocation } | undefined {
  const tail = written.replace(/^\+ 0x[\da-f]{1,16} ?/, "");
  if (tail === "") return { dialect: hasSpaceBeforeParameters ? "il2cpp" : "dotnet", location: noSourceLocation };
  if (tail.startsWith("(at ") && tail.endsWith(")"))
    return { dialect: "unity", location: parseLocation(tail.slice(4, -1)) };
  const offset = /^(?:\[|<|<IL )0x/.test(tail);
  const within = tail.indexOf("in ");
  if (within < 0 || (!offset && within > 0))
    return offset ? { dialect: "mono", location: noSourceLocation } : undefined;
  const where = tail.slice(within + 3);
  if (offset && where.startsWith("<0000000000")) return { dialect: "il2cpp", location: noSourceLocation };
  return { dialect: offset || where.startsWith("<") ? "mono" : "dotnet", location: parseLocation(where) };
}

/** Parses `path:line 12` (.NET, in any language), `path:12` (Mono) or `<module id>:0` (without symbols). */
function parseLocation(text: string): SourceLocation {
  if (text.startsWith("<")) return noSourceLocation;
  const whole = text.endsWith(".") ? text.slice(0, -1) : text;
  const digits = trailingDigitsStart(whole);
  const colon = whole.lastIndexOf(":", digits - 1);
  if (digits === whole.length || colon < 0 || !isWord(whole.slice(colon + 1, digits).trim()))
    return parseSourceLocation(text);
  return { file: whole.slice(0, colon), line: Number(whole.slice(digits)), column: null };
}

/** Whether this is the name of a method: one word with a dot or colon, such as `Ns.Type.Method`. */
function isMethodName(name: string): boolean {
  const hasPlainSpace = name.includes(" ") && !name.includes("[") && !name.includes("<");
  return !hasPlainSpace && /[^.:][.:]/.test(name) && !name.includes("://");
}

// Methods that a mod patched. The patch is the mod's way to change the method, and the method is what failed.

const isDetour = (name: string) => name.includes("::") || name.includes("_PatchedBy<");

/**
 * Returns the method that was patched, for `MonoMod.Utils.DynamicMethodDefinition:Ns.Type.Method_Patch1`,
 * `Ns.Type:Ns.Type.Method_Patch2`, `Ns.Type.DMD<Ns.Type::Method>`, `DMD<Ns.Type::Method>?12::Ns.Type::Method` and
 * `Ns.Type.Method_PatchedBy<mod>`. The number of a patch says how often it was patched.
 */
function patchedMethodName(name: string): string {
  const by = name.indexOf("_PatchedBy<");
  const written = detouredMethodName(by < 0 ? name : name.slice(0, by));
  const colon = written.lastIndexOf(":");
  const method = colon >= 0 && written.includes(".", colon) ? written.slice(colon + 1) : written;
  return method.replace(/_Patch\d{1,9}$/, "");
}

function detouredMethodName(name: string): string {
  const at = name.lastIndexOf("::");
  if (at < 0) return name;
  const start = Math.max(name.lastIndexOf("<", at) + 1, name.lastIndexOf("::", at - 1) + 2);
  const type = name.slice(start, at);
  const end = name.indexOf(">", at);
  const method = name.slice(at + 2, end < 0 ? undefined : end);
  return type.includes(">") || type === "" ? method : `${type}.${method}`;
}
