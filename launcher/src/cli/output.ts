// Prints to the terminal, as text or JSON. Only this module and the log write to stdout.
import { styleText } from "node:util";
import { wantsColour } from "../config.ts";
import { escapeInvisible, stringifyVisible } from "./escape.ts";

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
export const printError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
export const printJson = (value: unknown): void => print(stringifyVisible(value, 2));
/** Prints one JSON value per line, for streams. */
export const printJsonLine = (value: unknown): void => print(stringifyVisible(value));

/** Exits silently when the reader of a pipe closes it, as in `kit tail | head`. The launcher ignores that and keeps running. */
export function exitWhenStdoutCloses(keepsRunning: boolean): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!keepsRunning) process.exit(0);
  });
}

type Style = Parameters<typeof styleText>[0];
export const styled = (style: Style, text: string): string =>
  wantsColour() ? styleText(style, text, { validateStream: false }) : text;

/** Formats a time in the local time zone, as in 2026-05-03 10:20:00. */
export const localTime = (iso: string): string => new Date(iso).toLocaleString("sv-SE");

/** Prints rows under headings, with aligned columns and escaped cells. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = [headings, ...rows.map((row) => row.map(escapeInvisible))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  for (const [index, row] of cells.entries()) {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
    print(index === 0 ? styled("bold", line) : line);
  }
}
