// Derives fingerprint, title and location from a report. Caches results, because a game that throws in every frame sends the
// same text repeatedly.

import type { IssueCulprit } from "@kit/contract";
import { changeTexts, type Message } from "@kit/contract";
import { fingerprintOf } from "../fingerprint/fingerprint.ts";
import { issueTitleOf } from "../fingerprint/headline.ts";
import { parseStack, type StackDialect } from "../stack/stack.ts";

export type ReportAnalysis = {
  readonly version: number;
  readonly key: string;
  readonly title: string;
  readonly dialect: StackDialect;
  readonly why: Message;
  readonly culprit: IssueCulprit | null;
};

const cachedTextsMax = 1_000;
const cachedCharsMax = 4 * 1024 * 1024;
/** Only this many characters of a stack are analysed: the innermost calls suffice, and 128 KiB would take 8 ms. */
const stackCharsMax = 16_384;

/** Cuts the stack at the end of a line, because half a line would be read as a different location. */
function innermostFrames(stackTrace: string): string {
  if (stackTrace.length <= stackCharsMax) return stackTrace;
  const end = stackTrace.lastIndexOf("\n", stackCharsMax);
  return stackTrace.slice(0, end > 0 ? end : stackCharsMax);
}

function analyse(message: string, stackTrace: string): ReportAnalysis {
  const stack = parseStack(message, stackTrace);
  const { version, key, parts, why } = fingerprintOf(stack);
  const [place = null] = parts.locations;
  const title = issueTitleOf(stack).toWellFormed() || "Error without a message";
  const culprit = place && { function: wellFormed(place.function), file: wellFormed(place.file) };
  return { version, key, title, dialect: stack.dialect, why: changeTexts(why, (text) => text.toWellFormed()), culprit };
}

const wellFormed = (text: string | null) => text?.toWellFormed() ?? null;

/**
 * Returns a function that analyses a report. It keeps the results of the texts analysed last, up to a maximum of texts and of
 * characters.
 */
export function createReportAnalyser(): (message: string, stackTrace: string) => ReportAnalysis {
  const known = new Map<string, ReportAnalysis>();
  /** The previous result, because in a flood a report usually equals the one before it. */
  let last: { text: string; found: ReportAnalysis } | undefined;
  let chars = 0;
  const forgetOldest = () => {
    const [oldest = ""] = known.keys();
    known.delete(oldest);
    chars -= oldest.length;
  };
  return (message, stackTrace) => {
    const stack = innermostFrames(stackTrace);
    const text = `${message.length} ${message}${stack}`;
    if (text === last?.text) return last.found;
    const found = known.get(text) ?? analyse(message, stack);
    last = { text, found };
    if (!known.delete(text)) chars += text.length;
    known.set(text, found);
    while (known.size > cachedTextsMax || chars > cachedCharsMax) forgetOldest();
    return found;
  };
}
