// Reads frames of .NET, Mono, IL2CPP and Unity's own log: one grammar, told apart by what follows the parameters.
import { type Location, locationOf, nowhere, type Reading } from "./frame.ts";

/** `loose`: also frames without "at" and without a place, which prose could be taken for. */
export function dotnetFrame(line: string, loose: boolean): Reading | undefined {
  const said = line.startsWith("at ");
  let rest = said ? line.slice(3) : line;
  if (rest.startsWith("(wrapper ")) rest = rest.slice(rest.indexOf(")") + 1).trimStart();
  const open = rest.indexOf("(");
  const name = rest.slice(0, open).trimEnd();
  if (open <= 0 || !isMethod(name, said)) return undefined;
  const close = closing(rest, open);
  if (close < 0) return undefined;
  const isMoveNext = rest.startsWith("+MoveNext()", close + 1);
  const tail = rest.slice(close + 1 + (isMoveNext ? "+MoveNext()".length : 0)).trim();
  const spaced = rest[open - 1] === " ";
  const read = placeOf(tail, spaced);
  if (read === undefined || (!said && (!spaced || (read.place === nowhere && !loose)))) return undefined;
  return { dialect: said ? read.dialect : "unity", function: name, ...read.place };
}

function placeOf(tail: string, spaced: boolean): { dialect: Reading["dialect"]; place: Location } | undefined {
  if (tail === "") return { dialect: spaced ? "il2cpp" : "dotnet", place: nowhere };
  if (tail.startsWith("(at ") && tail.endsWith(")")) return { dialect: "unity", place: fileOf(tail.slice(4, -1)) };
  const offset = tail.startsWith("[0x");
  const within = tail.indexOf("in ");
  if (within < 0 || (!offset && within > 0)) return offset ? { dialect: "mono", place: nowhere } : undefined;
  const where = tail.slice(within + 3);
  if (offset && where.startsWith("<0000000000")) return { dialect: "il2cpp", place: nowhere };
  return { dialect: offset || where.startsWith("<") ? "mono" : "dotnet", place: fileOf(where) };
}

/** `path:line 12` as .NET writes it, `path:12` as Mono does, `<module id>:0` where there are no symbols. */
function fileOf(text: string): Location {
  if (text.startsWith("<")) return nowhere;
  const word = text.lastIndexOf(":line ");
  return locationOf(word < 0 ? text : `${text.slice(0, word)}:${text.slice(word + 6)}`);
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** One word with a dot or a colon in it: `Ns.Type.Method`, `Type:Method`. After "at" a bare name will do. */
function isMethod(name: string, said: boolean): boolean {
  const wide = name.includes(" ") && !name.includes("[") && !name.includes("<");
  return !wide && (said || name.includes(".") || name.includes(":")) && !name.includes("://");
}
