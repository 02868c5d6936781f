// Packs the bindings into one file per package, and writes the index that the launcher serves.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SdkIndex } from "@kit/contract";
import { NotMade, needsDotnet } from "./sdk/nupkg.ts";
import { isHere, type Package, packages } from "./sdk/packages.ts";
import { isStale } from "./staleness.ts";

export type SdkBuild = {
  /** Skips packages that need other programs, unless the last bundle's file is still current. */
  readonly quick: boolean;
  /** Folder of the last bundle. */
  readonly last: string;
  readonly packages?: readonly Package[];
};

/** The common version of launcher, contract and bindings. */
export const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

/** Packs all packages into `target`. The index lists the reason for each package that cannot be built here. */
export async function bundleSdk(root: string, target: string, build: SdkBuild): Promise<void> {
  const version = versionOf(root);
  const index: SdkIndex = { packages: [], missing: [] };
  mkdirSync(target, { recursive: true });
  for (const each of build.packages ?? packages) {
    if (!isHere(root, each)) continue;
    const { binding, name } = each;
    const file = each.file(version);
    try {
      await put(each, { root, version, build, path: join(target, file), last: join(build.last, file) });
      const bytes = readFileSync(join(target, file));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      index.packages.push({ binding, name, version, file, bytes: bytes.length, sha256 });
    } catch (error) {
      if (!(error instanceof NotMade)) throw error;
      index.missing.push({ binding, name, reason: error.message });
    }
  }
  writeFileSync(join(target, "index.json"), `${JSON.stringify(index, null, 2)}\n`);
}

type Place = { root: string; version: string; build: SdkBuild; path: string; last: string };

/** Writes one package to its path. Throws NotMade if it cannot be built here. */
async function put(each: Package, { root, version, build, path, last }: Place): Promise<void> {
  if (each.slow && build.quick) {
    const sources = ["package.json", ...each.sources].map((source) => join(root, source));
    if (!existsSync(last) || isStale(last, sources)) throw new NotMade(needsDotnet);
    // Keeps the date, which the next quick bundle compares.
    return cpSync(last, path, { preserveTimestamps: true });
  }
  writeFileSync(path, await each.make({ root, version }));
}
