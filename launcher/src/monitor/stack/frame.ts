// Types of a parsed stack, independent of the engine.
export type StackDialect = "gdscript" | "v8" | "gecko" | "gml" | "dotnet" | "mono" | "il2cpp" | "unity" | "text";

export type Frame = {
  /** The name that the engine gives, without parameters. Null for an anonymous function. */
  readonly function: string | null;
  /** Path or URL as written in the report. Null if the engine gives none. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Whether the frame belongs to the game, not to the engine, a library or the binding. */
  readonly inApp: boolean;
  /** The line of the report that the frame was read from, shortened if it is long. */
  readonly text: string;
};

/** A frame as the parser of a dialect returns it. Whether it belongs to the game is decided in `stack.ts`. */
export type ParsedFrame = {
  readonly dialect: Exclude<StackDialect, "text">;
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
};

export type SourceLocation = Pick<ParsedFrame, "file" | "line" | "column">;

export const noSourceLocation: SourceLocation = { file: null, line: null, column: null };

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Returns where the digits at the end of `text` start. Returns `text.length` for no digits, or too many for a line number. */
function trailingDigitsStart(text: string): number {
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
