// What commands print: for people by default, JSON on demand. The only writer of stdout beside the log.
import { styleText } from "node:util";
import { wantsColour } from "../config.ts";
import { visible, visibleJson } from "./visible.ts";

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
export const printError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
export const printJson = (value: unknown): void => print(visibleJson(value, 2));
/** One value a line, for streams. */
export const printJsonLine = (value: unknown): void => print(visibleJson(value));

/** `kit tail | head` ends when head does, without a word. A launcher goes on: nobody has to read what it says. */
export function endWithReader(goesOn: boolean): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!goesOn) process.exit(0);
  });
}

type Style = Parameters<typeof styleText>[0];
export const styled = (style: Style, text: string): string =>
  wantsColour() ? styleText(style, text, { validateStream: false }) : text;

/** Rows under headings, each column as wide as its widest cell. Cells are made visible. */
/** As the clock on the wall says it, in an order that sorts. */
export const localTime = (iso: string): string => new Date(iso).toLocaleString("sv-SE");

export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = [headings, ...rows.map((row) => row.map(visible))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  for (const [index, row] of cells.entries()) {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
    print(index === 0 ? styled("bold", line) : line);
  }
}
