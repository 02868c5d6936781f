// Reads the stack of a report in whichever engine's words it is written. Never throws; its time grows with the text's
// length and no faster; what it does not know stays text.
import { dotnetFrame } from "./dotnet.ts";
import type { Dialect, Frame, Reading } from "./frame.ts";
import { gdscriptFrame, gdscriptObjects } from "./gdscript.ts";
import { gmlFrames } from "./gml.ts";
import { geckoFrame, v8Frame } from "./javascript.ts";

const managed = [
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

/** RPG Maker's core scripts and the libraries that come with them; `*` stands for any end. */
const scripts = ["rpg_*", "rmmz_*", "pixi*", "phaser*", "effekseer*", "lz-string*", "fpsmeter*", "iphone-inline*"];
const bindings = ["kitsdk.js"];
const schemes = [
  "node:",
  "internal/",
  "chrome://",
  "resource://",
  "moz-extension://",
  "core://",
  "webpack/",
  "native ",
];

/** Tells the game's own code from the engine's, its libraries' and the binding's. */
function isInApp({ dialect, function: name, file }: Reading): boolean {
  if (dialect === "gml") return !isKit(name ?? "");
  if (dialect === "gdscript") return isGodotGame(file ?? "");
  if (dialect === "v8" || dialect === "gecko") return isGameScript(file);
  return name !== null && !managed.some((prefix) => name.startsWith(prefix));
}

const isKit = (name: string) => name.startsWith("gml_Script_kit_") || name.startsWith("gml_Script___kit_");

/** C++ files are the engine's. */
function isGodotGame(file: string): boolean {
  if (file.startsWith("res://addons/kit_sdk/") || file.startsWith("core://")) return false;
  return !file.endsWith(".cpp") && !file.endsWith(".h");
}

/** What has no file is built in: Array.map, JSON.parse. */
function isGameScript(file: string | null): boolean {
  if (file === null || schemes.some((scheme) => file.startsWith(scheme))) return false;
  const path = file.toLowerCase().replaceAll("\\", "/");
  if (path.includes("/js/libs/") || path.includes("/node_modules/")) return false;
  const base = path.slice(path.lastIndexOf("/") + 1);
  if (bindings.includes(base)) return false;
  if (path.includes("/js/plugins/")) return true;
  return !scripts.some((name) => base.startsWith(name.slice(0, -1)));
}

export type { Dialect, Frame } from "./frame.ts";

/** Longer texts are read this far. */
const readCharsMax = 128 * 1024;
/** `f@x:1` is among the shortest frames there are. */
const lineCharsMin = 5;
/** A longer line is no frame; data: URLs are the longest real ones. */
const lineCharsMax = 2_048;
const framesKeptMax = 200;
const frameTextCharsMax = 500;

export type Stack = {
  readonly dialect: Dialect;
  /** Innermost first; of exceptions within exceptions the outermost one's first. */
  readonly frames: readonly Frame[];
  /** How many there were; more than `frames` when the stack is deeper than is kept. */
  readonly framesTotal: number;
  /** The message without any stack that stands in it. */
  readonly headline: string;
  /** The text the frames were read from. */
  readonly raw: string;
};

export function parseStack(message: string, stackTrace: string): Stack {
  const given = read(withoutMessage(stackTrace, message), true);
  const ofMessage = read(message, false);
  const said = ofMessage.total > 0 ? message.slice(0, ofMessage.firstAt).trim() : "";
  const headline = said || message.slice(0, readCharsMax).trim();
  const { frames, total, dialect } = given.total > 0 ? given : ofMessage;
  return { dialect, frames, framesTotal: total, headline, raw: given.total > 0 || total === 0 ? stackTrace : message };
}

/** V8 and .NET repeat the message before the frames; its lines are not frames, whatever they look like. */
function withoutMessage(stackTrace: string, message: string): string {
  const at = message === "" ? -1 : stackTrace.slice(0, message.length + 100).indexOf(message);
  return at < 0 ? stackTrace : stackTrace.slice(at + message.length);
}

type Found = { frames: Frame[]; total: number; dialect: Dialect; firstAt: number };

function read(whole: string, isStack: boolean): Found {
  const text = whole.slice(0, readCharsMax);
  const found = isStack ? gather(fromObjects(text)) : undefined;
  return found !== undefined && found.total > 0 ? found : gather(fromLines(text, isStack));
}

function gather(lines: Iterable<Line>): Found {
  let current: Frame[] = [];
  const exceptions = [current];
  let total = 0;
  let dialect: Dialect = "text";
  let firstAt: number | undefined;
  let before: Reading | undefined;
  for (const { at, text, reading } of lines) {
    firstAt ??= at;
    if (reading === undefined) {
      if (current.length > 0) {
        current = [];
        exceptions.push(current);
      }
      continue;
    }
    if (isSame(reading, before)) continue;
    before = text.startsWith("at: ") || text.startsWith("at gml_") ? reading : undefined;
    if (total === 0) dialect = reading.dialect;
    total += 1;
    if (current.length < framesKeptMax) current.push(toFrame(reading, text));
  }
  // The outermost exception's frames come last in the text.
  const frames = [current, ...exceptions.slice(0, -1)].flat().slice(0, framesKeptMax);
  return { frames, total, dialect, firstAt: firstAt ?? 0 };
}

/** Without a reading: the end of an inner exception's frames. */
type Line = { readonly at: number; readonly text: string; readonly reading: Reading | undefined };

function* fromObjects(text: string): Generator<Line> {
  for (const { reading, text: object } of gdscriptObjects(text.trimStart())) yield { at: 0, text: object, reading };
}

function* fromLines(text: string, isStack: boolean): Generator<Line> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end;
    if (next - at >= lineCharsMin && next - at <= lineCharsMax) {
      const line = text.slice(at, next).trim();
      if (line.startsWith("---") && line.includes("inner exception")) yield { at, text: line, reading: undefined };
      else if (line.startsWith("---> ")) yield* inner(at, line);
      else yield* framesOf(at, line, isStack);
    }
    at = next + 1;
  }
}

/** Begins the exception within; it marks where the message ends, and nothing else. */
function* inner(at: number, line: string): Generator<Line> {
  if (at > 0) yield { at, text: line, reading: undefined };
}

function* framesOf(at: number, text: string, isStack: boolean): Generator<Line> {
  if (text.includes("gml_")) {
    for (const reading of gmlFrames(text)) yield { at, text, reading };
    return;
  }
  const reading =
    gdscriptFrame(text) ?? v8Frame(text) ?? dotnetFrame(text, isStack) ?? (isStack ? geckoFrame(text) : undefined);
  if (reading) yield { at, text, reading };
}

/** An error's own line says where, and the backtrace below it begins with the same place. */
function isSame(reading: Reading, before: Reading | undefined): boolean {
  return before !== undefined && reading.function === before.function && reading.line === before.line;
}

function toFrame(reading: Reading, text: string): Frame {
  const { dialect: _, ...place } = reading;
  return { ...place, inApp: isInApp(reading), text: text.slice(0, frameTextCharsMax) };
}
