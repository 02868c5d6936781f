// Fetches what the .NET SDK needs to make a game for Windows that brings .NET, into .engines/windows-dotnet.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runDotnet } from "./dotnet.ts";
import { dotnet, windowsDotnet, windowsDotnetFolder } from "./locate.ts";
import { say } from "./progress.ts";

const root = join(import.meta.dirname, "../..");
const project = join(root, "bindings/monogame/test/WindowsGame/WindowsGame.csproj");

/** What runs on Windows, in the version that the project pins, with the SHA-256 of its package. */
const pinned: Readonly<Record<string, string>> = {
  "microsoft.netcore.app.runtime.win-x64": "0f63dee7ca4383cb16848966f81e439399e2058e1671ebe27e5eaf4b200e8691",
  "microsoft.netcore.app.host.win-x64": "1fbc2fcae33182f41955db3391ecf8a1b4aa047429852651d419b6b16eb4a523",
};

const inputs = () => JSON.stringify({ project: readFileSync(project, "utf8"), pinned });

function isCurrent(): boolean {
  return windowsDotnet() !== undefined && readFileSync(join(windowsDotnetFolder, "complete"), "utf8") === inputs();
}

function requirePinned(packages: string): void {
  const version = /<RuntimeFrameworkVersion>(.*)</.exec(readFileSync(project, "utf8"))?.[1] ?? "";
  for (const [name, expected] of Object.entries(pinned)) {
    const bytes = readFileSync(join(packages, name, version, `${name}.${version}.nupkg`));
    const found = createHash("sha256").update(bytes).digest("hex");
    if (found !== expected) throw new Error(`${name} ${version} has the checksum ${found}, not the pinned one`);
  }
}

async function fetchPackages(): Promise<void> {
  const draft = `${windowsDotnetFolder}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    const packages = join(draft, "packages");
    const places = [`-p:RestorePackagesPath=${packages}`, `-p:ArtifactsPath=${join(draft, "work")}`];
    await runDotnet(["restore", project, "-v:quiet", ...places]);
    requirePinned(packages);
    rmSync(join(draft, "work"), { recursive: true });
    writeFileSync(join(draft, "complete"), inputs());
    rmSync(windowsDotnetFolder, { recursive: true, force: true });
    renameSync(draft, windowsDotnetFolder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Fetches the packages unless the pinned ones are there. */
export async function provideWindowsDotnet(): Promise<void> {
  if (isCurrent()) return;
  if (dotnet() === undefined) return say(".NET for Windows needs the .NET SDK (10 or newer)");
  say("fetching .NET for Windows from NuGet (about 50 MB, once)");
  try {
    await fetchPackages();
    say(".NET for Windows installed");
  } catch (error) {
    say(`.NET for Windows could not be brought here: ${error instanceof Error ? error.message : String(error)}`);
  }
}
