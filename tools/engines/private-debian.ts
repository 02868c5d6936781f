// Unpacks programs of another Debian release into a folder, with that release's libc. Does not change or use the host's packages,
// package lists or libc.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyring } from "./recipes.ts";

const libraries = "usr/lib/x86_64-linux-gnu";

/** Runs a command and returns its output. Throws an error with the output on failure. */
function output(command: string, words: readonly string[], cwd?: string): string {
  const run = spawnSync(command, words, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (run.status === 0) return run.stdout;
  throw new Error(`${command} failed: ${run.error?.message ?? (run.stderr.trim() || run.stdout.trim())}`);
}

/** The mirror that this computer's apt uses. */
function mirrorOfThisMachine(): string {
  const codename = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
  const targets = output("apt-get", ["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)"]);
  const mains = targets.split("\n").filter((line) => line.endsWith(" main"));
  const chosen = mains.find((line) => line.split(" ")[1] === codename) ?? mains[0];
  if (chosen === undefined) throw new Error("apt knows no Debian mirror");
  return chosen.split(" ")[0] ?? "";
}

/**
 * Options for apt with a separate state in `state`: no installed packages, one release (its packages, or their sources), own lists
 * and cache.
 */
function aptOptions(state: string, suite: string, kind: "deb" | "deb-src" = "deb"): string[] {
  for (const folder of ["lists/partial", "cache/archives/partial", "none"]) {
    mkdirSync(join(state, folder), { recursive: true });
  }
  writeFileSync(join(state, "sources.list"), `${kind} [signed-by=${keyring}] ${mirrorOfThisMachine()} ${suite} main\n`);
  writeFileSync(join(state, "status"), "");
  const settings = {
    "Dir::Etc::sourcelist": join(state, "sources.list"),
    "Dir::Etc::sourceparts": join(state, "none"),
    "Dir::Etc::preferencesparts": join(state, "none"),
    "Dir::State::lists": join(state, "lists"),
    "Dir::State::status": join(state, "status"),
    "Dir::Cache": join(state, "cache"),
    "APT::Sandbox::User": "root",
    "APT::Architecture": "amd64",
    "Acquire::Languages": "none",
    // A mirror may be outdated. Signatures are still checked.
    "Acquire::Check-Valid-Until": "false",
  };
  return ["-qq", ...Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`])];
}

/**
 * Unpacks `packages` of `suite` and their dependencies into `root`, except those that `isNeedless` excludes. Returns the version of
 * each unpacked package.
 */
export function unpackPackages(
  root: string,
  from: { suite: string; packages: readonly string[]; isNeedless: (name: string) => boolean; scratch: string },
): ReadonlyMap<string, string> {
  const state = join(from.scratch, "apt");
  const options = aptOptions(state, from.suite);
  output("apt-get", [...options, "update"]);
  const plan = output("apt-get", [...options, "--no-install-recommends", "--simulate", "install", ...from.packages]);
  const closure = [...plan.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? "");
  const archives = join(from.scratch, "archives");
  mkdirSync(archives, { recursive: true });
  output("apt-get", [...options, "download", ...closure.filter((name) => !from.isNeedless(name))], archives);
  mkdirSync(root, { recursive: true });
  // `dpkg-deb --extract` runs no package scripts and needs no root permissions.
  const names = readdirSync(archives);
  for (const archive of names) output("dpkg-deb", ["--extract", join(archives, archive), root]);
  return new Map(
    names.map((archive) => {
      const [name = "", version = ""] = archive.split("_");
      return [name, decodeURIComponent(version)];
    }),
  );
}

/** Downloads the original source of packages of `suite` into a folder for each. A version that Debian no longer has becomes the present one. */
export function downloadSources(
  folderOf: (name: string) => string,
  from: { suite: string; packages: readonly { name: string; version: string }[]; scratch: string },
): void {
  const options = aptOptions(join(from.scratch, `apt-${from.suite}`), from.suite, "deb-src");
  output("apt-get", [...options, "update"]);
  const download = (what: string, folder: string) =>
    output("apt-get", [...options, "--download-only", "--tar-only", "source", what], folder);
  for (const { name, version } of from.packages) {
    const folder = folderOf(name);
    mkdirSync(folder, { recursive: true });
    try {
      download(`${name}=${version}`, folder);
    } catch {
      download(name, folder);
    }
  }
}

/**
 * Makes `programs` (paths below `root`) use the libraries in `root`, which must be at its final path. `stubborn` libraries, where
 * there are some, have their own search path, which must be replaced as well.
 */
export function bindToOwnLibraries(root: string, programs: readonly string[], stubborn: readonly string[]): void {
  const own = join(root, libraries);
  const found = stubborn.map((name) => join(own, name)).filter((path) => existsSync(path));
  for (const path of found) output("patchelf", ["--remove-rpath", path]);
  const loader = ["--set-interpreter", join(own, "ld-linux-x86-64.so.2"), "--force-rpath", "--set-rpath", own];
  for (const program of programs) output("patchelf", [...loader, join(root, program)]);
}

/**
 * Verifies that `program` finds all libraries below `root`, because mixing them with the host's libc causes random crashes.
 * Throws an error with the missing and foreign libraries.
 */
export function proveOwnLibraries(root: string, program: string): void {
  const list = output(join(root, libraries, "ld-linux-x86-64.so.2"), ["--list", join(root, program)]);
  const missing = [...list.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  const paths = [...list.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map((match) => match[1] ?? "");
  const foreign = paths.filter((path) => !path.startsWith(`${root}/`));
  if (paths.length === 0) throw new Error(`${program}: the loader listed no library`);
  if (missing.length > 0) throw new Error(`${program} lacks ${missing.join(", ")}`);
  if (foreign.length > 0) throw new Error(`${program} would take from the host: ${foreign.join(", ")}`);
}
