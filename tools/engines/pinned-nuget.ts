// Installs a program from NuGet into .engines/, pinned by version and hash.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dotnetEnvironment } from "./dotnet.ts";
import { aspire, aspirePackage, dotnet, enginesDir } from "./locate.ts";
import { say, timed } from "./progress.ts";

/** SHA-512 of the package. NuGet also checks its signature. */
const hash = "yhks725yqMTHt9GKm7f02hfY+nNqrURiSh8Pds0q4Pj2d8MOVvcavwkzZVazZaa3/ZoiJhqY9l9b9ZietkwJCA==";

/** Installs into a temporary folder and renames it, so that a broken download is never used. */
function install(program: string): string | undefined {
  const draft = join(enginesDir, `aspire.${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    const project = join(draft, "aspire.csproj");
    copyFileSync(join(import.meta.dirname, "aspire/aspire.csproj"), project);
    const env = { ...process.env, ...dotnetEnvironment };
    const run = spawnSync(program, ["restore", project, "-v:quiet"], { env, encoding: "utf8", windowsHide: true });
    if (run.status !== 0) return run.stdout || String(run.error);
    const found = readFileSync(join(draft, `${aspirePackage}.nupkg.sha512`), "utf8").trim();
    if (found !== hash) return `its SHA-512 is ${found}`;
    chmodSync(join(draft, aspirePackage, "../tools/Aspire.Dashboard"), 0o755);
    rmSync(join(enginesDir, "aspire"), { recursive: true, force: true });
    renameSync(draft, join(enginesDir, "aspire"));
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function provideAspire(): void {
  if (aspire() !== undefined) return;
  const program = dotnet();
  if (process.platform !== "linux" || process.arch !== "x64" || program === undefined)
    return say("the Aspire dashboard is only brought to linux x64 with a .NET SDK");
  say("fetching the Aspire dashboard from NuGet (about 40 MB, once)");
  const { result: failure, took } = timed(() => install(program));
  say(failure === undefined ? `the Aspire dashboard installed in ${took}` : `NuGet could not bring it: ${failure}`);
}
