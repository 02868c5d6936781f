// Computes the fingerprint that decides which issue a report belongs to.

import { createHash } from "node:crypto";
import type { Message, MessageOrText } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ParsedStack } from "../stack/stack.ts";
import { canonicalMessage } from "./headline.ts";
import { messageTemplateOf } from "./message-template.ts";
import { type StackLocation, stackLocations } from "./stack-location.ts";

/**
 * Version of the rules by which reports are read and named. To be increased with each change of them: the next start then reads
 * the stored reports again, so that no known error becomes a new one.
 */
export const rulesVersion = 2;

/** Maximum characters of a message that the fingerprint covers. */
const headlineCharsMax = 8_192;
/** Maximum number of the game's own exceptions around the cause that the fingerprint covers. */
const wrappersMax = 4;
const shownCharsMax = 200;

export type Fingerprint = {
  readonly version: number;
  /** 32 hexadecimal digits. Reports of one issue have the same key. */
  readonly key: string;
  /** What the key was computed from. */
  readonly parts: { readonly message: string; readonly locations: readonly StackLocation[] };
  /** Tells people what the report was grouped by. */
  readonly why: Message;
};

export function fingerprintOf(stack: ParsedStack): Fingerprint {
  const templateOf = (text: string) =>
    messageTemplateOf(canonicalMessage(text.slice(0, headlineCharsMax), stack.dialect));
  const template = templateOf(stack.headline);
  const wrappers = stack.wrappers.slice(0, wrappersMax).map(templateOf);
  const places = stackLocations(stack.frames);
  // The 1 never changes: an error that all rules read alike keeps its key, by which other servers know it.
  const words = JSON.stringify([1, template, ...wrappers, ...places.map(({ function: name, file }) => [name, file])]);
  const key = createHash("sha256").update(words).digest("hex").slice(0, 32);
  const why = groupingReason(template, places);
  return { version: rulesVersion, key, parts: { message: template, locations: places }, why };
}

function groupingReason(template: string, places: readonly StackLocation[]): Message {
  const shown = template.length > shownCharsMax ? `${template.slice(0, shownCharsMax)}…` : template;
  const [first, ...callers] = places.map(locationMessage);
  if (first === undefined) return message("issue.grouped_by_message", { message: shown });
  const place = callers.reduce<MessageOrText>(
    (inner, caller) => message("issue.called_by", { place: inner, caller }),
    first,
  );
  return message("issue.grouped_by_place", { message: shown, place });
}

function locationMessage({ function: name, file }: StackLocation): MessageOrText {
  const called = name === null ? message("issue.unnamed_function") : name;
  return file === null ? called : message("issue.function_in_file", { function: called, file });
}
