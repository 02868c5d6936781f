// Reads a kit.events.json file. Says where in the text a syntax error is.
import { bodyBytesMax, type FieldError } from "@kit/contract";
import { t } from "../../language/language.ts";

export const eventsFileName = "kit.events.json";

/**
 * Larger files are not read. Whitespace can make a file larger than the request that sends its contents, but a file
 * larger than this must be something else.
 */
export const eventsFileBytesMax = 4 * bodyBytesMax;

export type EventsFileResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly says: string; readonly errors: readonly FieldError[] };

const rejectedFile = (says: string, errors: readonly FieldError[] = []): EventsFileResult => ({
  ok: false,
  says,
  errors,
});

/** Returns the line and column of a position as text, both counted from 1. */
function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  return t("Line {{line}}, column {{column}}", { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
}

/**
 * Returns where the error is, from the browser's error message: each browser words it differently, and one does not say
 * it.
 */
function errorPosition(text: string, why: string): string {
  const lined = /line (\d+) column (\d+)/u.exec(why);
  if (lined) return t("Line {{line}}, column {{column}}", { line: lined[1], column: lined[2] });
  const position = /position (\d+)/u.exec(why)?.[1];
  return position === undefined ? "" : lineAndColumn(text, Number(position));
}

export function readEventsFile(bytes: Uint8Array<ArrayBuffer>): EventsFileResult {
  if (bytes.byteLength > eventsFileBytesMax) return rejectedFile(t("The file is too large for a kit.events.json."));
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return rejectedFile(t("The file is not text in UTF-8."));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return rejectedFile(t("The file is not JSON."), [{ path: errorPosition(text, why), message: why }]);
  }
  const sent = new TextEncoder().encode(JSON.stringify(value)).byteLength;
  return sent > bodyBytesMax ? rejectedFile(t("The file is too large for a kit.events.json.")) : { ok: true, value };
}

export const serializeEventsFile = (file: unknown): string => `${JSON.stringify(file, null, 2)}\n`;
