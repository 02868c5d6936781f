// GML's operators: their precedence, and the code that each becomes.

/** From the lowest precedence to the highest. */
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

/** The precedence of an operator, or -1 for any other text. */
export const levelOf = (operator: string) => levels.findIndex((level) => level.includes(operator));

/** Operators that may skip their right side. */
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
