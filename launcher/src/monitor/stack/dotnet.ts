// Parses frames of .NET, Mono, IL2CPP and Unity's log. They have the same form up to the parameters, and differ in what
// follows.
import { noSourceLocation, type ParsedFrame, parseSourceLocation, type SourceLocation } from "./frame.ts";

/** With `allowsBare`, also accepts a line without "at" and without a location. Such a line could be prose. */
export function parseDotnetFrame(line: string, allowsBare: boolean): ParsedFrame | undefined {
  const startsWithAt = line.startsWith("at ");
  let rest = startsWithAt ? line.slice(3) : line;
  if (rest.startsWith("(wrapper ")) rest = rest.slice(rest.indexOf(")") + 1).trimStart();
  const open = rest.indexOf("(");
  const name = rest.slice(0, open).trimEnd();
  if (open <= 0 || !isMethodName(name, startsWithAt)) return undefined;
  const close = closingParenthesis(rest, open);
  if (close < 0) return undefined;
  const isMoveNext = rest.startsWith("+MoveNext()", close + 1);
  const tail = rest.slice(close + 1 + (isMoveNext ? "+MoveNext()".length : 0)).trim();
  const hasSpaceBeforeParameters = rest[open - 1] === " ";
  const read = parseTail(tail, hasSpaceBeforeParameters);
  if (
    read === undefined ||
    (!startsWithAt && (!hasSpaceBeforeParameters || (read.location === noSourceLocation && !allowsBare)))
  )
    return undefined;
  return { dialect: startsWithAt ? read.dialect : "unity", function: name, ...read.location };
}

function parseTail(
  tail: string,
  hasSpaceBeforeParameters: boolean,
): { dialect: ParsedFrame["dialect"]; location: SourceLocation } | undefined {
  if (tail === "") return { dialect: hasSpaceBeforeParameters ? "il2cpp" : "dotnet", location: noSourceLocation };
  if (tail.startsWith("(at ") && tail.endsWith(")"))
    return { dialect: "unity", location: parseFileAndLine(tail.slice(4, -1)) };
  const offset = tail.startsWith("[0x");
  const within = tail.indexOf("in ");
  if (within < 0 || (!offset && within > 0))
    return offset ? { dialect: "mono", location: noSourceLocation } : undefined;
  const where = tail.slice(within + 3);
  if (offset && where.startsWith("<0000000000")) return { dialect: "il2cpp", location: noSourceLocation };
  return { dialect: offset || where.startsWith("<") ? "mono" : "dotnet", location: parseFileAndLine(where) };
}

/** Parses `path:line 12` (.NET), `path:12` (Mono) or `<module id>:0` (without symbols). */
function parseFileAndLine(text: string): SourceLocation {
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
function isMethodName(name: string, startsWithAt: boolean): boolean {
  const hasPlainSpace = name.includes(" ") && !name.includes("[") && !name.includes("<");
  return !hasPlainSpace && (startsWithAt || name.includes(".") || name.includes(":")) && !name.includes("://");
}
