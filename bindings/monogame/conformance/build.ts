// Has the package, the sample, the players and the tests of this folder built into dist/dotnet/monogame.
import { globSync } from "node:fs";
import { join } from "node:path";
import { buildDotnet } from "../../../tools/engines/dotnet.ts";
import { pathOf } from "../../../tools/engines/locate.ts";

const root = join(import.meta.dirname, "../../..");
const place = join(root, "dist/dotnet/monogame");

const sources = [
  "package.json",
  "bindings/monogame/**/*.{cs,csproj,props,slnx,json,md}",
  "bindings/unity/Runtime/Core/*.cs",
  "bindings/unity/conformance~/{Script,Report}.cs",
];

const allSources = () => globSync(sources, { cwd: root }).map((path) => join(root, path));

/** Builds everything that is not up to date, and returns the assembly of one of the projects. */
export async function built(project: string): Promise<string> {
  await buildDotnet({
    project: join(root, "bindings/monogame/Kit.MonoGame.slnx"),
    sources: allSources(),
    stamp: join(place, "built"),
    properties: { MonoGameStandIn: "true" },
  });
  return join(place, "bin", project, "release", `${project}.dll`);
}

/** Builds the sample game for Windows, and returns the folder with its program and .NET. */
export async function builtForWindows(): Promise<string> {
  const place = join(root, "dist/dotnet/windows-game");
  await buildDotnet({
    project: join(root, "bindings/monogame/test/WindowsGame/WindowsGame.csproj"),
    sources: allSources(),
    stamp: join(place, "built"),
    properties: { ArtifactsPath: place, RestorePackagesPath: pathOf(".NET for Windows") },
  });
  return join(place, "bin/WindowsGame/release_win-x64");
}
