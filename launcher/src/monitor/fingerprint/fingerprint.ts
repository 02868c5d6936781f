// Tells which issue a report belongs to. Version 1; a change of its rules is a new version beside this one, never an edit.
import { createHash } from "node:crypto";
import type { Stack } from "../stack/stack.ts";
import { normalise } from "./normalise.ts";
import { type Place, placesOf } from "./place.ts";
import { ownWords } from "./wordings.ts";

/** Longer messages are told apart by this much of them. */
const headlineCharsMax = 8_192;
const shownCharsMax = 200;

export type Fingerprint = {
  readonly version: 1;
  /** 32 hexadecimal digits; equal for reports of one issue. */
  readonly key: string;
  /** What the key is made of. */
  readonly parts: { readonly message: string; readonly places: readonly Place[] };
  /** For people: by what the report was grouped. */
  readonly why: string;
};

export function fingerprint(stack: Stack): Fingerprint {
  const message = normalise(ownWords(stack.headline.slice(0, headlineCharsMax)));
  const places = placesOf(stack.dialect, stack.frames);
  const words = JSON.stringify([1, message, ...places.map(({ function: name, file }) => [name, file])]);
  const key = createHash("sha256").update(words).digest("hex").slice(0, 32);
  return { version: 1, key, parts: { message, places }, why: whyOf(message, places) };
}

function whyOf(message: string, places: readonly Place[]): string {
  const shown = message.length > shownCharsMax ? `${message.slice(0, shownCharsMax)}…` : message;
  const says = `the message “${shown}”`;
  if (places.length === 0) {
    return `Grouped by ${says} alone: the report has no stack that could be read. ${played}`;
  }
  const where = places.map(wordsOf).join(", called by ");
  return `Grouped by ${says} and the place it happened, ${where}. ${played}`;
}

const played = "Values in the message (shown as <…>), line numbers and build folders play no part.";

function wordsOf({ function: name, file }: Place): string {
  const called = name === null ? "a function without a name" : name;
  return file === null ? called : `${called} in ${file}`;
}
