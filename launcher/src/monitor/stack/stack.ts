// Parses the stack of a report, in the format of any supported engine. Leaves out lines in another format, never throws, and
// takes linear time.

import type { Frame, ParsedFrame, StackDialect } from "./frame.ts";
import {
  parseDotnetFrame,
  parseGdscriptFrame,
  parseGdscriptObjects,
  parseGeckoFrame,
  parseGmlFrames,
  parseV8Frame,
} from "./frame.ts";

const libraryNamespaces = [
  "System.",
  "Microsoft.",
  "Interop.",
  "Mono.",
  "MonoGame.",
  "Internal.",
  "UnityEngine.",
  "UnityEngineInternal.",
  "UnityEditor.",
  "Unity.",
  "Godot.",
  "TMPro.",
  "Cysharp.",
  "Kit.",
];

/** Names of RPG Maker's own scripts and of the libraries that come with them. `*` stands for any ending. */
const engineScripts = [
  "rpg_*",
  "rmmz_*",
  "pixi*",
  "phaser*",
  "effekseer*",
  "lz-string*",
  "fpsmeter*",
  "iphone-inline*",
];
const bindingScripts = ["kitsdk.js"];
const engineSchemes = [
  "node:",
  "internal/",
  "chrome://",
  "resource://",
  "moz-extension://",
  "core://",
  "webpack/",
  "native ",
];

/** Whether a frame belongs to the game, not to the engine, a library or the binding. */
function isInApp({ dialect, function: name, file }: ParsedFrame): boolean {
  if (dialect === "gml") return !isGmlBinding(name ?? "");
  if (dialect === "gdscript") return isGameGdscript(file ?? "");
  if (dialect === "v8" || dialect === "gecko") return isGameScript(file);
  return name !== null && !libraryNamespaces.some((prefix) => name.startsWith(prefix));
}

const isGmlBinding = (name: string) => name.startsWith("gml_Script_kit_") || name.startsWith("gml_Script___kit_");

/** Files in C++ belong to the engine. */
function isGameGdscript(file: string): boolean {
  if (file.startsWith("res://addons/kit_sdk/") || file.startsWith("core://")) return false;
  return !file.endsWith(".cpp") && !file.endsWith(".h");
}

/** A function without a file is part of the language, such as `Array.map`. */
function isGameScript(file: string | null): boolean {
  if (file === null || engineSchemes.some((scheme) => file.startsWith(scheme))) return false;
  const path = file.toLowerCase().replaceAll("\\", "/");
  if (path.includes("/js/libs/") || path.includes("/node_modules/")) return false;
  const base = path.slice(path.lastIndexOf("/") + 1);
  if (bindingScripts.includes(base)) return false;
  if (path.includes("/js/plugins/")) return true;
  return !engineScripts.some((name) => base.startsWith(name.slice(0, -1)));
}

export type { Frame, StackDialect } from "./frame.ts";

/** How many characters of a stack trace are read. */
const readCharsMax = 128 * 1024;
/** Shorter lines contain no frame: `f@x:1` is one of the shortest. */
const lineCharsMin = 5;
/** Maximum length of a line with a frame. The longest real ones contain data: URLs. */
const lineCharsMax = 2_048;
const framesKeptMax = 200;
const frameTextCharsMax = 500;

export type ParsedStack = {
  readonly dialect: StackDialect;
  /** Innermost frame first. For nested exceptions, the frames of the outermost exception come first. */
  readonly frames: readonly Frame[];
  /** How many frames the report has. More than `frames.length` if only some of them were kept. */
  readonly framesTotal: number;
  /** The message, without the stack that some engines write into it. */
  readonly headline: string;
  /** The text that the frames were read from. */
  readonly raw: string;
};

export function parseStack(message: string, stackTrace: string): ParsedStack {
  const fromStack = parseFrames(withoutMessage(stackTrace, message), true);
  const fromMessage = parseFrames(message, false);
  const beforeFrames = fromMessage.total > 0 ? message.slice(0, fromMessage.firstAt).trim() : "";
  const headline = beforeFrames || message.slice(0, readCharsMax).trim();
  const { frames, total, dialect } = fromStack.total > 0 ? fromStack : fromMessage;
  return {
    dialect,
    frames,
    framesTotal: total,
    headline,
    raw: fromStack.total > 0 || total === 0 ? stackTrace : message,
  };
}

