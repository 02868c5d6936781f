// Tests of the package: its contents, and a new game that adds it as the README says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, test } from "vitest";
import { runDotnet } from "../../../tools/engines/dotnet.ts";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { built } from "../conformance/build.ts";
import { packMonoGame } from "./pack.ts";
import { openRecorder } from "./recorder.ts";

const options = { skip: skipWithout(".NET", "unzip"), timeout: 300_000 };
const folder = mkdtempSync(join(tmpdir(), "kit-package-"));
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let packing: ReturnType<typeof packMonoGame> | undefined;
const packed = () => (packing ??= packMonoGame(join(folder, "packages")));

function unzip(...words: string[]): string {
  const run = spawnSync(pathOf("unzip"), words, { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

test("the package contains both builds with their documentation, and the README", options, async () => {
  const { package: path } = await packed();
  const names = unzip("-Z1", path).split("\n");
  for (const target of ["net8.0", "netstandard2.1"]) {
    assert.ok(names.includes(`lib/${target}/Kit.MonoGame.dll`));
    const documentation = unzip("-p", path, `lib/${target}/Kit.MonoGame.xml`);
    for (const member of [
      "M:Kit.KitSDK.Initialize",
      "M:Kit.MonitorService.ReportError",
      "P:Kit.KitConfig.LauncherUrl",
    ]) {
      assert.ok(documentation.includes(member), `${member} is documented in ${target}`);
    }
  }
  assert.equal(unzip("-p", path, "README.md"), readme);
  const description = unzip("-p", path, "Kit.MonoGame.nuspec");
  assert.match(description, /<license type="expression">MIT<\/license>/);
  assert.match(description, /<group targetFramework="net8.0" \/>/, "it has no dependencies");
});

test("the package and its symbols have the same bytes wherever they are made", options, async () => {
  const [first, second] = [await packed(), await packMonoGame(join(folder, "elsewhere/packages"))];
  assert.deepEqual(readFileSync(first.package), readFileSync(second.package));
  assert.deepEqual(readFileSync(first.symbols), readFileSync(second.symbols));
});

test("a new game adds the package and runs every line of the README", options, async (context) => {
  const launcher = await openRecorder();
  context.onTestFinished(() => launcher.close());
  const standIn = await built("MonoGame.StandIn");
  const game = join(folder, "game");
  mkdirSync(game);
  writeFileSync(join(game, "Game.csproj"), project(standIn));
  writeFileSync(join(game, "Program.cs"), programOf(readme));
  const { package: path } = await packed();
  mkdirSync(join(game, "packages"));
  copyFileSync(path, join(game, "packages", basename(path)));
  // A package cache of its own: the machine's cache would keep the first package that it saw with this version.
  const cache = (await runDotnet(["nuget", "locals", "global-packages", "--list"]))
    .replace(/^global-packages: /, "")
    .trim();
  const properties = [`-p:RestorePackagesPath=${join(folder, "cache")}`, `-p:RestoreFallbackFolders=${cache}`];
  await runDotnet(["build", "-c", "Release", "-v:quiet", "-o", "out", ...properties], {}, game);
  const theEnd = join(game, "end");
  const playing = runDotnet(["exec", join(game, "out/Game.dll"), launcher.url, theEnd]);
  // The first requests of a process may take longer than its exit is delayed, so the game runs until they have arrived.
  await Promise.race([launcher.has(3), playing]);
  writeFileSync(theEnd, "");
  await playing;
  await launcher.has(4);
  const received = launcher.recorded.map(({ body }) => body.eventId ?? body.message).sort();
  assert.deepEqual(received, [
    "The game ended",
    "The save file is damaged",
    "mygame_all_stars",
    "mygame_boss_defeated",
  ]);
});

const project = (standIn: string) => `
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <RollForward>LatestMajor</RollForward>
    <ImplicitUsings>enable</ImplicitUsings>
    <UseAppHost>false</UseAppHost>
  </PropertyGroup>
  <ItemGroup><Reference Include="${standIn}" /></ItemGroup>
  ${/^ +```xml\n([\s\S]*?)^ +```$/m.exec(readme)?.[1]}
</Project>`;

/** The README's blocks in their order, with the test's launcher in place of the port that they name. */
function programOf(readme: string): string {
  const blocks = [...readme.matchAll(/^```csharp\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  const [start = "", calls = "", crash = "", settings = ""] = blocks;
  assert.equal(blocks.length, 4);
  const here = settings.replace("http://127.0.0.1:9877", '" + args[0] + "').replace("EnableSocial = false", "");
  return [
    start,
    settings,
    `if (KitSDK.Config.LauncherUrl != "http://127.0.0.1:9877" || KitSDK.Config.EnableSocial) throw new Exception("settings");`,
    here,
    `try { throw new Exception("caught"); } catch (Exception exception) { ${calls.replace(/ \/\/.*/g, "")} }`,
    "using var game = new Ending { At = args[1] };",
    `try { ${crash} } catch (Exception ended) when (ended.Message == "The game ended") { }`,
    `sealed class Ending : Microsoft.Xna.Framework.Game
     {
       public required string At;
       protected override void Update(Microsoft.Xna.Framework.GameTime time)
       { if (File.Exists(At)) throw new Exception("The game ended"); }
     }`,
  ].join("\n");
}
