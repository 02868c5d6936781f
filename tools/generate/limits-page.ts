// Generates docs/limits.md with values read from constants in the code.
// The text is in limits-frame.md; `{{file name}}` there stands for the constant `name` of that file, `{{file name unit}}` gives a
// number without a unit in its name the unit `ms` or `bytes`.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const factors = (text: string): number =>
  text.split("*").reduce((product, factor) => product * Number(factor.trim().replaceAll("_", "")), 1);

/** Reads the value of `const name = 64 * 1024;` or `name: 4_000,`. Throws if there is none. */
function constantIn(text: string, name: string, path: string): number {
  const found = new RegExp(`\\b${name}(?: =|:) ([0-9_]+(?: \\* [0-9_]+)*)[;,]`).exec(text)?.[1];
  if (found === undefined) throw new Error(`tools/generate/limits-frame.md: ${path} has no number called ${name}`);
  return factors(found);
}

const grouped = (value: number) => value.toLocaleString("en-US");

function stepped(value: number, steps: readonly (readonly [number, string])[]): string {
  const [size, unit] = steps.find(([size]) => value >= size && value % size === 0) ?? [1, steps.at(-1)?.[1]];
  return `${grouped(value / size)} ${unit}`;
}

const bytes = [
  [1024 ** 3, "GiB"],
  [1024 ** 2, "MiB"],
  [1e9, "GB"],
  [1e6, "MB"],
  [1024, "KiB"],
  [1, "bytes"],
] as const;
const times = [
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
  [1, "ms"],
] as const;

function withUnit(name: string, value: number, unit: string | undefined): string {
  if (unit === "bytes" || /Bytes/.test(name) || name === "bytesMax") return stepped(value, bytes);
  if (unit === "ms" || /Ms(Max)?$/.test(name)) return stepped(value, times);
  return grouped(value);
}

export function limitsText(root: string): string {
  const frame = readFileSync(join(root, "tools/generate/limits-frame.md"), "utf8");
  return frame.replace(/\{\{(\S+) (\w+)(?: (\w+))?\}\}/g, (_, path: string, name: string, unit?: string) =>
    withUnit(name, constantIn(readFileSync(join(root, path), "utf8"), name, path), unit),
  );
}
