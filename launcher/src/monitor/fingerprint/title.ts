// Makes the title of an issue: the first line of the message, with the type of the error.
import type { ParsedStack } from "../stack/stack.ts";
import { stripDecoration } from "./canonical-message.ts";

const titleCharsMax = 200;

export function issueTitleOf({ headline }: ParsedStack): string {
  const text = stripDecoration(headline).trim();
  const end = text.indexOf("\n");
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax - 1).toWellFormed()}…` : line;
}
