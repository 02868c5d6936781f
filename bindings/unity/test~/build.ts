// Compiles the package for each platform and API level into a folder named after its sources, once for all test processes.

import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { claim } from "../../../tools/engines/build-lock.ts";
import { runDotnet } from "../../../tools/engines/dotnet.ts";
import { enginesDir } from "../../../tools/engines/locate.ts";
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

const place = join(enginesDir, "unity");

/** The folder with the assemblies of a platform. The first process that needs them builds them. */
export async function built(platform: Platform, api: ApiLevel): Promise<string> {
  building ??= hashOfSources().then((hash) => buildOnce(join(place, hash)));
  return folderOf(await building, platform, api);
}

let building: Promise<string> | undefined;

/** Test files and drivers are separate processes: one of them builds, and the others wait for it. */
async function buildOnce(folder: string): Promise<string> {
  mkdirSync(place, { recursive: true });
  while (!existsSync(folder)) {
    if (claim(`${folder}.lock`)) await buildAll(folder).finally(() => rmSync(`${folder}.lock`));
    else await pause(100);
  }
  return folder;
}

function folderOf(folder: string, platform: Platform, api: ApiLevel): string {
  return join(folder, platform.replaceAll(" ", "-"), api);
}

async function hashOfSources(): Promise<string> {
  const hash = createHash("sha256");
  hash.update(await runDotnet(["--version"]));
  const all = globSync(["**/*.{cs,asmdef,csproj}", "README.md", "test~/*.ts"], { cwd: packageRoot });
  for (const path of all.filter((name) => !name.endsWith(".test.ts")).sort()) {
    hash.update(`${path}\n`).update(readFileSync(join(packageRoot, path)));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Builds in a draft folder and renames it, so that an aborted build is never used. Deletes older builds. */
async function buildAll(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    await Promise.all(
      apiLevels.map(async (api) => {
        const tools = await toolchain(draft, api);
        for (const platform of platformNames) await buildPlatform(draft, platform, api, tools);
      }),
    );
    for (const name of readdirSync(place)) {
      if (/^[0-9a-f]{16}$/.test(name)) rmSync(join(place, name), { recursive: true, force: true });
    }
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function buildPlatform(draft: string, platform: Platform, api: ApiLevel, tools: Toolchain): Promise<void> {
  const folder = folderOf(draft, platform, api);
  mkdirSync(folder, { recursive: true });
  for (const path of tools.packages) copyFileSync(path, join(folder, basename(path)));
  const readme = join(folder, "Readme.cs");
  writeFileSync(readme, readmeSource(readFileSync(join(packageRoot, "README.md"), "utf8")));
  for (const assembly of assembliesOf(platform)) {
    const more = assembly.name === "Assembly-CSharp" ? [readme] : [];
    await compile({ ...assembly, sources: [...assembly.sources, ...more] }, folder, platforms[platform], tools);
  }
}
