// Downloads packages for other systems with npm into a cache, and verifies their pinned checksums.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import type { Files } from "../sdk/archive.ts";
import type { PinnedPackage } from "./systems.ts";

const integrityOf = (bytes: Uint8Array) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

function fetchInto(cache: string, file: string, { name, version }: PinnedPackage): void {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "fetching-"));
  try {
    const words = ["pack", `${name}@${version}`, "--pack-destination", draft, "--json", "--loglevel=error"];
    const said = execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    const [packed] = JSON.parse(said) as { filename: string }[];
    renameSync(join(draft, packed?.filename ?? ""), file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns the files of the package. Throws if npm cannot download it, or if its checksum is wrong. */
export async function filesOf(pinned: PinnedPackage, cache: string): Promise<Files> {
  const file = join(cache, `${pinned.name.replaceAll("/", "-")}-${pinned.version}.tgz`);
  if (!existsSync(file)) fetchInto(cache, file, pinned);
  const bytes = readFileSync(file);
  if (integrityOf(bytes) !== pinned.integrity) {
    rmSync(file);
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
