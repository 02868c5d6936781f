// The block of constants in each binding. Bindings import nothing, so what they share with the contract is written in.
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

const constants = {
  defaultUrl: `http://127.0.0.1:${defaultPort}`,
  recordingPath: triggerRecording.path,
  monitorPath: reportError.path,
  socialPath: triggerSocial.path,
  timeoutMs: requestTimeoutMs,
  pendingMax: requestsPendingMax,
  quitFlushMs: quitFlushMsMax,
};

type Member = readonly [name: string, value: string | number];
const members: readonly Member[] = Object.entries(constants);

const pascal = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const capitals = (name: string) => name.replace(/[A-Z]/g, "_$&").toUpperCase();

/** ES5, so that it runs in every engine the plugin does. */
function javascript(): string[] {
  return ["var KIT = {", ...members.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`), "};"];
}

/** With their types: the project takes a type that is not written for an error. */
function gdscript(): string[] {
  const typeOf = (value: string | number) => (typeof value === "string" ? "String" : "int");
  return members.map(([name, value]) => `const ${capitals(name)}: ${typeOf(value)} = ${JSON.stringify(value)}`);
}

/** Without the wait at the end of a game: a script has no say in that. */
function gml(): string[] {
  const used = members.filter(([name]) => name !== "quitFlushMs");
  return used.map(([name, value]) => `#macro __KIT_${capitals(name)} ${JSON.stringify(value)}`);
}

function csharp(): string[] {
  const typeOf = (value: string | number) => (typeof value === "string" ? "string" : "int");
  return members.map(([name, value]) => {
    return `internal const ${typeOf(value)} ${pascal(name)} = ${JSON.stringify(value)};`;
  });
}

/** Where a block of constants is, and how it is written there. */
const blocks = [
  { path: "bindings/godot/addons/kit_sdk/kit_constants.gd", lines: gdscript },
  { path: "bindings/rpgmaker/KitSDK.js", lines: javascript },
  { path: "bindings/gamemaker/project/scripts/kit_sdk/kit_sdk.gml", lines: gml },
  { path: "bindings/unity/Runtime/Core/KitConstants.cs", lines: csharp },
];

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
