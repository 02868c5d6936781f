// GML's operators: which bind more, and what each becomes.

/** From what binds least to what binds most. */
const levels: readonly (readonly string[])[] = [
  ["||", "or"],
  ["^^", "xor"],
  ["&&", "and"],
  ["??"],
  ["==", "=", "!=", "<>"],
  ["<", "<=", ">", ">="],
  ["|"],
  ["^"],
  ["&"],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "div", "mod", "%"],
];

/** How much an operator binds; -1 when it is none. */
export const levelOf = (operator: string) => levels.findIndex((level) => level.includes(operator));

/** Operators that do not look at both sides first. */
const shortCuts: Readonly<Record<string, (a: string, b: string) => string>> = {
  "||": (a, b) => `(rt.bool(${a})||rt.bool(${b}))`,
  or: (a, b) => `(rt.bool(${a})||rt.bool(${b}))`,
  "&&": (a, b) => `(rt.bool(${a})&&rt.bool(${b}))`,
  and: (a, b) => `(rt.bool(${a})&&rt.bool(${b}))`,
  "??": (a, b) => `(${a}??${b})`,
};

export function binaryCode(operator: string, a: string, b: string): string {
  return shortCuts[operator]?.(a, b) ?? `rt.binary[${JSON.stringify(operator)}](${a},${b})`;
}
