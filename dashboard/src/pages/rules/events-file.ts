// A kit.events.json as it comes from a disk: whether it can be read at all, and where it breaks off. Pure.
import { bodyBytesMax, type FieldError } from "@kit/contract";
import { t } from "../../language/language.ts";

/** Its name is the same in every language. */
export const eventsFileName = "kit.events.json";

/** Blanks make a file larger than what is sent of it; far beyond that it is something else. */
export const fileBytesMax = 4 * bodyBytesMax;

export type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly says: string; readonly errors: readonly FieldError[] };

const refused = (says: string, errors: readonly FieldError[] = []): Read => ({ ok: false, says, errors });

/** Line and column of a place in a text, both from 1. */
function placeOf(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  return t("Line {{line}}, column {{column}}", { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
}

/** Each browser says it in its own words; one says nothing. */
function whereIn(text: string, why: string): string {
  const lined = /line (\d+) column (\d+)/u.exec(why);
  if (lined) return t("Line {{line}}, column {{column}}", { line: lined[1], column: lined[2] });
  const position = /position (\d+)/u.exec(why)?.[1];
  return position === undefined ? "" : placeOf(text, Number(position));
}

export function readEventsFile(bytes: Uint8Array<ArrayBuffer>): Read {
  if (bytes.byteLength > fileBytesMax) return refused(t("The file is too large for a kit.events.json."));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refused(t("The file is not text in UTF-8."));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused(t("The file is not JSON."), [{ path: whereIn(text, why), message: why }]);
  }
  const sent = new TextEncoder().encode(JSON.stringify(value)).byteLength;
  return sent > bodyBytesMax ? refused(t("The file is too large for a kit.events.json.")) : { ok: true, value };
}

/** As a developer keeps it beside the game. */
export const fileTextOf = (file: unknown): string => `${JSON.stringify(file, null, 2)}\n`;
