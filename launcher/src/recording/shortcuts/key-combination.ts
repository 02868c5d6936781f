// Hotkeys as a person writes them, such as Ctrl+Alt+S or F9.

export type Modifier = "Ctrl" | "Alt" | "Shift" | "Super";

export type KeyCombination = {
  /** In the order of `modifierNames`. */
  readonly modifiers: readonly Modifier[];
  /** E.g. `S` or `F9`. */
  readonly key: string;
  /** The key's symbol in X11. */
  readonly symbol: number;
};

const modifierNames: readonly Modifier[] = ["Ctrl", "Alt", "Shift", "Super"];
const otherModifierNames: Readonly<Record<string, Modifier>> = {
  control: "Ctrl",
  strg: "Ctrl",
  option: "Alt",
  win: "Super",
  meta: "Super",
  cmd: "Super",
};

/** Keys that type nothing. They may be hotkeys without a modifier. */
const quietKeys: ReadonlyMap<string, number> = new Map([
  ...Array.from({ length: 24 }, (_, index) => [`F${index + 1}`, 0xffbe + index] as const),
  ["Pause", 0xff13],
  ["ScrollLock", 0xff14],
  ["Print", 0xff61],
  ["Insert", 0xff63],
]);
const letters = Array.from(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  (letter) => [letter, letter.toLowerCase().charCodeAt(0)] as const,
);
const digits = Array.from("0123456789", (digit) => [digit, digit.charCodeAt(0)] as const);
const keys: ReadonlyMap<string, number> = new Map([
  ...quietKeys,
  ...letters,
  ...digits,
  ["Space", 0x20],
  ["Home", 0xff50],
  ["End", 0xff57],
  ["PageUp", 0xff55],
  ["PageDown", 0xff56],
]);

const matching = <T extends string>(names: Iterable<T>, word: string): T | undefined =>
  [...names].find((name) => name.toLowerCase() === word.toLowerCase());

/** Returns undefined unless the text names one key, with Ctrl, Alt or Super if the key alone types something. */
export function parseKeyCombination(text: string): KeyCombination | undefined {
  const words = text.split("+").map((word) => word.trim());
  const key = matching(keys.keys(), words.pop() ?? "");
  const named = words.map((word) => matching(modifierNames, word) ?? otherModifierNames[word.toLowerCase()]);
  if (key === undefined || named.includes(undefined)) return undefined;
  const modifiers = modifierNames.filter((name) => named.includes(name));
  const typesNothing = quietKeys.has(key) || modifiers.some((name) => name !== "Shift");
  return typesNothing ? { modifiers, key, symbol: keys.get(key) ?? 0 } : undefined;
}

export const formatKeyCombination = ({ modifiers, key }: KeyCombination): string => [...modifiers, key].join("+");
