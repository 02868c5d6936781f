// Reads a kit.events.json file and finds the position of a syntax error.
import { bodyBytesMax, type FieldError } from "@kit/contract";
import { t } from "../../../language/language.ts";

export const eventsFileName = "kit.events.json";

/** Maximum size that is read. Whitespace can make a file larger than its request; anything beyond this is another kind of file. */
export const fileBytesMax = 4 * bodyBytesMax;

export type ReadResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly says: string; readonly errors: readonly FieldError[] };

const rejectedFile = (says: string, errors: readonly FieldError[] = []): ReadResult => ({ ok: false, says, errors });

/** Names the line and column of a position, counted from 1. */
function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  return t("Line {{line}}, column {{column}}", { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
}

/** Finds the position in the browser's error message. Each browser words it differently, and one omits it. */
function errorPosition(text: string, why: string): string {
  const lined = /line (\d+) column (\d+)/u.exec(why);
  if (lined) return t("Line {{line}}, column {{column}}", { line: lined[1], column: lined[2] });
  const position = /position (\d+)/u.exec(why)?.[1];
  return position === undefined ? "" : lineAndColumn(text, Number(position));
}

export function readEventsFile(bytes: Uint8Array<ArrayBuffer>): ReadResult {
  if (bytes.byteLength > fileBytesMax) return rejectedFile(t("The file is too large for a kit.events.json."));
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
