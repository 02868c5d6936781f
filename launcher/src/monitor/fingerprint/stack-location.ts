// Describes where an error happened with names that survive a rebuild: function names as the programmer wrote them, without line
// numbers or build folders.
import { gmlModuleOf } from "../stack/gml-frame.ts";
import { scriptCallName } from "../stack/owner.ts";
import type { Frame } from "../stack/stack.ts";
import { idKindOfWord } from "./value-shapes.ts";
import { writtenDotnetName, writtenGmlName, writtenIl2cppName, writtenScriptName } from "./written-name.ts";

export type StackLocation = { readonly function: string | null; readonly file: string | null };

/** Maximum number of locations. With more locations, the same error would look different for each way to get there. */
const locationsMax = 4;

/**
 * Returns the innermost function of the game. If it has no name or only raises errors, its callers are added, up to the first
 * that has a name and does more.
 */
export function stackLocations(frames: readonly Frame[]): StackLocation[] {
  const own = frames.filter(({ inApp }) => inApp);
  const places: StackLocation[] = [];
  for (const frame of own.length > 0 ? own : frames) {
    const place = stackLocation(frame);
    const last = places.at(-1);
    if (last === undefined || last.function !== place.function || last.file !== place.file) places.push(place);
    // Nothing names the event of a script call, so the engine's function that evaluated it tells what kind of event it is.
    const caller = place.function === scriptCallName ? frames[frames.indexOf(frame) + 1] : undefined;
    if (caller) places.push(stackLocation(caller));
    if (places.length >= locationsMax || (place.function !== null && !isFailureHelper(place.function))) break;
  }
  return places;
}

function stackLocation({ dialect, function: name, file, line }: Frame): StackLocation {
  if (dialect === "gml")
    return { function: name && writtenGmlName(name), file: file?.endsWith(".gml") ? `${gmlModuleOf(file)}.gml` : null };
  if (dialect === "gdscript") return { function: name, file: file?.replace(/\.gdc$/, ".gd") ?? null };
  // A WebAssembly module, which has no lines, and a library have other names in each build or OS.
  if (dialect === "v8" || dialect === "gecko")
    return { function: name && writtenScriptName(name), file: line === null ? null : file && baseName(file) };
  if (dialect === "native") return { function: name && writtenIl2cppName(name), file: name === null ? file : null };
  // Leaves out the file: only builds with symbols have it, and the namespace in the name already identifies the place.
  return { function: name && writtenDotnetName(name), file: null };
}

/** Returns the file name without folder, query or build hash. */
function baseName(file: string): string {
  const end = [file.indexOf("?"), file.indexOf("#")].filter((at) => at > 0);
  const path = end.length > 0 ? file.slice(0, Math.min(...end)) : file;
  const base = withoutBundleHash(path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1));
  const parts = base.split(/[.-]/);
  return parts.filter((part) => idKindOfWord(part) === undefined).join(".") || base;
}

/** Removes the hash that bundlers write in base 64, from `level-Qz81kLmN.js`. A word or number of the author stays. */
function withoutBundleHash(base: string): string {
  const found = /^(.+)[-.]([\w-]{8})(\.[cm]?js)$/.exec(base);
  const isHash =
    found && /^(?!\d[dD][a-z]+$)(?:.*\d[A-Za-z]|.*[a-z][A-Z].*[a-z][A-Z]|.*[A-Z]{2}.*[a-z])/.test(found[2] as string);
  return isHash ? `${found[1]}${found[3]}` : base;
}

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
