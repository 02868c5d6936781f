// GML's values and operators, as strict as in GML: a string is never a number, and a missing member is an error.

/** An error with which the runner would stop the game. */
export class GmlError extends Error {
  override name = "GmlError";
}

export function fail(message: string): never {
  throw new GmlError(message);
}

export class GmlStruct {
  readonly members: Map<string, unknown>;
  constructor(members: Iterable<readonly [string, unknown]>) {
    this.members = new Map(members);
  }
}

export const typeOf = (value: unknown): string => {
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return "array";
  if (value instanceof GmlStruct) return "struct";
  const type = typeof value;
  return type === "boolean" ? "bool" : type === "function" ? "method" : type;
};

export function number(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return fail(`unable to convert ${typeOf(value)} to number`);
}

export function bool(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value > 0.5;
  return fail(`unable to convert ${typeOf(value)} to bool`);
}

export function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value).replace("Infinity", "inf");
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(2);
  const within = (item: unknown) => (typeof item === "string" ? `"${item}"` : text(item));
  if (Array.isArray(value)) return `[ ${value.map(within).join(",")} ]`;
  if (!(value instanceof GmlStruct)) return typeOf(value);
  const own = value.members.get("toString");
  if (typeof own === "function") return text((own as () => unknown)());
  return `{ ${[...value.members].map(([name, member]) => `${name} : ${within(member)}`).join(", ")} }`;
}

function equal(a: unknown, b: unknown): boolean {
  const isNumber = (value: unknown) => typeof value === "number" || typeof value === "boolean";
  return isNumber(a) && isNumber(b) ? number(a) === number(b) : a === b;
}

function add(a: unknown, b: unknown): string | number {
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (typeof a === "string" || typeof b === "string") return fail(`unable to add ${typeOf(b)} to ${typeOf(a)}`);
  return number(a) + number(b);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  const difference = number(a) - number(b);
  // Infinities have no difference, and comparisons with NaN are false.
  return Number.isNaN(difference) && number(a) === number(b) ? 0 : difference;
}

function divided(a: unknown, b: unknown, operation: (a: number, b: number) => number): number {
  if (number(b) === 0) fail("divide by zero");
  return operation(number(a), number(b));
}

const remainder = (a: unknown, b: unknown) => divided(a, b, (x, y) => x % y);

/** Operators that evaluate both sides. */
export const binary: Readonly<Record<string, (a: unknown, b: unknown) => unknown>> = {
  "^^": (a, b) => bool(a) !== bool(b),
  xor: (a, b) => bool(a) !== bool(b),
  "==": equal,
  "=": equal,
  "!=": (a, b) => !equal(a, b),
  "<>": (a, b) => !equal(a, b),
  "<": (a, b) => compare(a, b) < 0,
  "<=": (a, b) => compare(a, b) <= 0,
  ">": (a, b) => compare(a, b) > 0,
  ">=": (a, b) => compare(a, b) >= 0,
  "|": (a, b) => number(a) | number(b),
  "^": (a, b) => number(a) ^ number(b),
  "&": (a, b) => number(a) & number(b),
  "<<": (a, b) => number(a) << number(b),
  ">>": (a, b) => number(a) >> number(b),
  "+": add,
  "-": (a, b) => number(a) - number(b),
  "*": (a, b) => number(a) * number(b),
  "/": (a, b) => divided(a, b, (x, y) => x / y),
  div: (a, b) => divided(a, b, (x, y) => Math.trunc(x / y)),
  mod: remainder,
  "%": remainder,
};

function structOf(value: unknown, name: string): GmlStruct {
  return value instanceof GmlStruct ? value : fail(`no struct to find .${name} in, but ${typeOf(value)}`);
}

export function member(value: unknown, name: string): unknown {
  const { members } = structOf(value, name);
  return members.has(name) ? members.get(name) : fail(`variable .${name} not set before reading it`);
}

/** s[$ "name"], which is undefined for a missing member. */
export function maybeMember(value: unknown, name: unknown): unknown {
  if (typeof name !== "string") return fail("the name of a member is a string");
  return structOf(value, name).members.get(name);
}

export function setMember(value: unknown, name: unknown, given: unknown): void {
  if (typeof name !== "string") return fail("the name of a member is a string");
  structOf(value, name).members.set(name, given);
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : fail(`no array to index, but ${typeOf(value)}`);
}

export function at(value: unknown, index: unknown): unknown {
  const array = arrayOf(value);
  const place = number(index);
  return place in array ? array[place] : fail(`index ${place} is out of the ${array.length} of the array`);
}

export function setAt(value: unknown, index: unknown, given: unknown): void {
  const array = arrayOf(value);
  const place = Math.trunc(number(index));
  if (place < 0) fail(`index ${place} is negative`);
  while (array.length < place) array.push(0);
  array[place] = given;
}
