// Builds the NuGet package with the .NET SDK, then repacks it without dates.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { runDotnet } from "../../engines/dotnet.ts";
import { dotnet } from "../../engines/locate.ts";
import { zipOf } from "./archive.ts";

/** Thrown if a package cannot be built here. The message says what is missing and what to do. */
export class NotMade extends Error {
  override name = "NotMade";
}

export const needsDotnet = "Needs the .NET SDK (8 or newer) on this machine, and then `npm run bundle`.";

async function packInto(folder: string, root: string, project: string, version: string): Promise<void> {
  const output = ["--output", folder, "--artifacts-path", join(folder, "work"), "--configuration", "Release"];
  // Removes build paths. %2C is MSBuild's escape for a comma.
  const paths = `-p:PathMap=${folder}=/_/build%2C${root}=/_/kit`;
  const same = [`-p:Version=${version}`, paths, "-p:Deterministic=true"];
  // Leaves out the commit, which a clone without history does not have.
  const unnamed = "-p:EnableSourceControlManagerQueries=false";
  try {
    await runDotnet(["pack", join(root, project), "--nologo", ...output, ...same, unnamed]);
  } catch (error) {
    const said = (error as Error).message.split("\n");
    throw new NotMade(`\`dotnet pack\` failed: ${(said.find((line) => / error /.test(line)) ?? said[0] ?? "").trim()}`);
  }
}

/** Builds the package. Throws NotMade if the .NET SDK is missing. */
export async function makeNupkg(root: string, project: string, version: string): Promise<Uint8Array> {
  if (dotnet() === undefined) throw new NotMade(needsDotnet);
  const folder = mkdtempSync(join(tmpdir(), "kit-nupkg-"));
  try {
    await packInto(folder, root, project, version);
    const file = readdirSync(folder).find((name) => name.endsWith(".nupkg"));
    if (file === undefined) throw new NotMade("`dotnet pack` made no package.");
    return zipOf(new Map(Object.entries(unzipSync(readFileSync(join(folder, file))))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
