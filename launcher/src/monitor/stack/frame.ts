// What a stack is once it is read: frames in the words of no engine in particular.
export type Dialect = "gdscript" | "v8" | "gecko" | "gml" | "dotnet" | "mono" | "il2cpp" | "unity" | "text";

export type Frame = {
  /** As the engine names it, without parameters. Null where it is anonymous. */
  readonly function: string | null;
  /** Path or URL as written; null where the engine gives none. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** False for frames of the engine, its libraries and the binding: not the game's own code. */
  readonly inApp: boolean;
  /** The line of the report it was read from, cut when long. */
  readonly text: string;
};

/** A frame as a dialect reads it; whose code it is gets decided for all dialects in one place. */
export type Reading = {
  readonly dialect: Exclude<Dialect, "text">;
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
};

export type Location = Pick<Reading, "file" | "line" | "column">;

export const nowhere: Location = { file: null, line: null, column: null };

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Where the digits at the end of `text` begin; `text.length` when there are none, or too many for a line number. */
function digitsFrom(text: string): number {
  let from = text.length;
  while (from > 0 && isDigit(text.charCodeAt(from - 1))) from -= 1;
  return text.length - from > 9 ? text.length : from;
}

/** Splits `:line` or `:line:column` off the end of a path or URL. */
export function locationOf(text: string): Location {
  const last = digitsFrom(text);
  if (last === text.length || text[last - 1] !== ":") return { ...nowhere, file: text };
  const rest = text.slice(0, last - 1);
  const number = Number(text.slice(last));
  const first = digitsFrom(rest);
  if (first === rest.length || rest[first - 1] !== ":") return { file: rest, line: number, column: null };
  return { file: rest.slice(0, first - 1), line: Number(rest.slice(first)), column: number };
}
