// Parses the stack of a report, in the format of any supported engine. Leaves out lines in another format, never throws, and
// takes linear time.
import { parseDotnetFrame } from "./dotnet-frame.ts";
import { type Frame, noSourceLocation, type ParsedFrame, type StackDialect } from "./frame.ts";
import { parseGmlConsoleCall, parseGmlFrames } from "./gml-frame.ts";
import { parseGdscriptObjects, parseGodotFrame } from "./godot-frame.ts";
import { parseNativeFrame } from "./native-frame.ts";
import { ownerOf } from "./owner.ts";
import { crashedThreadOf, withoutLogPrefixes } from "./report-text.ts";
import { parseGeckoFrame, parseV8Frame } from "./script-frame.ts";

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
  /** Innermost frame first. For nested exceptions, the frames of the innermost exception come first. */
  readonly frames: readonly Frame[];
  /** How many frames the report has. More than `frames.length` if only some of them were kept. */
  readonly framesTotal: number;
  /** The message of the innermost exception, without the stack that some engines write into it. */
  readonly headline: string;
  /** The messages of the game's own exceptions around it, outermost first. */
  readonly wrappers: readonly string[];
  /** The text that the frames were read from. */
  readonly raw: string;
};

export function parseStack(sentMessage: string, sentStack: string): ParsedStack {
  const message = withoutLogPrefixes(sentMessage);
  const stackTrace = withoutLogPrefixes(sentStack);
  const repeated = repeatedMessage(stackTrace, message);
  const fromStack = parseFrames(stackTrace.slice(repeated.length), true);
  const fromMessage = parseFrames(message, false);
  const { frames, total, dialect, announced } = fromStack.total > 0 ? fromStack : fromMessage;
  const isInMessage = fromMessage.total > 0 && fromMessage.before !== "";
  const said = isInMessage ? fromMessage.before : message.slice(0, readCharsMax).trim();
  const inStack = nestedMessages(`${repeated}\n${fromStack.before}`);
  const messages = inStack.length > 1 ? inStack : nestedMessages(said);
  if (announced !== undefined) messages.push(announced);
  return {
    dialect,
    frames,
    framesTotal: total,
    headline: messages.at(-1) ?? said,
    wrappers: messages.slice(0, -1).filter(isOfGame),
    raw: fromStack.total > 0 || total === 0 ? sentStack : sentMessage,
  };
}

/** Returns the message at the start of a stack, where V8 and .NET repeat it. Its lines can look like frames. */
function repeatedMessage(stackTrace: string, message: string): string {
  const at = message === "" ? -1 : stackTrace.slice(0, message.length + 100).indexOf(message);
  const rest = stackTrace.slice(at + message.length, at + message.length + 8);
  // A short message can also be a part of the first frame's name.
  return at >= 0 && /^(?:\s*$|[ \t]*\r?\n| ---> )/.test(rest) ? stackTrace.slice(0, at + message.length) : "";
}

