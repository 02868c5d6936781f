// Built-in functions about strings, arrays, numbers and types. Characters are Unicode code points, counted from 1.
import { bool, GmlStruct, text, typeOf } from "./values.ts";

export type Functions = Readonly<Record<string, (...given: never[]) => unknown>>;

const characters = (value: string) => [...value];

/** GML rounds halves to the even neighbour. */
function round(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : rounded;
}

function format(value: number, total: number, decimals: number): string {
  const [whole = "", rest] = value.toFixed(decimals).split(".");
  return whole.padStart(total, " ") + (rest === undefined ? "" : `.${rest}`);
}

export const texts: Functions = {
  string: text,
  chr: (code: number) => String.fromCodePoint(code),
  string_length: (value: string) => characters(value).length,
  string_char_at: (value: string, index: number) => characters(value)[Math.max(1, index) - 1] ?? "",
  string_copy: (value: string, index: number, count: number) =>
    characters(value)
      .slice(Math.max(1, index) - 1, Math.max(1, index) - 1 + Math.max(0, count))
      .join(""),
  string_pos: (part: string, value: string) => {
    const found = value.indexOf(part);
    return found < 0 ? 0 : characters(value.slice(0, found)).length + 1;
  },
  string_lower: (value: string) => value.toLowerCase(),
  string_starts_with: (value: string, part: string) => value.startsWith(part),
  string_replace_all: (value: string, part: string, other: string) =>
    part ? value.replaceAll(part, () => other) : value,
  string_format: format,
  string_join_ext: (between: string, values: unknown[]) => values.map(text).join(between),
};

export const values: Functions = {
  typeof: typeOf,
  bool,
  is_string: (value: unknown) => typeof value === "string",
  is_bool: (value: unknown) => typeof value === "boolean",
  is_numeric: (value: unknown) => typeof value === "number" || typeof value === "boolean",
  is_struct: (value: unknown) => value instanceof GmlStruct,
  is_method: (value: unknown) => typeof value === "function",
  is_undefined: (value: unknown) => value === undefined,
  array_create: (size: number, value: unknown = 0) => new Array<unknown>(size).fill(value),
  array_length: (array: unknown[]) => array.length,
  array_push: (array: unknown[], ...given: unknown[]) => void array.push(...given),
  round,
  floor: Math.floor,
  max: Math.max,
  min: Math.min,
  clamp: (value: number, least: number, most: number) => Math.min(Math.max(value, least), most),
};

type Check = (value: unknown) => boolean;
const isNumber: Check = (value) => typeof value === "number" || typeof value === "boolean";
const checks: Readonly<Record<string, Check>> = {
  String: (value) => typeof value === "string",
  Real: isNumber,
  Bool: isNumber,
  Array: Array.isArray,
  Struct: (value) => value instanceof GmlStruct,
  Function: (value) => typeof value === "function",
};

/** Whether a value fits the `types` of the official list. Ids and constants of any kind are numbers. */
export function fits(value: unknown, types: string): boolean {
  return types.split(",").some((type) => {
    const name = type.replace(/[[<].*$/, "");
    if (/^(Id|Constant|Asset)\./.test(name)) return typeof value === "number";
    return checks[name]?.(value) ?? true;
  });
}
