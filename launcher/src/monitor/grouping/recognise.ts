// What a report is, in the words an issue is kept in. A game that throws in every frame sends the same text over and
// over: that is read once.
import type { IssueCulprit } from "@kit/contract";
import { fingerprint } from "../fingerprint/fingerprint.ts";
import { titleOf } from "../fingerprint/title.ts";
import { type Dialect, parseStack } from "../stack/stack.ts";

export type Recognised = {
  readonly version: number;
  readonly key: string;
  readonly title: string;
  readonly dialect: Dialect;
  readonly why: string;
  readonly culprit: IssueCulprit | null;
};

const textsMax = 1_000;
const charsMax = 4 * 1024 * 1024;
/** The innermost calls tell kinds apart; a stack may hold 128 KiB, and reading all of it takes eight milliseconds. */
const stackCharsMax = 16_384;

/** Whole lines only: half a line would be another place. */
function headOf(stackTrace: string): string {
  if (stackTrace.length <= stackCharsMax) return stackTrace;
  const end = stackTrace.lastIndexOf("\n", stackCharsMax);
  return stackTrace.slice(0, end > 0 ? end : stackCharsMax);
}

function read(message: string, stackTrace: string): Recognised {
  const stack = parseStack(message, stackTrace);
  const { version, key, parts, why } = fingerprint(stack);
  const [place = null] = parts.places;
  const title = titleOf(stack).toWellFormed() || "An error without words";
  const culprit = place && { function: wellFormed(place.function), file: wellFormed(place.file) };
  return { version, key, title, dialect: stack.dialect, why: why.toWellFormed(), culprit };
}

const wellFormed = (text: string | null) => text?.toWellFormed() ?? null;

/** Remembers the texts it read last, as far as they fit. */
export function createRecogniser(): (message: string, stackTrace: string) => Recognised {
  const known = new Map<string, Recognised>();
  /** Of a flood each is like the one before it. */
  let last: { text: string; found: Recognised } | undefined;
  let chars = 0;
  const forgetOldest = () => {
    const [oldest = ""] = known.keys();
    known.delete(oldest);
    chars -= oldest.length;
  };
  return (message, stackTrace) => {
    const stack = headOf(stackTrace);
    const text = `${message.length} ${message}${stack}`;
    if (text === last?.text) return last.found;
    const found = known.get(text) ?? read(message, stack);
    last = { text, found };
    if (!known.delete(text)) chars += text.length;
    known.set(text, found);
    while (known.size > textsMax || chars > charsMax) forgetOldest();
    return found;
  };
}
