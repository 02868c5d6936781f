// Writes the contract's constants into each binding, because bindings import nothing.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  defaultPort,
  quitFlushMsMax,
  reportError,
  requestsPendingMax,
  requestTimeoutMs,
  triggerRecording,
  triggerSocial,
} from "@kit/contract";
import type { Member } from "../../bindings/binding.ts";
import { bindings } from "../../bindings/bindings.ts";
import type { GeneratedFile } from "./drifted.ts";

const constants = {
  defaultUrl: `http://127.0.0.1:${defaultPort}`,
  recordingPath: triggerRecording.path,
  monitorPath: reportError.path,
  socialPath: triggerSocial.path,
  timeoutMs: requestTimeoutMs,
  pendingMax: requestsPendingMax,
  quitFlushMs: quitFlushMsMax,
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
