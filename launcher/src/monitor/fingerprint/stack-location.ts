// Describes where an error happened with names that survive a rebuild: function names without the numbers of closures,
// generic arguments, receivers, line numbers or build folders.
import type { Frame, StackDialect } from "../stack/stack.ts";
import { idKindOfWord } from "./value-shapes.ts";

export type StackLocation = { readonly function: string | null; readonly file: string | null };

/** Maximum number of locations. With more locations, the same error would look different for each way to get there. */
const locationsMax = 4;

/**
 * Returns the innermost function of the game. If it has no name or only raises errors, its callers are added, up to the first
 * that has a name and does more.
 */
export function stackLocations(dialect: StackDialect, frames: readonly Frame[]): StackLocation[] {
  const own = frames.filter(({ inApp }) => inApp);
  const places: StackLocation[] = [];
  for (const frame of own.length > 0 ? own : frames) {
    const place = stackLocation(dialect, frame);
    const last = places.at(-1);
    if (last === undefined || last.function !== place.function || last.file !== place.file) places.push(place);
    if (places.length === locationsMax || (place.function !== null && !isFailureHelper(place.function))) break;
  }
  return places;
}

function stackLocation(dialect: StackDialect, { function: name, file }: Frame): StackLocation {
  if (dialect === "gml") return { function: name && withoutPositions(name), file: null };
  if (dialect === "gdscript") return { function: name, file };
  if (dialect === "v8" || dialect === "gecko")
    return { function: name && scriptFunctionName(name), file: file && baseName(file) };
  // Leaves out the file: only builds with symbols have it, and the namespace in the name already identifies the place.
  return { function: name && dotnetMethodName(name), file: null };
}

/**
 * Removes positions in the file from names such as `gml_Script_anon@213@gml_Object_o_Create_0`,
 * `…_Create_0_213_gml_Object_o_Create_0` and `…___struct___7`. Keeps the number of a GameMaker event, the 0 of `Create_0`.
 */
const withoutPositions = (name: string) =>
  name
    .replaceAll(/@\d+@/g, "@@")
    .replaceAll(/_\d+_gml_/g, "_gml_")
    .replaceAll(/___struct___\d+/g, "___struct___");

/** Keeps the last name of `Scene_Map.Scene_Base.update [as run]`, `new Enemy` or `Inventory.prototype.load`. */
function scriptFunctionName(name: string): string | null {
  const alias = name.indexOf(" [as ");
  let called = alias < 0 ? name : name.slice(0, alias);
  for (const before of ["async ", "async*", "new "])
    if (called.startsWith(before)) called = called.slice(before.length);
  // Firefox names an anonymous function after the function around it.
  if (called.endsWith("<")) return null;
  const last = called.slice(Math.max(called.lastIndexOf("."), called.lastIndexOf("/")) + 1);
  if (last === "<anonymous>" || last === "eval" || last === "") return null;
  return last.startsWith("get ") || last.startsWith("set ") ? last.slice(4) : last;
}

/** Returns the file name without folder, query or build hash. */
function baseName(file: string): string {
  const end = [file.indexOf("?"), file.indexOf("#")].filter((at) => at > 0);
  const path = end.length > 0 ? file.slice(0, Math.min(...end)) : file;
  const base = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const parts = base.split(/[.-]/);
  return parts.filter((part) => idKindOfWord(part) === undefined).join(".") || base;
}

/**
 * Returns the method as the source names it, for `Ns.Type+<LoadAsync>d__4.MoveNext`, `Ns.Type.<>c.<Faults>b__0_1` or
 * `Pool`1[T]:Take`.
 */
function dotnetMethodName(name: string): string {
  const parts = withoutGenerics(name).replaceAll("+", ".").replaceAll(":", ".").split(".");
  const written: string[] = [];
  for (const part of parts) {
    if (part === "<>c" || part.startsWith("<>c__DisplayClass") || part === "") continue;
    const close = part.startsWith("<") ? part.indexOf(">") : -1;
    if (close < 0) {
      written.push(part);
      continue;
    }
    written.push(part.slice(1, close));
    const local = part.startsWith("g__", close + 1) ? part.slice(close + 4) : "";
    if (local !== "") written.push(local.split("|")[0] as string);
    // What follows is a method that the compiler made, such as `MoveNext`.
    if (part.startsWith("d__", close + 1)) break;
  }
  return written.join(".");
}

/** Removes "`1" and everything in square brackets, including nested brackets. */
function withoutGenerics(name: string): string {
  let text = "";
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    const letter = name[at] as string;
    if (letter === "[") depth += 1;
    else if (letter === "]") depth -= 1;
    else if (letter === "`") while (isDigit(name[at + 1])) at += 1;
    else if (depth <= 0) text += letter;
  }
  return text;
}

const isDigit = (letter: string | undefined) => letter !== undefined && letter >= "0" && letter <= "9";

const failureHelpers = [
  "assert",
  "ensure",
  "expect",
  "invariant",
  "fail",
  "panic",
  "raise",
  "throw",
  "unreachable",
  "die",
];
const reporters = ["report", "log", "reporterror", "report_error", "logerror", "log_error", "push_error"];

/** Whether a function only raises or reports errors of its callers, such as `assert`, `fail_with` or `throwIfNull`. */
function isFailureHelper(name: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1).replaceAll(/^_+/g, "");
  const lower = last.toLowerCase();
  return (
    reporters.includes(lower) || failureHelpers.some((word) => lower === word || startsWithWord(last, lower, word))
  );
}

function startsWithWord(name: string, lower: string, word: string): boolean {
  const next = name[word.length] ?? "";
  return lower.startsWith(word) && (next === "_" || (next >= "A" && next <= "Z"));
}
