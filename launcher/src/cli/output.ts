// Prints to the terminal, as text or JSON, in the reader's language. Only this module and the log write to stdout.
import { styleText } from "node:util";
import { type Config, kitCommandInWords } from "../config.ts";
import type { Say } from "../reader-language.ts";
import { type Terminal, terminal } from "./terminal.ts";

// Text from games is escaped: it may contain characters that are invisible or control the terminal.

// Matches control characters, also line breaks and tabs; format characters, which can turn text around or have no width; and
// surrogates, private and unassigned characters.
const invisible = /[\p{C}\u2028\u2029]/gu;

/** Joins two emoji into one, such as an astronaut out of a woman and a rocket. */
const joiner = /(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})/u;
const invisibleOutsideEmoji = new RegExp(`(${joiner.source})|${invisible.source}`, "gu");

/** Returns the text on one line, with `\u{…}` for each invisible character that is not part of an emoji. */
export function escapeInvisible(text: string): string {
  const shown = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  return text.replace(invisibleOutsideEmoji, (character, ofEmoji?: string) => ofEmoji ?? shown(character));
}

/** Returns the value as JSON, with JSON escapes for invisible characters, so that programs read the same value. */
export function stringifyVisible(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(invisible, (character) =>
    character === "\n" ? character : [...character].map(escapeUnits).join(""),
  );
}

const escapeUnits = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");

/** From then on the commands that are printed reach the launcher with this data directory. */
export const printCommandsFor = (config: Config): void => {
  terminal().command = config;
};

/** Returns a command of Kit to print, as a person types it: `npx kit doctor --data-dir "/srv/kit"` for `doctor`. */
export const kit = (words: string): string => kitCommandInWords(terminal().command, words);

/**
 * Translates a message of the launcher, and completes the commands that it quotes. The rest of the command line is in English, as is
 * a message without a translation.
 */
export const say: Say = (message) =>
  terminal()
    .say(message)
    .replace(/`kit ([^`]+)`/gu, (_, words) => `\`${kit(words)}\``);

export const print = (line: string): void => {
  terminal().stdout.write(`${line}\n`);
};
export const printError = (line: string): void => {
  terminal().stderr.write(`${line}\n`);
};
export const printJson = (value: unknown): void => print(stringifyVisible(value, 2));
/** Prints a JSON value on one line, for commands that print values as they arrive. */
export const printJsonLine = (value: unknown): void => print(stringifyVisible(value));

/** When the reader of stdout is gone, as in `kit tail | head`, exits silently; goes on without output if `keepsRunning`. */
export function exitWhenStdoutCloses(keepsRunning: boolean): void {
  terminal().stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (!keepsRunning) process.exit(0);
  });
}

/** Returns true if the output may have colours. */
const wantsColour = ({ env, stdout }: Terminal): boolean => !env.NO_COLOR && stdout.isTTY === true;

type Style = Parameters<typeof styleText>[0];
export const withStyle = (style: Style, text: string): string =>
  wantsColour(terminal()) ? styleText(style, text, { validateStream: false }) : text;

/** Prints rows under headings, in aligned columns. Escapes the cells. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const cells = [headings, ...rows.map((row) => row.map(escapeInvisible))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  for (const [index, row] of cells.entries()) {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
    print(index === 0 ? withStyle("bold", line) : line);
  }
}

/**
 * Returns a function that prints a name and a value on one line, or nothing for an empty value. The names fill `width`
 * columns.
 */
export const createFieldPrinter =
  (width: number) =>
  (name: string, value: string | null): void => {
    if (value !== null && value !== "") print(`${withStyle("bold", name.padEnd(width))} ${escapeInvisible(value)}`);
  };

/** Shows progress on one line of stderr, which each update overwrites. Shows nothing if stderr is not a terminal. */
export function createProgressLine(isShown = terminal().stderr.isTTY === true) {
  const { stderr } = terminal();
  const write = (text: string) => isShown && stderr.write(`\r\u001b[K${text}`);
  return { update: write, end: () => write("") };
}

/** Formats a time in the local time zone, such as `2026-05-03 10:20:00`. */
export const formatLocalTime = (iso: string): string => new Date(iso).toLocaleString("sv-SE");

/** Formats a count with its noun, such as `1 clip` or `3 clips`. */
export const countWithNoun = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** Formats bytes, such as `7.3 MB`. The units are decimal, like those of disks. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < byteUnits.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${byteUnits[unit]}`;
}

/** Formats seconds as minutes and seconds, such as `0:17` or `2:00`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