/** Returns the messages of exceptions inside each other, innermost last, that .NET and Mono separate with ` ---> `. */
function nestedMessages(text: string): string[] {
  const messages: string[] = [];
  for (const part of text.split("---> ")) {
    const said = part.replace(/^\(Inner Exception #\d{1,9}\) /, "").trim();
    if (messages.length === 0 || exceptionTypeOf(said) !== undefined) messages.push(said);
    else messages.push(`${messages.pop()} ---> ${said}`);
  }
  return messages;
}

/** Returns the type before a message: `EnemyException` or `Ns.EnemyFault`. */
const exceptionTypeOf = (message: string) =>
  /^([^\s:]{0,200}(?:Exception|Error|\.[^\s:.]{1,200})): /.exec(message)?.[1];

/** Whether an exception is of a type of the game, so that its message says more than that another exception was wrapped. */
function isOfGame(message: string): boolean {
  const type = exceptionTypeOf(message);
  return type !== undefined && ownerOf({ dialect: "dotnet", function: type, ...noSourceLocation }).inApp;
}

type ParsedFrames = {
  frames: Frame[];
  total: number;
  dialect: StackDialect;
  /** The text before the frames. */
  before: string;
  /** The message of the innermost exception, if a line between the frames announces it. */
  announced: string | undefined;
};

function parseFrames(whole: string, isStack: boolean): ParsedFrames {
  const text = whole.slice(0, readCharsMax);
  if (!isStack) return collectFrames(text, linesOfText(text, false));
  const found = collectFrames(text, linesOfObjects(text));
  return found.total > 0 ? found : collectFrames(text, linesOfText(itemsOnLines(crashedThreadOf(text)), true));
}

/** Writes each item of an array that was turned into text, such as `[ "a","b" ]`, on a line of its own. */
function itemsOnLines(text: string): string {
  return /^\s*\[\s*"/.test(text) ? text.replaceAll(/" ?, ?"/g, '"\n"') : text;
}

/** The frames after a line that announces a cause or a crash. The first section begins without such a line. */
type Section = {
  readonly at: number;
  /** The message of the announced cause. */
  readonly says: string | undefined;
  readonly isCrash: boolean;
  readonly frames: Frame[];
  firstAt: number;
  total: number;
};

const createSection = ({ at, says }: Pick<ParsedLine, "at" | "says">, isCrash: boolean): Section => ({
  at,
  says,
  isCrash,
  frames: [],
  firstAt: at,
  total: 0,
});

function collectFrames(text: string, lines: Iterable<ParsedLine>): ParsedFrames {
  let current = createSection({ at: 0, says: undefined }, false);
  const sections = [current];
  let before: ParsedFrame | undefined;
  for (const line of lines) {
    const { at, text: words, frame, says } = line;
    if (frame === undefined) {
      current = createSection(line, says === undefined);
      sections.push(current);
      continue;
    }
    if (isSameFrame(frame, before)) continue;
    before = /^(?:at: |at gml_|<)/.test(words) ? frame : undefined;
    if (current.total === 0) current.firstAt = at;
    current.total += 1;
    if (current.frames.length < framesKeptMax) current.frames.push(toFrame(frame, words));
  }
  const withFrames = sections.filter(({ total }) => total > 0);
  // What a game printed before it crashed is not a part of the crash.
  const crash = withFrames.findLastIndex(({ isCrash }) => isCrash);
  const kept = withFrames.slice(Math.max(0, crash));
  // In the text, the innermost cause comes last.
  const innermost = kept.at(-1);
  const frames = [...kept.slice(-1), ...kept.slice(0, -1)].flatMap((section) => section.frames);
  const [outermost] = kept;
  return {
    frames: frames.slice(0, framesKeptMax),
    total: kept.reduce((sum, section) => sum + section.total, 0),
    dialect: (frames.find(({ inApp }) => inApp) ?? frames[0])?.dialect ?? "text",
    before: outermost ? text.slice(outermost.at, outermost.firstAt).trim() : "",
    announced: innermost?.says,
  };
}

/** A line of a stack. One without a frame announces the cause of what came before it, or a crash. */
type ParsedLine = {
  readonly at: number;
  readonly text: string;
  readonly frame: ParsedFrame | undefined;
  readonly says?: string | undefined;
};

function* linesOfObjects(text: string): Generator<ParsedLine> {
  for (const { frame, text: object } of parseGdscriptObjects(text.trimStart())) yield { at: 0, text: object, frame };
}

function* linesOfText(text: string, isStack: boolean): Generator<ParsedLine> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end < 0 ? text.length : end;
    if (next - at >= lineCharsMin && next - at <= lineCharsMax) {
      const line = text.slice(at, next).trim();
      const says = announcedCause(line);
      if (says !== undefined) yield { at, text: line, frame: undefined, says: says || undefined };
      else yield* framesInLine(at, line, isStack);
    }
    at = next + 1;
  }
}

/** Lines after which the inner exception follows, with its message. */
const causeWords = ["Caused by: ", "[cause]: "];
/** Lines after which a crash follows that ended the game. What the game printed before is not its cause. */
const crashWords = ["handle_crash: ", "CrashHandlerException: ", "Dumping the backtrace", "Unhandled exception."];

/** Returns the message of the exception that this line announces; empty if the line has none. */
function announcedCause(line: string): string | undefined {
  const words = causeWords.find((start) => line.startsWith(start));
  if (words !== undefined) return line.slice(words.length);
  return crashWords.some((start) => line.startsWith(start)) ? "" : undefined;
}

function* framesInLine(at: number, text: string, isStack: boolean): Generator<ParsedLine> {
  const script = parseV8Frame(text) ?? (isStack ? parseGmlCall(text) : undefined);
  if (script === undefined && (text.includes("gml_") || text.includes(".gml ("))) {
    for (const reading of parseGmlFrames(text, isStack)) yield { at, text, frame: reading };
    return;
  }
  const frame = script ?? parseOtherFrame(text, isStack);
  if (frame) yield { at, text, frame };
}

/** A function of an HTML5 game, as consoles and Firefox list it. */
const parseGmlCall = (text: string) =>
  parseGmlConsoleCall(text) ?? (text.startsWith("gml_") ? parseGeckoFrame(text) : undefined);

function parseOtherFrame(text: string, isStack: boolean): ParsedFrame | undefined {
  const frame = parseGodotFrame(text) ?? parseNativeFrame(text) ?? parseDotnetFrame(text, isStack);
  return frame ?? (isStack ? parseGeckoFrame(text) : undefined);
}

/** Godot writes the innermost location twice: after the error and as the first line of the backtrace. */
function isSameFrame(reading: ParsedFrame, before: ParsedFrame | undefined): boolean {
  return before !== undefined && reading.function === before.function && reading.line === before.line;
}

function toFrame(reading: ParsedFrame, text: string): Frame {
  return { ...reading, ...ownerOf(reading), text: text.slice(0, frameTextCharsMax) };
}
