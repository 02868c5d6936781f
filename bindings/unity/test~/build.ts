// Compiles the package for each platform and API level into the cache of engines, once for all test processes.

import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { install, type Recipe } from "../../../tools/engines/cache.ts";
import { runDotnet } from "../../../tools/engines/dotnet.ts";
import {
  type ApiLevel,
  apiLevels,
  assembliesOf,
  type Platform,
  packageRoot,
  platformNames,
  platforms,
} from "./assemblies.ts";
import { compile, type Toolchain, toolchain } from "./compiler.ts";
import { readmeSource } from "./readme.ts";

/** The folder with the assemblies of a platform. The first process that needs them builds them. */
export async function built(platform: Platform, api: ApiLevel): Promise<string> {
  building ??= hashOfSources().then((hash) => install(recipeOf(hash), buildAll));
  return folderOf(await building, platform, api);
}

let building: Promise<string> | undefined;

const recipeOf = (hash: string): Recipe => ({
  name: "unity",
  title: "the assemblies of the Unity package",
  from: "its sources",
  parts: hash,
  holds: platformNames.flatMap((platform) => apiLevels.map((api) => folderOf("", platform, api))),
});

function folderOf(folder: string, platform: Platform, api: ApiLevel): string {
  return join(folder, platform, api);
}

async function hashOfSources(): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await runDotnet(["--version"]));
  const all = globSync(["**/*.{cs,asmdef,csproj}", "README.md", "test~/*.ts"], { cwd: packageRoot });
  for (const path of all.filter((name) => !name.endsWith(".test.ts")).sort()) {
    hash.update(`${path}\n`).update(readFileSync(join(packageRoot, path)));
  }
  return hash.digest("hex");
}

async function buildAll(folder: string): Promise<void> {
  await Promise.all(
    apiLevels.map(async (api) => {
      const tools = await toolchain(folder, api);
      for (const platform of platformNames) await buildPlatform(folder, platform, api, tools);
    }),
  );
}

async function buildPlatform(base: string, platform: Platform, api: ApiLevel, tools: Toolchain): Promise<void> {
  const folder = folderOf(base, platform, api);
  mkdirSync(folder, { recursive: true });
  for (const path of tools.packages) copyFileSync(path, join(folder, basename(path)));
  const readme = join(folder, "Readme.cs");
  writeFileSync(readme, readmeSource(readFileSync(join(packageRoot, "README.md"), "utf8")));
  for (const assembly of assembliesOf(platform)) {
    const more = assembly.name === "Assembly-CSharp" ? [readme] : [];
    await compile({ ...assembly, sources: [...assembly.sources, ...more] }, folder, platforms[platform], tools);
  }
}
