// Has the package, the sample, the players and the tests of this folder built into dist/dotnet/monogame.
import { globSync } from "node:fs";
import { join } from "node:path";
import { buildDotnet } from "../../../tools/engines/dotnet.ts";

const root = join(import.meta.dirname, "../../..");
const place = join(root, "dist/dotnet/monogame");

const sources = [
  "package.json",
  "bindings/monogame/**/*.{cs,csproj,props,slnx,json,md}",
  "bindings/unity/Runtime/Core/*.cs",
  "bindings/unity/conformance~/{Script,Report}.cs",
];

/** Builds everything that is not up to date, and returns the assembly of one of the projects. */
export async function built(project: string): Promise<string> {
  await buildDotnet({
    project: join(root, "bindings/monogame/Kit.MonoGame.slnx"),
    sources: globSync(sources, { cwd: root }).map((path) => join(root, path)),
    stamp: join(place, "built"),
    properties: { MonoGameStandIn: "true" },
  });
  return join(place, "bin", project, "release", `${project}.dll`);
}
