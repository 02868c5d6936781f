// Reduces the name of a function to what its programmer wrote: without what compilers, engines and mods put around it, such as
// the numbers of closures, positions, generic arguments and receivers.

/**
 * Removes positions in the file from names such as `gml_Script_anon@213@gml_Object_o_Create_0`,
 * `…_Create_0_213_gml_Object_o_Create_0` and `…___struct___7`. Keeps the number of a GameMaker event, the 0 of `Create_0`.
 */
export const writtenGmlName = (name: string): string =>
  name
    .replaceAll(/@\d+(?=@|$)/g, "@")
    .replaceAll(/_\d+_gml_/g, "_gml_")
    .replaceAll(/___struct___\d+/g, "___struct___");

/** Keeps the last name of `Scene_Map.Scene_Base.update [as run]`, `new Enemy` or `Inventory.prototype.load`. */
export function writtenScriptName(name: string): string | null {
  const alias = name.indexOf(" [as ");
  let called = alias < 0 ? name : name.slice(0, alias);
  // Only the alias names a function whose name is computed, as obfuscators write them.
  if (called.endsWith("<computed>")) called = alias < 0 ? "" : name.slice(alias + 5, -1);
  // Firefox writes what called a function later: `async*f`, `setTimeout handler*f`.
  called = called.slice(called.lastIndexOf("*") + 1);
  for (const before of ["async ", "new "]) if (called.startsWith(before)) called = called.slice(before.length);
  // Firefox names an anonymous function after the function around it.
  if (called.endsWith("<")) return null;
  const last = called.slice(Math.max(called.lastIndexOf("."), called.lastIndexOf("/")) + 1);
  if (last === "<anonymous>" || last === "eval" || last === "" || /^_0x[\da-f]+$/.test(last)) return null;
  return writtenIl2cppName(last.startsWith("get ") || last.startsWith("set ") ? last.slice(4) : last);
}

/**
 * Returns `Enemy_Update` for `Enemy_Update_m9C2B6B7F…`, and `Stage_Build` for `U3CBuildU3Ed__16_MoveNext_m…`, as IL2CPP names
 * methods. The hash changes with the method's signature.
 */
export function writtenIl2cppName(name: string): string {
  const hash = /_m[\dA-F]{8,64}(?:_\w{1,40})?$/.exec(name);
  if (hash === null) return name;
  const method = name.slice(0, hash.index).replaceAll("U3C", "<").replaceAll("U3E", ">");
  return [...method.matchAll(/<([^<>]+)>/g)].at(-1)?.[1] ?? method;
}

/**
 * Returns the method as the source names it, for `Ns.Type+<LoadAsync>d__4.MoveNext`, `Ns.Type/<>c:<Faults>b__0_1` or
 * `Pool`1[T]:Take`.
 */
export function writtenDotnetName(name: string): string {
  const parts = withoutGenerics(name).split(/[.:+/]/);
  const written: string[] = [];
  for (const part of parts) {
    const closure = /^(.+)@\d+(?:-\d+)*$/.exec(part);
    if (closure) {
      // F# calls a closure after the function and line that it is in, and its method `Invoke`.
      written.push(closure[1] as string);
      break;
    }
    const made = part.startsWith("<") ? /<([^<>]+)>(?:\$?>?g__(\w+))?/.exec(part) : undefined;
    if (part === "" || made === null) continue;
    if (made === undefined) {
      written.push(part);
      continue;
    }
    written.push(...made.slice(1, 3).filter(Boolean));
    // What follows is a method that the compiler made, such as `MoveNext`.
    if (/>(?:d(?:__|$)|c__Iterator)/.test(part)) break;
  }
  return written.join(".");
}

/** Removes "`1", everything in square brackets, and type arguments such as `<int>`, including nested ones. */
function withoutGenerics(name: string): string {
  let text = "";
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    const letter = name[at] as string;
    // A compiler's own name begins with <, and type arguments follow a name.
    const opensTypes = letter === "<" && (depth > 0 || /[\p{L}\p{N}_]/u.test(text.at(-1) ?? ""));
    if (letter === "[" || opensTypes) depth += 1;
    else if (letter === "]" || (letter === ">" && depth > 0)) depth -= 1;
    else if (letter === "`") while (isDigit(name[at + 1])) at += 1;
    else if (depth <= 0) text += letter;
  }
  return text;
}

const isDigit = (letter: string | undefined) => letter !== undefined && letter >= "0" && letter <= "9";
