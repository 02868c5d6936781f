// Makes the package a game adds: Kit.MonoGame.<version>.nupkg, and its symbols beside it.
import { globSync } from "node:fs";
import { join } from "node:path";
import { runDotnet } from "../../../tools/engines/dotnet.ts";

const project = join(import.meta.dirname, "../Kit.MonoGame/Kit.MonoGame.csproj");

/** Packs into `folder`, which holds nothing of the kind yet, and returns both files. The same commit gives the same bytes. */
export async function packMonoGame(folder: string): Promise<{ package: string; symbols: string }> {
  // Apart from the tests' build, which may be under way.
  const artifacts = `-p:ArtifactsPath=${join(folder, "obj")}`;
  await runDotnet(["pack", project, "-c", "Release", "-v:quiet", "-o", folder, artifacts]);
  const made = (ending: string) => join(folder, globSync(`Kit.MonoGame.*.${ending}`, { cwd: folder })[0] as string);
  return { package: made("nupkg"), symbols: made("snupkg") };
}
