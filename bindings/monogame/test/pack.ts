// Makes the package that a game adds, Kit.MonoGame.<version>.nupkg, and the package of its symbols.
import { globSync } from "node:fs";
import { join } from "node:path";
import { runDotnet } from "../../../tools/engines/dotnet.ts";

const project = join(import.meta.dirname, "../Kit.MonoGame/Kit.MonoGame.csproj");

/** Packs into `folder`, which must not contain a package yet; returns both files. The same commit gives the same bytes. */
export async function packMonoGame(folder: string): Promise<{ package: string; symbols: string }> {
  // A folder of its own, because the tests' build may run at the same time.
  const artifacts = `-p:ArtifactsPath=${join(folder, "obj")}`;
  await runDotnet(["pack", project, "-c", "Release", "-v:quiet", "-o", folder, artifacts]);
  const made = (ending: string) => join(folder, globSync(`Kit.MonoGame.*.${ending}`, { cwd: folder })[0] as string);
  return { package: made("nupkg"), symbols: made("snupkg") };
}
