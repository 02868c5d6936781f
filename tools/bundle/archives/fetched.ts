// Downloads packages for other systems with npm into the cache of engines, and verifies their pinned checksums.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { discard, install, type Recipe } from "../../engines/cache.ts";
import type { Files } from "../sdk/archive.ts";
import type { PinnedPackage } from "./systems.ts";

const integrityOf = (bytes: Uint8Array) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
const archive = "package.tgz";

const recipeOf = ({ name, version, integrity }: PinnedPackage): Recipe => ({
  name: `npm-${name.replaceAll("/", "-")}`,
  title: `${name}@${version}`,
  from: "npm",
  parts: { version, integrity },
  holds: [archive],
});

/** Downloads the archive of the package into a folder. */
function download({ name, version }: PinnedPackage, place: string): void {
  const words = ["pack", `${name}@${version}`, "--pack-destination", place, "--json", "--loglevel=error"];
  const said = execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const [packed] = JSON.parse(said) as { filename: string }[];
  renameSync(join(place, packed?.filename ?? ""), join(place, archive));
}

/** Returns the files of the package. Throws if npm cannot download it, or if its checksum is wrong. */
export async function filesOf(pinned: PinnedPackage, bring = download): Promise<Files> {
  const recipe = recipeOf(pinned);
  const bytes = readFileSync(join(await install(recipe, (place) => bring(pinned, place)), archive));
  if (integrityOf(bytes) !== pinned.integrity) {
    discard(recipe);
    throw new Error(`${pinned.name}@${pinned.version} is not what is pinned: ${integrityOf(bytes)}`);
  }
  const entries = await unpackTar(gunzipSync(bytes));
  return new Map(entries.flatMap(({ header, data }) => (data ? [[header.name.replace(/^[^/]+\//, ""), data]] : [])));
}

/** Version and checksum of a package in this repository's lock file. */
export function pinnedByLock(root: string, name: string): PinnedPackage {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string; integrity: string }>;
  };
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`${name} is not in package-lock.json`);
  return { name, version: locked.version, integrity: locked.integrity };
}
