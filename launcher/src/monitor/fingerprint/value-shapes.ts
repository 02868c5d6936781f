// Recognises values at one position in text: dates, times, network addresses, ids, numbers.

const isDigit = (code: number) => code >= 48 && code <= 57;
const isHex = (code: number) => isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
/** Whether the character is a letter of any script, a digit or an underscore. */
const isWord = (code: number) =>
  isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code > 191;

export const isDigitAt = (text: string, at: number): boolean => isDigit(text.charCodeAt(at));
export const isWordAt = (text: string, at: number): boolean => isWord(text.charCodeAt(at));

/**
 * Whether `text` has this shape at `at`. In a shape, `d` is any digit, `h` any hexadecimal digit; other characters are
 * themselves.
 */
function hasShape(shape: string, text: string, at: number): boolean {
  for (let index = 0; index < shape.length; index += 1) {
    const code = text.charCodeAt(at + index);
    if (
      shape[index] === "d" ? !isDigit(code) : shape[index] === "h" ? !isHex(code) : shape[index] !== text[at + index]
    ) {
      return false;
    }
  }
  return true;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigitAt(text, end)) end += 1;
  return end;
}

export function endOfWord(text: string, at: number): number {
  let end = at;
  while (isWordAt(text, end)) end += 1;
  return end;
}

export type FoundValue = { readonly kind: string; readonly end: number };

const dates = ["dddd-dd-dd", "dddd/dd/dd", "dd/dd/dddd", "dd.dd.dddd"];
const times = ["dd:dd:dd", "d:dd:dd", "dd:dd"];
const uuid = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";

/** Finds the value that starts at a digit or at the first letter of a word. Returns undefined for a plain number or word. */
export function findValueAt(text: string, at: number): FoundValue | undefined {
  if (hasShape(uuid, text, at) && !isWordAt(text, at + uuid.length)) return { kind: "uuid", end: at + uuid.length };
  if (!isDigitAt(text, at)) return undefined;
  const date = dates.find((shape) => hasShape(shape, text, at) && !isDigitAt(text, at + shape.length));
  if (date) return { kind: "date", end: timeEnd(text, at + date.length) };
  const time = times.find((shape) => hasShape(shape, text, at) && !isDigitAt(text, at + shape.length));
  if (time) return { kind: "time", end: fractionEnd(text, at + time.length) };
  return networkAddress(text, at);
}

function timeEnd(text: string, at: number): number {
  const from = text[at] === "T" || text[at] === " " ? at + 1 : -1;
  const time = from < 0 ? undefined : times.find((shape) => hasShape(shape, text, from));
  if (time === undefined) return at;
  const end = fractionEnd(text, from + time.length);
  if (text[end] === "Z") return end + 1;
  const zone = ["+dd:dd", "-dd:dd", "+dddd", "-dddd"].find((shape) => hasShape(shape, text, end));
  return end + (zone?.length ?? 0);
}

const fractionEnd = (text: string, at: number) =>
  (text[at] === "." || text[at] === ",") && isDigitAt(text, at + 1) ? digitsEnd(text, at + 1) : at;

function networkAddress(text: string, at: number): FoundValue | undefined {
  let end = at;
  for (let part = 0; part < 4; part += 1) {
    const from = part === 0 ? end : end + 1;
    if (part > 0 && text[end] !== ".") return undefined;
    end = Math.min(digitsEnd(text, from), from + 4);
    if (end === from || end > from + 3) return undefined;
  }
  const port = text[end] === ":" && isDigitAt(text, end + 1) ? digitsEnd(text, end + 1) : end;
  return { kind: "ip", end: port };
}

const timeUnits = new Set(["ns", "us", "µs", "ms", "s", "sec", "secs", "seconds", "min", "h"]);

/** Reads a number with digit groups, fraction, exponent and unit. `at` is the position of its first digit. */
export function readNumberAt(text: string, at: number): FoundValue {
  let end = digitsEnd(text, at);
  while ((text[end] === "." || text[end] === "," || text[end] === "_") && isDigitAt(text, end + 1)) {
    end = digitsEnd(text, end + 1);
  }
  if ((text[end] === "e" || text[end] === "E") && /[-+\d]/.test(text[end + 1] ?? "")) {
    const exponent = digitsEnd(text, end + (isDigitAt(text, end + 1) ? 1 : 2));
    if (isDigitAt(text, exponent - 1)) end = exponent;
  }
  const unit = text.slice(end, Math.min(endOfWord(text, end), end + 8));
  if (timeUnits.has(unit)) return { kind: "duration", end: end + unit.length };
  return { kind: "number", end };
}

/** Classifies a word that contains digits. Returns undefined for a name with a number in it. */
export function idKindOfWord(word: string): string | undefined {
  if (word.startsWith("0x") || word.startsWith("0X")) return "hex";
  let hex = true;
  let digits = 0;
  let changes = 0;
  for (let at = 0; at < word.length; at += 1) {
    const digit = isDigitAt(word, at);
    if (digit) digits += 1;
    if (at > 0 && digit !== isDigitAt(word, at - 1)) changes += 1;
    hex &&= isHex(word.charCodeAt(at));
  }
  // A code address is padded with zeros, and can have no letter by chance.
  if (digits === word.length) return word.startsWith("0") && (digits === 8 || digits === 16) ? "hex" : undefined;
  if (digits === 0) return undefined;
  if (hex && word.length >= 8) return "hex";
  return changes >= 4 && word.length >= 8 && !word.includes("_") ? "id" : undefined;
}
