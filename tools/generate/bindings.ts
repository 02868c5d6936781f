// What is generated for bindings: the contract's constants in each binding, because bindings import nothing, and the table of
// bindings/README.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildCharsMax,
  defaultPort,
  quitFlushMsMax,
  reportError,
  requestsPendingMax,
  requestTimeoutMs,
  triggerRecording,
  triggerSocial,
  uncaughtPerSecondMax,
} from "@kit/contract";
import type { Member } from "../../bindings/binding.ts";
import { bindings } from "../../bindings/bindings.ts";
import type { GeneratedFile } from "./drifted.ts";

const readme = "bindings/README.md";
const referenceMarks = /(<!-- reference:.*-->\n)[\s\S]*?(<!-- \/reference -->)/;

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;

const parts = {
  taken: "package",
  entry: "entry",
  recording: "recording",
  monitor: "monitor",
  social: "social",
  settings: "settings",
  settingsInUse: "settings in use",
  starts: "starts",
} as const;

const referenceTable = (): string =>
  [
    row(["part", ...bindings.map(({ letter, name }) => `${letter}: ${name}`)]),
    row(["---", ...bindings.map(() => "---")]),
    row(["folder", ...bindings.map(({ kind }) => `[\`${kind}/\`](${kind}/README.md)`)]),
    ...Object.entries(parts).map(([part, title]) =>
      row([title, ...bindings.map(({ reference }) => reference[part as keyof typeof parts])]),
    ),
  ].join("");

/** The new text of bindings/README.md. */
export function bindingsReadme(root: string): { path: string; text: string } {
  const text = readFileSync(join(root, readme), "utf8").replace(
    referenceMarks,
    (_, first: string, last: string) => `${first}\n${referenceTable()}\n${last}`,
  );
  return { path: readme, text };
}

const constants = {
  defaultUrl: `http://127.0.0.1:${defaultPort}`,
  recordingPath: triggerRecording.path,
  monitorPath: reportError.path,
  socialPath: triggerSocial.path,
  timeoutMs: requestTimeoutMs,
  pendingMax: requestsPendingMax,
  quitFlushMs: quitFlushMsMax,
  buildCharsMax,
  uncaughtPerSecondMax,
};

const members: readonly Member[] = Object.entries(constants);

/** Replaces the lines between the two marks, with the indentation of the first mark. */
export function withBlock(text: string, lines: readonly string[]): string {
  const marks = /^([ \t]*)(.*<kit-constants>.*\n)[\s\S]*?^(.*<\/kit-constants>)/m;
  if (!marks.test(text)) throw new Error("no lines with <kit-constants> and </kit-constants>");
  return text.replace(marks, (_, indent: string, first: string, last: string) => {
    return `${indent}${first}${lines.map((line) => `${indent}${line}\n`).join("")}${last}`;
  });
}

/** The new texts of the files with constants. Bindings that share a file name it once. */
export const bindingTexts = (root: string): GeneratedFile[] =>
  bindings.flatMap(({ constants: written }) => {
    if (written === undefined) return [];
    const { path, lines } = written;
    return [{ path, text: withBlock(readFileSync(join(root, path), "utf8"), lines(members)) }];
  });
