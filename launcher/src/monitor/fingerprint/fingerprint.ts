// Computes the fingerprint that decides which issue a report belongs to. To change the rules, add a new version beside
// version 1: editing them would split existing issues.
import { createHash } from "node:crypto";
import type { Stack } from "../stack/stack.ts";
import { canonicalMessage } from "./canonical-message.ts";
import { messageTemplate } from "./message-template.ts";
import { type StackLocation, stackLocations } from "./stack-location.ts";

/** Maximum characters of a message that the fingerprint covers. */
const headlineCharsMax = 8_192;
const shownCharsMax = 200;

export type Fingerprint = {
  readonly version: 1;
  /** 32 hexadecimal digits. Reports of one issue have the same key. */
  readonly key: string;
  /** The input of the key. */
  readonly parts: { readonly message: string; readonly locations: readonly StackLocation[] };
  /** Sentence for people: what the report was grouped by. */
  readonly why: string;
};

export function fingerprint(stack: Stack): Fingerprint {
  const message = messageTemplate(canonicalMessage(stack.headline.slice(0, headlineCharsMax)));
  const places = stackLocations(stack.dialect, stack.frames);
  const words = JSON.stringify([1, message, ...places.map(({ function: name, file }) => [name, file])]);
  const key = createHash("sha256").update(words).digest("hex").slice(0, 32);
  return { version: 1, key, parts: { message, locations: places }, why: groupingReason(message, places) };
}

function groupingReason(message: string, places: readonly StackLocation[]): string {
  const shown = message.length > shownCharsMax ? `${message.slice(0, shownCharsMax)}…` : message;
  const says = `the message “${shown}”`;
  if (places.length === 0) {
    return `Grouped only by ${says}: the report has no readable stack. ${ignoredParts}`;
  }
  const where = places.map(locationText).join(", called by ");
  return `Grouped by ${says} and where it happened: ${where}. ${ignoredParts}`;
}

const ignoredParts = "Values in the message (shown as <…>), line numbers and build folders are ignored.";

function locationText({ function: name, file }: StackLocation): string {
  const called = name === null ? "an unnamed function" : name;
  return file === null ? called : `${called} in ${file}`;
}
