// Packs the bindings for whoever uses them: one file a package, and the index that the launcher shows.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SdkIndex } from "@kit/contract";
import { NotMade, needsDotnet } from "./sdk/not-made.ts";
import { isHere, type Package, packages } from "./sdk/packages.ts";
import { isStale } from "./staleness.ts";

export type SdkBuild = {
  /** Leaves out what takes other programs, unless the last bundle's is still good. */
  readonly quick: boolean;
  /** Folder of the last bundle. */
  readonly last: string;
  readonly packages?: readonly Package[];
};

/** The one version there is: launcher, contract and bindings are released together. */
export const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

/** Packs what can be packed here into `target`. What cannot is in the index, with the reason. */
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

/** Writes one package to its path. Throws NotMade. */
async function put(each: Package, { root, version, build, path, last }: Place): Promise<void> {
  if (each.slow && build.quick) {
    const sources = ["package.json", ...each.sources].map((source) => join(root, source));
    if (!existsSync(last) || isStale(last, sources)) throw new NotMade(needsDotnet);
    // With its date: the next quick bundle asks again how old it is.
    return cpSync(last, path, { preserveTimestamps: true });
  }
  writeFileSync(path, await each.make(root, version));
}
