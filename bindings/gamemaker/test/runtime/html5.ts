// Built-ins in which the official HTML5 runtime differs from the manual. A test passes them to a game as `functions`.
import type { Functions } from "./texts.ts";
import { fail, text, typeOf } from "./values.ts";

const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff;
const halvesIn = (value: string) => [...Array(value.length).keys()].filter((at) => isHalf(value.charCodeAt(at))).length;

/** An object of the page, such as a JavaScript error. GML calls it a struct, but it lacks a struct's functions. */
const isForeign = (value: unknown) => typeOf(value) === "object";

/** Only numbers that fit into 32 bits count as whole numbers. */
function written(value: unknown): string {
  return typeof value === "number" && Number.isFinite(value) && (value | 0) !== value ? value.toFixed(2) : text(value);
}

/** Texts are parsed instead of refused. */
function truth(value: unknown): boolean {
  if (value === undefined) return false;
  if (value === "true" || value === "false") return value === "true";
  const number = Number.parseFloat(String(value === true ? 1 : value === false ? 0 : value));
  return Number.isNaN(number) ? fail(`unable to convert string ${String(value)} to bool`) : number > 0.5;
}

/** Each half of a surrogate pair counts, so after a pair too much is skipped or copied. */
function copied(value: string, index: number, count: number): string {
  const skipped = Math.max(1, index) - 1;
  const from = skipped + halvesIn(value.slice(0, skipped));
  return value.slice(from, from + count + halvesIn(value.slice(from, from + count)));
}

export const html5: Functions = {
  string: written,
  bool: truth,
  string_copy: copied,
  string_join_ext: (between: string, values: unknown[]) => values.map(written).join(between),
  typeof: (value: unknown) => (isForeign(value) ? "struct" : typeOf(value)),
  // A refused request returns -1.
  http_request: () => -1,
};
