// Tests that the bindings have the constants of the protocol. They are written by hand, because the protocol never changes them.
import assert from "node:assert/strict";
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
import { test } from "vitest";

const constants: Readonly<Record<string, string | number>> = {
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
// A GameMaker game ends at its first uncaught error.
const { uncaughtPerSecondMax: _, ...ofGameMaker } = constants;

const capitals = (name: string) => name.replace(/[A-Z]/g, "_$&").toUpperCase();
const typed = (value: string | number, text: string) => (typeof value === "string" ? text : "int");

const files: readonly (readonly [path: string, line: (name: string, value: string | number) => string, object?])[] = [
  ["godot/addons/kit_sdk/kit_constants.gd", (name, value) => `const ${capitals(name)}: ${typed(value, "String")} = `],
  ["rpgmaker/KitSDK.js", (name) => `    ${name}: `],
  ["gamemaker/project/scripts/kit_sdk/kit_sdk.gml", (name) => `#macro __KIT_${capitals(name)} `, ofGameMaker],
  [
    // MonoGame compiles the same file.
    "unity/Runtime/Core/KitConstants.cs",
    (name, value) => `internal const ${typed(value, "string")} ${name.charAt(0).toUpperCase()}${name.slice(1)} = `,
  ],
];

for (const [path, lineOf, its = constants] of files) {
  test(`${path} has the constants of the protocol`, () => {
    const lines = readFileSync(join(import.meta.dirname, path), "utf8").split("\n");
    const missing = Object.entries(its)
      .map(([name, value]) => lineOf(name, value) + JSON.stringify(value))
      .filter((text) => !lines.some((line) => line.trim().replace(/[,;]$/, "") === text.trim()));
    assert.deepEqual(missing, []);
  });
}