/** Removes the message, which V8 and .NET repeat before the frames, because its lines can look like frames. */
function withoutMessage(stackTrace: string, message: string): string {
  const at = message === "" ? -1 : stackTrace.slice(0, message.length + 100).indexOf(message);
  return at < 0 ? stackTrace : stackTrace.slice(at + message.length);
}

type ParsedFrames = { frames: Frame[]; total: number; dialect: StackDialect; firstAt: number };

function parseFrames(whole: string, isStack: boolean): ParsedFrames {
  const text = whole.slice(0, readCharsMax);
  const found = isStack ? collectFrames(linesOfObjects(text)) : undefined;
  return found !== undefined && found.total > 0 ? found : collectFrames(linesOfText(text, isStack));
}

function collectFrames(lines: Iterable<ParsedLine>): ParsedFrames {
  let current: Frame[] = [];
  const exceptions = [current];
  let total = 0;
  let dialect: StackDialect = "text";
  let firstAt: number | undefined;
  let before: ParsedFrame | undefined;
  for (const { at, text, frame } of lines) {
    firstAt ??= at;
    if (frame === undefined) {
      if (current.length > 0) {
        current = [];
        exceptions.push(current);
      }
      continue;
    }
    if (isSameFrame(frame, before)) continue;
    before = text.startsWith("at: ") || text.startsWith("at gml_") ? frame : undefined;
    if (total === 0) dialect = frame.dialect;
    total += 1;
    if (current.length < framesKeptMax) current.push(toFrame(frame, text));
  }
  // In the text, the frames of the outermost exception come last.
  const frames = [current, ...exceptions.slice(0, -1)].flat().slice(0, framesKeptMax);
  return { frames, total, dialect, firstAt: firstAt ?? 0 };
}

/** A line of a stack. One without a frame separates two exceptions. */
type ParsedLine = { readonly at: number; readonly text: string; readonly frame: ParsedFrame | undefined };

function* linesOfObjects(text: string): Generator<ParsedLine> {
  for (const { frame, text: object } of parseGdscriptObjects(text.trimStart())) yield { at: 0, text: object, frame };
}

function* linesOfText(text: string, isStack: boolean): Generator<ParsedLine> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end;
    if (next - at >= lineCharsMin && next - at <= lineCharsMax) {
      const line = text.slice(at, next).trim();
      if (line.startsWith("---") && line.includes("inner exception")) yield { at, text: line, frame: undefined };
      else if (line.startsWith("---> ")) yield* innerException(at, line);
      else yield* framesInLine(at, line, isStack);
    }
    at = next + 1;
  }
}

/** Marks the start of an inner exception, which is also where the message ends. */
function* innerException(at: number, line: string): Generator<ParsedLine> {
  if (at > 0) yield { at, text: line, frame: undefined };
}

function* framesInLine(at: number, text: string, isStack: boolean): Generator<ParsedLine> {
  if (text.includes("gml_")) {
    for (const reading of parseGmlFrames(text)) yield { at, text, frame: reading };
    return;
  }
  const reading =
    parseGdscriptFrame(text) ??
    parseV8Frame(text) ??
    parseDotnetFrame(text, isStack) ??
    (isStack ? parseGeckoFrame(text) : undefined);
  if (reading) yield { at, text, frame: reading };
}

/** Godot writes the innermost location twice: after the error and as the first line of the backtrace. */
function isSameFrame(reading: ParsedFrame, before: ParsedFrame | undefined): boolean {
  return before !== undefined && reading.function === before.function && reading.line === before.line;
}

function toFrame(reading: ParsedFrame, text: string): Frame {
  const { dialect: _, ...place } = reading;
  return { ...place, inApp: isInApp(reading), text: text.slice(0, frameTextCharsMax) };
}
