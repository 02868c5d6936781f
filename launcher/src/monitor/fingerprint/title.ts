// What an issue is called in a list: the first line of a report's own words, with its error type.
import type { Stack } from "../stack/stack.ts";
import { withoutSurroundings } from "./wordings.ts";

const titleCharsMax = 200;

export function titleOf({ headline }: Stack): string {
  const text = withoutSurroundings(headline).trim();
  const end = text.indexOf("\n");
  const line = (end < 0 ? text : text.slice(0, end)).trim();
  return line.length > titleCharsMax ? `${line.slice(0, titleCharsMax - 1).toWellFormed()}…` : line;
}
