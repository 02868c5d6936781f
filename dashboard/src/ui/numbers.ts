// Reads numbers that a person typed, in the way of the reader's language, and writes them for a field. Pure except for the
// current language.
import { locale } from "../language/language.ts";

export type NumberReading =
  | { readonly is: "number"; readonly value: number }
  /** The text can mean two numbers, the smaller first: 1.000 is one, or a thousand. */
  | { readonly is: "unclear"; readonly readings: readonly [number, number] }
  | { readonly is: "none" };

type Mark = "." | ",";
const otherMark = (mark: Mark): Mark => (mark === "." ? "," : ".");

const groups = { ".": /^\d{1,3}(?:\.\d{3})+$/u, ",": /^\d{1,3}(?:,\d{3})+$/u, " ": /^\d{1,3}(?: \d{3})+$/u } as const;
const startsWithZero = /^0/u;

/** Reads the text with this decimal mark. Digits may be grouped in threes by the other mark or by spaces. */
function readWith(text: string, decimal: Mark): number | undefined {
  const [whole = "", part = "", ...more] = text.split(decimal);
  if (more.length > 0 || !/^\d*$/u.test(part) || whole + part === "") return undefined;
  const isGrouped = groups[otherMark(decimal)].test(whole) || groups[" "].test(whole);
  if (isGrouped ? startsWithZero.test(whole) : !/^\d*$/u.test(whole)) return undefined;
  return Number(`${whole.replace(/\D/gu, "") || "0"}.${part || "0"}`);
}

const partOf = (tag: string | undefined, type: "decimal" | "group"): string | undefined =>
  new Intl.NumberFormat(tag, { numberingSystem: "latn" }).formatToParts(12_345.5).find((part) => part.type === type)
    ?.value;

/** Returns what a typed text means. A mark that ends a group in the reader's language does so where it can. */
export function readNumber(typed: string, tag = locale()): NumberReading {
  // NFKC turns full-width digits and special spaces into plain ones.
  const text = typed.normalize("NFKC").trim().replace(/['’]/gu, " ").replace(/^[-−]/u, "-");
  const sign = text.startsWith("-") ? -1 : 1;
  const [point, comma] = ([".", ","] as const).map((mark) => readWith(sign < 0 ? text.slice(1) : text, mark));
  const values = [...new Set([point, comma].flatMap((value) => (value === undefined ? [] : [sign * value])))];
  const [first, second] = values;
  if (first === undefined) return { is: "none" };
  if (second === undefined) return { is: "number", value: first };
  // Both can be meant only if the text has one mark, with three digits behind it.
  const mark: Mark = text.includes(",") ? "," : ".";
  if (partOf(tag, "group") === mark) return { is: "number", value: sign * Math.max(...values.map(Math.abs)) };
  return { is: "unclear", readings: [Math.min(first, second), Math.max(first, second)] };
}

/** Returns the only number that the text means; undefined if it means none, or can mean two. */
export function clearNumber(typed: string): number | undefined {
  const reading = readNumber(typed);
  return reading.is === "number" ? reading.value : undefined;
}

/** Writes a number for a field: with the decimal mark of the reader's language, and so that it means only this number. */
export function writeNumber(value: number, tag = locale()): string {
  const plain = String(value);
  const mark = partOf(tag, "decimal") === "," ? "," : ".";
  const isUnclear = readNumber(plain.replace(".", mark), tag).is === "unclear";
  return `${plain}${isUnclear ? "0" : ""}`.replace(".", mark);
}
