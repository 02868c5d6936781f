// Builds .NET projects if their sources have changed, once for all waiting processes.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathOf } from "./locate.ts";
import { whileLocked } from "./lock.ts";

export type DotnetBuild = {
  /** The project or solution file. */
  readonly project: string;
  /** Source files. */
  readonly sources: readonly string[];
  /** A stamp file with the digest of the last built sources. */
  readonly stamp: string;
  readonly properties?: Readonly<Record<string, string>>;
};

/** Suppresses output and background compiler processes. */
const dotnetEnvironment = {
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_CLI_USE_MSBUILD_SERVER: "0",
  DOTNET_NOLOGO: "1",
  DOTNET_SKIP_FIRST_TIME_EXPERIENCE: "1",
  MSBUILDDISABLENODEREUSE: "1",
  UseSharedCompilation: "false",
};

/** Builds unless the sources are unchanged. Throws an error with the compiler's output. */
export async function buildDotnet(build: DotnetBuild): Promise<void> {
  if (isBuilt(build)) return;
  // Several processes may need the build: one builds, the others wait.
  await whileLocked(`${build.stamp}.lock`, async () => {
    if (!isBuilt(build)) await run(build);
  });
}

/** Runs `dotnet` and returns its output. Throws an error with the output on failure. */
export async function runDotnet(words: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = "."): Promise<string> {
  const child = spawn(pathOf(".NET"), words, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...dotnetEnvironment, ...env },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (status !== 0) throw new Error(`dotnet ${words.join(" ")} ended with ${status}:\n${text}`);
  return text;
}

async function run({ project, sources, stamp, properties = {} }: DotnetBuild): Promise<void> {
  // The digest is taken before the build, so that later changes trigger the next build.
  const digest = digestOf(sources);
  const words = Object.entries(properties).map(([name, value]) => `-p:${name}=${value}`);
  await runDotnet(["build", project, "-c", "Release", "-v:quiet", ...words]);
  writeFileSync(stamp, digest);
}

function isBuilt({ stamp, sources }: DotnetBuild): boolean {
  try {
    return readFileSync(stamp, "utf8") === digestOf(sources);
  } catch {
    return false;
  }
}

function digestOf(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of [...sources].sort()) hash.update(`${path}\n`).update(readFileSync(path)).update("\n");
  return hash.digest("hex");
}
