// The block of constants in each binding. Bindings import nothing, so what they share with the contract is written in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  defaultPort,
  reportError,
  requestsPendingMax,
  requestTimeoutMs,
  triggerRecording,
  triggerSocial,
} from "@kit/contract";

const constants = {
  defaultUrl: `http://127.0.0.1:${defaultPort}`,
  recordingPath: triggerRecording.path,
  monitorPath: reportError.path,
  socialPath: triggerSocial.path,
  timeoutMs: requestTimeoutMs,
  pendingMax: requestsPendingMax,
};

/** ES5, so that it runs in every engine the plugin does. */
function javascript(): string[] {
  const members = Object.entries(constants).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return ["var KIT = {", ...members, "};"];
}

/** Where a block of constants is, and how it is written there. */
const blocks = [{ path: "bindings/rpgmaker/KitSDK.js", lines: javascript }];

/** `text` with the lines between the two marks replaced, indented as the first mark is. */
export function withBlock(text: string, lines: readonly string[]): string {
  const marks = /^([ \t]*)(.*<kit-constants>.*\n)[\s\S]*?^(.*<\/kit-constants>)/m;
  if (!marks.test(text)) throw new Error("no lines with <kit-constants> and </kit-constants>");
  return text.replace(marks, (_, indent: string, first: string, last: string) => {
    return `${indent}${first}${lines.map((line) => `${indent}${line}\n`).join("")}${last}`;
  });
}

/** The bindings that exist, as they are to be written. */
export function bindingTexts(root: string): { path: string; text: string }[] {
  return blocks.map(({ path, lines }) => ({ path, text: withBlock(readFileSync(join(root, path), "utf8"), lines()) }));
}
