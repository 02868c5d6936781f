// Installs programs and packages from NuGet, pinned by version and hash.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, globSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { provide } from "./cache.ts";
import { runDotnet } from "./dotnet.ts";
import { aspire, windowsDotnet, windowsGame } from "./recipes.ts";

function requireHash(file: string, algorithm: string, encoding: "base64" | "hex", expected: string): void {
  const found = createHash(algorithm).update(readFileSync(file)).digest(encoding);
  if (found !== expected) throw new Error(`${basename(file)} has the checksum ${found}, not the pinned one`);
}

export const provideAspire = (): Promise<void> =>
  provide(aspire, async (place) => {
    const project = join(place, "aspire.csproj");
    for (const file of aspire.files) copyFileSync(file, project);
    await runDotnet(["restore", project, "-v:quiet"]);
    const folder = join(place, aspire.parts.package);
    const [file = ""] = globSync("*.nupkg", { cwd: folder });
    requireHash(join(folder, file), "sha512", "base64", aspire.parts.sha512);
    for (const program of aspire.holds) chmodSync(join(place, program), 0o755);
  });

export const provideWindowsDotnet = (): Promise<void> =>
  provide(windowsDotnet, async (place) => {
    const packages = join(place, "packages");
    const work = join(place, "work");
    const places = [`-p:RestorePackagesPath=${packages}`, `-p:ArtifactsPath=${work}`];
    await runDotnet(["restore", windowsGame, "-v:quiet", ...places]);
    const version = /<RuntimeFrameworkVersion>(.*)</.exec(readFileSync(windowsGame, "utf8"))?.[1] ?? "";
    for (const [name, sha256] of Object.entries(windowsDotnet.parts))
      requireHash(join(packages, name, version, `${name}.${version}.nupkg`), "sha256", "hex", sha256);
    rmSync(work, { recursive: true });
  });
