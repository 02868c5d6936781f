// Tests of the NuGet package: it has the right contents, is reproducible, and works in a project.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { triggerRecording } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { runDotnet } from "../../engines/dotnet.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { repositoryRoot } from "../../repository.ts";
import { versionOf } from "../sdk.ts";
import { makeNupkg } from "./nupkg.ts";

const skip = skipWithout(".NET", "unzip");
const project = "bindings/monogame/Kit.MonoGame/Kit.MonoGame.csproj";
const version = versionOf(repositoryRoot);
const work = mkdtempSync(join(tmpdir(), "kit-nupkg-test-"));
const file = join(work, `Kit.MonoGame.${version}.nupkg`);
let made: Uint8Array;

beforeAll(async () => {
  if (skip !== false) return;
  made = await makeNupkg(repositoryRoot, project, version);
  writeFileSync(file, made);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const unzip = (...words: string[]) => execFileSync(pathOf("unzip"), words, { encoding: "utf8" });

test("the package contains the library for both frameworks with its docs, the README, and NuGet's own parts", {
  skip,
}, () => {
  assert.match(unzip("-t", file), /No errors detected/);
  const parts = unzip("-Z1", file).split("\n").filter(Boolean);
  assert.deepEqual(
    parts.filter((part) => !part.endsWith(".psmdcp")),
    [
      "Kit.MonoGame.nuspec",
      "README.md",
      "[Content_Types].xml",
      "_rels/.rels",
      "icon.png",
      "lib/net8.0/Kit.MonoGame.dll",
      "lib/net8.0/Kit.MonoGame.xml",
      "lib/netstandard2.1/Kit.MonoGame.dll",
      "lib/netstandard2.1/Kit.MonoGame.xml",
    ],
  );
  const manifest = unzip("-p", file, "Kit.MonoGame.nuspec");
  assert.match(manifest, new RegExp(`<version>${version.replaceAll(".", "\\.")}</version>`));
  assert.match(manifest, /<license type="expression">MIT<\/license>/);
  assert.match(manifest, /<repository type="git" url="https:\/\/github\.com\/[^"]+\.git" \/>/);
  assert.match(manifest, /<icon>icon\.png<\/icon>/);
});

test("a package built in another folder has the same bytes, and contains no path of this machine", {
  skip,
}, async () => {
  const root = join(work, "elsewhere");
  const sources = ["package.json", "bindings/monogame", "bindings/unity/Runtime/Core", "dashboard/public/icons"];
  for (const source of sources) cpSync(join(repositoryRoot, source), join(root, source), { recursive: true });
  assert.ok(Buffer.from(await makeNupkg(root, project, version)).equals(made));
  const library = execFileSync(pathOf("unzip"), ["-p", file, "lib/net8.0/Kit.MonoGame.dll"]);
  assert.ok(library.length > 4_000);
  for (const folder of [repositoryRoot, tmpdir()]) assert.equal(library.indexOf(`${folder}/`), -1, folder);
});

/** A console project whose only package source is the folder of the package. */
function writeProject(folder: string, launcherUrl: string): void {
  mkdirSync(folder);
  const framework = "net$(BundledNETCoreAppTargetFrameworkVersion)";
  const properties = `<OutputType>Exe</OutputType><TargetFramework>${framework}</TargetFramework>`;
  const reference = `<PackageReference Include="Kit.MonoGame" Version="${version}" />`;
  writeFileSync(
    join(folder, "Game.csproj"),
    `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}<NuGetAudit>false</NuGetAudit></PropertyGroup>` +
      `<ItemGroup>${reference}</ItemGroup></Project>`,
  );
  writeFileSync(
    join(folder, "Program.cs"),
    `using Kit;\nKitSDK.Initialize(new KitConfig { LauncherUrl = "${launcherUrl}" });\n` +
      `KitSDK.Recording.TriggerEvent("mygame_boss_defeated");\n`,
  );
  // The project must not use the user's package cache.
  writeFileSync(
    join(folder, "nuget.config"),
    `<configuration><config><add key="globalPackagesFolder" value="packages" /></config>` +
      `<packageSources><clear /><add key="download" value="${work}" /></packageSources></configuration>`,
  );
}

test("a project that references the package sends its first event with it", { skip }, async (t) => {
  const server = createServer().listen(0, "127.0.0.1");
  t.onTestFinished(() => void server.close());
  await once(server, "listening");
  const arrived = once(server, "request") as Promise<[IncomingMessage]>;
  server.on("request", (_, response) => response.writeHead(202).end());
  const folder = join(work, "game");
  writeProject(folder, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await runDotnet(["run", "--project", folder]);
  const [request] = await arrived;
  assert.equal(`${request.method} ${request.url}`, `POST ${triggerRecording.path}`);
});
