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

/** ES5, because the plugin supports old engines. */
function javascript(): string[] {
  return ["var KIT = {", ...members.map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`), "};"];
}

/** With explicit types, because the project treats missing types as errors. */
function gdscript(): string[] {
  const typeOf = (value: string | number) => (typeof value === "string" ? "String" : "int");
  return members.map(([name, value]) => `const ${capitals(name)}: ${typeOf(value)} = ${JSON.stringify(value)}`);
}

/** Without the quit timeout, because a GameMaker script cannot delay quitting. */
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

/** The blocks of constants, with file and language. */
const blocks = [
  { path: "bindings/godot/addons/kit_sdk/kit_constants.gd", lines: gdscript },
  { path: "bindings/rpgmaker/KitSDK.js", lines: javascript },
  { path: "bindings/gamemaker/project/scripts/kit_sdk/kit_sdk.gml", lines: gml },
  { path: "bindings/unity/Runtime/Core/KitConstants.cs", lines: csharp },
];

/** Replaces the lines between the two marks, with the indentation of the first mark. */
export function withBlock(text: string, lines: readonly string[]): string {
  const marks = /^([ \t]*)(.*<kit-constants>.*\n)[\s\S]*?^(.*<\/kit-constants>)/m;
  if (!marks.test(text)) throw new Error("no lines with <kit-constants> and </kit-constants>");
  return text.replace(marks, (_, indent: string, first: string, last: string) => {
    return `${indent}${first}${lines.map((line) => `${indent}${line}\n`).join("")}${last}`;
  });
}

/** The new texts of all existing bindings. */
export function bindingTexts(root: string): { path: string; text: string }[] {
  return blocks.map(({ path, lines }) => ({ path, text: withBlock(readFileSync(join(root, path), "utf8"), lines()) }));
}
