// Tests of what winget's exit codes mean, as Node.js gives them on each system.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "vitest";
import { findFfmpeg } from "./find.ts";
import { judgeInstall } from "./install.ts";

/** On Windows, a program ends with this code. Other systems cut an exit code to 8 bits, so there the code is only passed on. */
async function asNodeSaysIt(code: number): Promise<number> {
  if (process.platform !== "win32") return code;
  const [exitCode] = await once(spawn(process.execPath, ["-e", `process.exit(${code | 0})`]), "exit");
  return exitCode;
}

const judge = async (code: number) => {
  const find = () => findFfmpeg({ chosen: "/nowhere/ffmpeg", searchPath: "" });
  const { ok, says } = await judgeInstall("winget install", await asNodeSaysIt(code), find);
  return [ok, typeof says === "object" ? says.code : says];
};

test("winget's code for a package that is there already is not a failed installation", async () => {
  for (const code of [0x8a150061, 0x8a15002b, 0x8a15004f])
    assert.deepEqual(await judge(code), [false, "ffmpeg.install_present_not_found"], code.toString(16));
});

test("winget's codes for another and for a newer version that is there each have a sentence", async () => {
  for (const [code, expected] of [
    [0x8a15010d, "ffmpeg.install_other_version_not_found"],
    [0x8a15010e, "ffmpeg.install_newer_version_not_found"],
  ] as const)
    assert.deepEqual(await judge(code), [false, expected], code.toString(16));
});

test("winget's other codes are failed installations", async () => {
  // No package found, and the installer's hash differs.
  for (const code of [0x8a150014, 0x8a150011])
    assert.deepEqual(await judge(code), [false, "ffmpeg.install_failed"], code.toString(16));
});
