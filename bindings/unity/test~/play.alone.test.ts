// Tests of the package compiled as Unity compiles it, played in the stand-in: each platform, on .NET and on Mono.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type Engine, pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { type ApiLevel, assemblyDefinitions, type Platform, platformNames } from "./assemblies.ts";
import { built } from "./build.ts";

type Result = { readonly name: string; readonly passed: boolean; readonly message: string };

const runtimes: readonly { engine: Engine; api: ApiLevel; command: (program: string) => [string, ...string[]] }[] = [
  { engine: ".NET", api: "netstandard2.1", command: (program) => [pathOf(".NET"), "exec", program] },
  { engine: "Mono", api: "net472", command: (program) => [pathOf("Mono"), "--debug", program] },
];

/** Runs the NUnit tests of those assemblies; returns the result of each. */
async function nunit(
  command: readonly [string, ...string[]],
  assemblies: readonly string[],
): Promise<{ results: Result[]; status: unknown }> {
  const [program, ...words] = command;
  const child = spawn(program, [...words, ...assemblies], { stdio: ["ignore", "pipe", "inherit"], timeout: 300_000 });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => (text += part));
  const status = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const results = text
    .trim()
    .split("\n")
    .map((line) => {
      const [verdict, name = "", message = ""] = line.split("\t");
      return { name, passed: verdict === "passed", message: Buffer.from(message, "base64").toString("utf8") };
    });
  return { results, status };
}

/** The package's own tests where Unity would offer them, and those of the stand-in everywhere. */
function testAssembliesIn(folder: string): string[] {
  const own = assemblyDefinitions().filter(({ defineConstraints }) =>
    defineConstraints.includes("UNITY_INCLUDE_TESTS"),
  );
  return ["Kit.Unity.Play", ...own.map(({ name }) => name)].filter((name) => existsSync(join(folder, `${name}.dll`)));
}

/** "Kit.Tests.KitSDKTests.ADisabledOperationSendsNothing" as a sentence. */
function sentenceOf(name: string): string {
  const words = name.slice(name.lastIndexOf(".") + 1);
  return words.replaceAll(/(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z0-9])(?=[A-Z][a-z])/g, " ").toLowerCase();
}

const platformsOf: Readonly<Record<Platform, string>> = {
  player: "a desktop game",
  web: "a game in a web page",
  editor: "the editor",
  "editor set to web": "the editor of a project for the web",
};

describe("Kit in Unity's stand-in", { concurrent: true }, () => {
  for (const { engine, api, command } of runtimes) {
    for (const platform of platformNames) {
      test(`${platformsOf[platform]} on ${engine}`, { skip: skipWithout(".NET", engine) }, async () => {
        const folder = await built(platform, api);
        const { results, status } = await nunit(command(join(folder, "RunTests.exe")), testAssembliesIn(folder));
        assert.ok(results.length >= 15, `only ${results.length} tests were run`);
        for (const { name, passed, message } of results) {
          assert.ok(passed, `${sentenceOf(name)} (${name})\n${message}`);
        }
        // A process that crashes half-way has reported fewer tests than there are.
        assert.equal(status, 0, `the tests ended with ${status}`);
      });
    }
  }
});
