// A frame of a stack, and the parts that frames of several engines share.

export type StackDialect =
  | "gdscript"
  | "v8"
  | "gecko"
  | "gml"
  | "dotnet"
  | "mono"
  | "il2cpp"
  | "unity"
  | "native"
  | "text";

export type Frame = {
  /** The name that the engine gives, without parameters. Null for an anonymous function. */
  readonly function: string | null;
  /** Path or URL as written in the report. Null if the engine gives none. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Whether the frame belongs to the game, not to the engine, a library or the binding. */
  readonly inApp: boolean;
  /** Whose code it is if it is not the game's, such as `Unity` or a package. Null if it is the game's or unknown. */
  readonly owner: string | null;
  /** The format of this frame. A stack can mix formats, such as script and native code. */
  readonly dialect: Exclude<StackDialect, "text">;
  /** The line of the report that the frame was read from, shortened if it is long. */
  readonly text: string;
};

/** A frame as the parser of a dialect returns it. Whether it belongs to the game is decided in `owner.ts`. */
export type ParsedFrame = Omit<Frame, "inApp" | "owner" | "text">;

export type SourceLocation = Pick<ParsedFrame, "file" | "line" | "column">;

export const noSourceLocation: SourceLocation = { file: null, line: null, column: null };

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Returns where the digits at the end of `text` start. Returns `text.length` for no digits, or too many for a line number. */
export function trailingDigitsStart(text: string): number {
  let from = text.length;
  while (from > 0 && isDigit(text.charCodeAt(from - 1))) from -= 1;
  return text.length - from > 9 ? text.length : from;
}

/** Splits `:line` or `:line:column` off the end of a path or URL. */
export function parseSourceLocation(text: string): SourceLocation {
  const last = trailingDigitsStart(text);
  if (last === text.length || text[last - 1] !== ":") return { ...noSourceLocation, file: text };
  const rest = text.slice(0, last - 1);
  const number = Number(text.slice(last));
  const first = trailingDigitsStart(rest);
  if (first === rest.length || rest[first - 1] !== ":") return { file: rest, line: number, column: null };
  return { file: rest.slice(0, first - 1), line: Number(rest.slice(first)), column: number };
}

/** Returns the position of the parenthesis that closes the one at `open`, or -1. */
export function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Whether a path names a file of C or C++, which no game script is written in. */
export const isNativeFile = (file: string): boolean => /\.(?:c|cc|cpp|cxx|h|hpp|inc|mm)$/i.test(file);
