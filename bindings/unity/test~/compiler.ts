// Compiles as Unity does: one assembly after another, with only the referenced ones visible, C# 9, warnings as errors.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runDotnet } from "../../../tools/engines/dotnet.ts";
import type { ApiLevel, Assembly } from "./assemblies.ts";

export type Toolchain = {
  readonly compiler: string;
  readonly references: readonly string[];
  /** The references that have to be beside a program. */
  readonly packages: readonly string[];
};

/** The references and the compiler for an API level, found by restoring a project. */
export async function toolchain(draft: string, api: ApiLevel): Promise<Toolchain> {
  const project = join(draft, `references-${api}.csproj`);
  const between = `-p:BaseIntermediateOutputPath=${join(draft, `obj-${api}/`)}`;
  copyFileSync(join(import.meta.dirname, "references.csproj"), project);
  await runDotnet(["restore", project, between, "-v:q"]);
  const answer = await runDotnet([
    "msbuild",
    project,
    between,
    "-t:ResolveAssemblyReferences",
    `-p:TargetFramework=${api}`,
    "-getItem:ReferencePath",
    "-getProperty:RoslynTargetsPath",
  ]);
  const { Items, Properties } = JSON.parse(answer);
  const found: { FullPath: string }[] = Items.ReferencePath;
  return {
    compiler: join(Properties.RoslynTargetsPath, "bincore/csc.dll"),
    references: found.map(({ FullPath }) => FullPath),
    packages: found.filter(({ FullPath }) => /\/nunit\.framework\.dll$/.test(FullPath)).map(({ FullPath }) => FullPath),
  };
}

/** Compiles one assembly into `folder`, with only the referenced ones visible. Throws the compiler's output. */
export async function compile(
  assembly: Assembly,
  folder: string,
  symbols: readonly string[],
  tools: Toolchain,
): Promise<void> {
  const isDocumented = assembly.name === "Kit.Core" || assembly.name === "Kit.Unity";
  const output = join(folder, `${assembly.name}.${assembly.isProgram ? "exe" : "dll"}`);
  const words = [
    "-nologo",
    "-nostdlib",
    "-langversion:9.0",
    "-warnaserror+",
    "-warn:4",
    "-nowarn:1701,1702",
    "-deterministic",
    "-debug:portable",
    "-optimize-",
    `-target:${assembly.isProgram ? "exe" : "library"}`,
    `-out:${output}`,
    `-define:${symbols.join(";")}`,
    // The documentation file makes the compiler warn about public members without documentation.
    ...(isDocumented ? [`-doc:${join(folder, `${assembly.name}.xml`)}`] : []),
    ...tools.references.map((path) => `-r:${path}`),
    ...assembly.references.map((name) => `-r:${join(folder, `${name}.dll`)}`),
    ...assembly.sources,
  ];
  const response = join(folder, `${assembly.name}.rsp`);
  writeFileSync(response, words.map((word) => `"${word}"`).join("\n"));
  // A compiler server that is shared between assemblies and ends by itself, because a cold start takes a second for each.
  const server = [`-shared:kit-unity-${process.pid}`, "-keepalive:5"];
  await runDotnet(["exec", tools.compiler, "-noconfig", ...server, `@${response}`]);
  if (assembly.isProgram) writeFileSync(join(folder, `${assembly.name}.runtimeconfig.json`), runtimeConfig);
}

const runtimeConfig = JSON.stringify({
  runtimeOptions: {
    framework: { name: "Microsoft.NETCore.App", version: "8.0.0" },
    rollForward: "LatestMajor",
  },
});
