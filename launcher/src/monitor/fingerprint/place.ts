// Where an error happened, in names that a rebuild keeps: the function it was thrown in, without closures' numbers, generic
// arguments, receivers, line numbers or the folder it was built in.
import type { Dialect, Frame } from "../stack/stack.ts";
import { idKind } from "./shapes.ts";

export type Place = { readonly function: string | null; readonly file: string | null };

/** More frames than this say nothing new about where it happened. */
const placesMax = 4;

/**
 * The first function of the game's own. A function without a name, or one that only passes errors on, does not say where:
 * then whoever called it is named too.
 */
export function placesOf(dialect: Dialect, frames: readonly Frame[]): Place[] {
  const own = frames.filter(({ inApp }) => inApp);
  const places: Place[] = [];
  for (const frame of own.length > 0 ? own : frames) {
    const place = placeOf(dialect, frame);
    const last = places.at(-1);
    if (last === undefined || last.function !== place.function || last.file !== place.file) places.push(place);
    if (places.length === placesMax || (place.function !== null && !passesOn(place.function))) break;
  }
  return places;
}

function placeOf(dialect: Dialect, { function: name, file }: Frame): Place {
  if (dialect === "gml") return { function: name && numbersOut(name), file: null };
  if (dialect === "gdscript") return { function: name, file };
  if (dialect === "v8" || dialect === "gecko")
    return { function: name && scriptName(name), file: file && baseName(file) };
  // With the namespace in the name, a file would only tell builds with symbols from those without.
  return { function: name && managedName(name), file: null };
}

/**
 * `gml_Script_anon@213@gml_Object_o_Create_0`, `…_Create_0_213_gml_Object_o_Create_0`, `…___struct___7`: those numbers are
 * places in the file. An event's own number stays.
 */
const numbersOut = (name: string) =>
  name
    .replaceAll(/@\d+@/g, "@@")
    .replaceAll(/_\d+_gml_/g, "_gml_")
    .replaceAll(/___struct___\d+/g, "___struct___");

/** `Scene_Map.Scene_Base.update [as run]`, `new Enemy`, `Inventory.prototype.load`: the last name stays. */
function scriptName(name: string): string | null {
  const alias = name.indexOf(" [as ");
  let called = alias < 0 ? name : name.slice(0, alias);
  for (const before of ["async ", "async*", "new "])
    if (called.startsWith(before)) called = called.slice(before.length);
  // Firefox names a function without a name after the one it stands in.
  if (called.endsWith("<")) return null;
  const last = called.slice(Math.max(called.lastIndexOf("."), called.lastIndexOf("/")) + 1);
  if (last === "<anonymous>" || last === "eval" || last === "") return null;
  return last.startsWith("get ") || last.startsWith("set ") ? last.slice(4) : last;
}

/** The file's own name; a query and a build's hash in it are not part of it. */
function baseName(file: string): string {
  const end = [file.indexOf("?"), file.indexOf("#")].filter((at) => at > 0);
  const path = end.length > 0 ? file.slice(0, Math.min(...end)) : file;
  const base = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const parts = base.split(/[.-]/);
  return parts.filter((part) => idKind(part) === undefined).join(".") || base;
}

/** `Ns.Type+<LoadAsync>d__4.MoveNext`, `Ns.Type.<>c.<Faults>b__0_1`, `Pool`1[T]:Take`: the method the author wrote. */
function managedName(name: string): string {
  const parts = genericsOut(name).replaceAll("+", ".").replaceAll(":", ".").split(".");
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
    // A state machine's own method is the compiler's.
    if (part.startsWith("d__", close + 1)) break;
  }
  return written.join(".");
}

/** Drops "`1" and everything in square brackets, as deep as they go. */
function genericsOut(name: string): string {
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

const passers = ["assert", "ensure", "expect", "invariant", "fail", "panic", "raise", "throw", "unreachable", "die"];
const reporters = ["report", "log", "reporterror", "report_error", "logerror", "log_error", "push_error"];

/** Whether a function is one that others call with what went wrong: `assert`, `fail_with`, `throwIfNull`. */
function passesOn(name: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1).replaceAll(/^_+/g, "");
  const lower = last.toLowerCase();
  return reporters.includes(lower) || passers.some((word) => lower === word || startsAs(last, lower, word));
}

function startsAs(name: string, lower: string, word: string): boolean {
  const next = name[word.length] ?? "";
  return lower.startsWith(word) && (next === "_" || (next >= "A" && next <= "Z"));
}
